/*
 * pmi: an interrupt for every Nth event of a counter, and where it struck.
 *
 * A counter that passes zero asks for the performance-monitoring interrupt, whose handler
 * notes the address that was interrupted and loads the counter again (SDM vol. 3B,
 * "Generating an Interrupt on Overflow").  With the event "taken branches" and a period of
 * one that is a stop after every branch, with none of DEBUGCTL.  The processor makes some
 * branches more before it takes the interrupt: the counter, stopped at the gate, says how
 * many, so each stop is written with how late it was.
 *
 * The IRETQ is an event itself where far branches count, and with a period of one would
 * ask for the next interrupt before the workload has moved, for ever.  So each period is
 * longer by it.  Where the processor counts what nobody told, and for periods shorter
 * than the way back takes, the registers of the workload do not change any more: after
 * IDLE_MAX such interrupts it is a livelock, and named.
 */
#include "method_facts.h"

METHOD_FACTS(pmi) = {
    .name = "pmi",
    .about = "a counter's interrupt: a stop at every Nth event, as of taken branches",
    .needs = NEEDS(FACILITY_PMI),
    .stops = true,
    .counter_driven = true,
    .sampled = true,
    .by_nmi = true,
    .event_each = true,
};

#ifdef KERNEL

#include "counter.h"
#include "method.h"

#include "apic.h"
#include "pmi_collector.h"
#include "log.h"
#include "machine.h"
#include "pmi_gate.h"

#define IDLE_MAX 64

static struct {
    struct pmi_collector all;
    struct frame before; /* of the interrupt before */
} now;

static struct interrupt_config interrupt_config(const struct cpu *cpu,
                                                const struct buffers *buffers)
{
    return counter_chosen(cpu, buffers, 1);
}

/* True if no register has changed since the previous interrupt. */
static bool stands_still(const struct frame *frame)
{
    bool same = __builtin_memcmp(frame, &now.before, sizeof *frame) == 0;
    now.before = *frame;
    return same;
}

/* After the return, or before the call, it is no stop of the workload. */
static bool in_workload(uint64_t rip)
{
    return rip == (uint64_t)window_back || !(window_is_over(rip) || window_is_before(rip));
}

static void on_interrupt(struct frame *frame)
{
    bool counting = pmi_gate_interrupted_recording();
    struct counted counted = pmi_collector_count(&now.all, counting);
    struct branch stop = { BRANCH_UNKNOWN, machine_address(frame), counted.late };
    bool inside = in_workload(frame->rip);
    pmi_collector_late(&now.all, counted.late);
    if (counting &&
        pmi_collector_goes_on(&now.all, frame, !stands_still(frame), IDLE_MAX) && inside)
        pmi_collector_add(&now.all, stop);
}

static const struct pmi_taker taker = { counter_asked, on_interrupt, counter_stray };

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    struct enable enable = { 0 };
    struct interrupt_config how = interrupt_config(cpu, buffers);

    now.all = pmi_collector_none(buffers);
    now.before = (struct frame){ 0 };
    counter_begin(cpu, &how, &enable, false);
    pmi_gate_begin(how.nmi, &enable, &taker);
    return enable;
}

static struct trace drain(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu, (void)buffers;
    pmi_collector_rest(&now.all);
    return pmi_collector_trace(&now.all);
}

static void disarm(const struct cpu *cpu)
{
    (void)cpu;
    pmi_gate_end();
    counter_end();
}

METHOD(pmi) = {
    .facts = &facts_pmi,
    .arm = arm,
    .drain = drain,
    .disarm = disarm,
    .interrupt_config = interrupt_config,
};

#endif
