/*
 * btf: single-stepping on branches.
 *
 * With RFLAGS.TF and DEBUGCTL.BTF both set, #DB comes only after an instruction
 * that took a branch (SDM vol. 3B, "Single-Stepping on Branches").  It pushes the
 * branch's target.  It does not say where the branch was, so a record is a stop, as with
 * `step`.
 *
 * The processor clears BTF whenever it delivers a #DB.  A handler that does not
 * set it again gets one branch and from then on a stop at every instruction.
 */
#include "method_facts.h"

METHOD_FACTS(btf) = {
    .name = "btf",
    .about = "TF and DEBUGCTL.BTF: a stop after every taken branch",
    .needs = NEEDS(FACILITY_BTF),
    .stops = true,
    .blind_handlers = true,
    .event_each = true,
};

#ifdef KERNEL

#include "machine.h"
#include "method.h"
#include "msr.h"
#include "registers.h"
#include "stops.h"
#include "x86.h"

static uint64_t before, on;

static void on_debug(struct frame *frame)
{
    if (stops_event(frame))
        stops_add(frame,
                  (struct branch){ .from = BRANCH_UNKNOWN, .to = machine_address(frame) });
    /* Delivery has cleared BTF: without this, every instruction would stop. */
    wrmsr(MSR_DEBUGCTL, on);
}

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu;
    msr_read(MSR_DEBUGCTL, &before);
    /* on_debug() writes this value again. */
    on = window_debugctl(DEBUGCTL_BTF);
    stops_begin(buffers, on_debug);
    return (struct enable){ .msr = MSR_DEBUGCTL, .on = on, .rflags = RFLAGS_TF };
}

static void disarm(const struct cpu *cpu)
{
    (void)cpu;
    stops_end();
    msr_write(MSR_DEBUGCTL, before);
}

METHOD(btf) = {
    .facts = &facts_btf,
    .arm = arm,
    .drain = stops_trace,
    .disarm = disarm,
};

#endif
