/*
 * btf: single-stepping on branches.
 *
 * With RFLAGS.TF and DEBUGCTL.BTF both set, #DB comes only after an instruction
 * that took a branch (SDM vol. 3B, "Single-Stepping on Branches").  It pushes the
 * branch's target; where the branch stood is not told, so these are stops too.
 *
 * The processor clears BTF whenever it delivers a #DB.  A handler that does not
 * set it again gets one branch and from then on a stop at every instruction.
 */
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
    /*
     * Delivering #DB cleared BTF (SDM vol. 3B, "Single-Stepping on Branches").
     * Set it again, or the trace ends after one branch.
     */
    wrmsr(MSR_DEBUGCTL, on);
}

static const char *lacks(const struct cpu *cpu, const struct facilities *found)
{
    (void)cpu;
    return facility_acts(&found->btf) ? NULL : probe_result_reason(&found->btf);
}

static size_t capacity(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu, (void)buffers;
    return 0;
}

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu;
    msr_read(MSR_DEBUGCTL, &before);
    on = window_debugctl(DEBUGCTL_BTF);
    stops_begin(buffers, on_debug);
    return (struct enable){ .msr = MSR_DEBUGCTL, .on = on, .rflags = RFLAGS_TF };
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
    (void)cpu;
    stops_end();
    msr_write(MSR_DEBUGCTL, before);
}

const struct method method_btf = { "btf", lacks, capacity, arm, drain, disarm, NULL, NULL };
