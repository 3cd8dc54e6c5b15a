/*
 * btf+lbr: branch-stepping, with FROM taken from the newest last-branch record.
 *
 * The record is written before the #DB that the same branch raises, and delivering
 * #DB clears DEBUGCTL.LBR (on architectural LBR: LBR_CTL.LBREn), so the handler
 * finds its branch on top, undisturbed by its own (SDM vol. 3B, "LBR, BTS, and BTM
 * mechanisms": "Last Branch, Interrupt, and Exception Recording").  Both bits have
 * to be set again before it returns.
 */
#include "method_facts.h"

METHOD_FACTS(btf_lbr) = {
    .name = "btf+lbr",
    .about =
        "TF and BTF, with both ends of each branch from the newest entry of the LBR stack",
    .needs = NEEDS(FACILITY_BTF) | NEEDS(FACILITY_LBR),
    .blind_handlers = true,
    .event_each = true,
};

#ifdef KERNEL

#include "method.h"
#include "msr.h"
#include "registers.h"
#include "lbr_stack.h"
#include "stops.h"
#include "x86.h"

static const struct cpu *armed;
static struct enable record; /* turns recording on; with BTF where that is the same MSR */

/* Sets what #DB cleared: recording last, so that little of the handler is recorded. */
static void rearm(void)
{
    if (record.msr != MSR_DEBUGCTL)
        wrmsr(MSR_DEBUGCTL, window_debugctl(DEBUGCTL_BTF));
    wrmsr(record.msr, record.on);
}

static void on_debug(struct frame *frame)
{
    if (stops_event(frame))
        stops_add(frame, lbr_stack_newest(armed));
    rearm();
}

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    armed = cpu;
    lbr_stack_prepare(cpu);
    record = lbr_stack_enable(cpu);
    if (record.msr == MSR_DEBUGCTL)
        record.on = window_debugctl(record.on | DEBUGCTL_BTF);
    else /* without TF it does nothing yet */
        wrmsr(MSR_DEBUGCTL, window_debugctl(DEBUGCTL_BTF));
    stops_begin(buffers, on_debug);
    struct enable enable = record;
    enable.rflags = RFLAGS_TF;
    return enable;
}

static void disarm(const struct cpu *cpu)
{
    stops_end();
    lbr_stack_restore(cpu);
}

METHOD(btf_lbr) = {
    .facts = &facts_btf_lbr,
    .arm = arm,
    .drain = stops_trace,
    .disarm = disarm,
};

#endif
