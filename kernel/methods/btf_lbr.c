/*
 * btf+lbr: branch-stepping, with FROM taken from the newest last-branch record.
 *
 * The record is written before the #DB that the same branch raises, and delivering
 * #DB clears DEBUGCTL.LBR (on architectural LBR: LBR_CTL.LBREn), so the handler
 * finds its branch on top, undisturbed by its own (SDM vol. 3B, "LBR, BTS, and BTM
 * mechanisms": "Last Branch, Interrupt, and Exception Recording").  Both bits have
 * to be set again before it returns.
 */
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

static const char *lacks(const struct cpu *cpu, const struct facilities *found)
{
    (void)cpu;
    if (!facility_acts(&found->btf))
        return probe_result_reason(&found->btf);
    return facility_acts(&found->lbr) ? NULL : probe_result_reason(&found->lbr);
}

static size_t capacity(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu, (void)buffers;
    return 0;
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

static struct trace drain(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu, (void)buffers;
    return (struct trace){ .count = stops_count(),
                           .events = stops_events(),
                           .debug_status = stops_debug_status() };
}

static void disarm(const struct cpu *cpu)
{
    stops_end();
    lbr_stack_restore(cpu);
}

const struct method method_btf_lbr = { "btf+lbr", lacks,  capacity, arm,
                                       drain,     disarm, NULL,     NULL };
