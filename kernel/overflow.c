/*
 * pmi: an interrupt for every Nth event of a counter, and where it struck.
 *
 * A counter that passes zero asks for the performance-monitoring interrupt, whose handler
 * notes the address that was interrupted and loads the counter again (SDM vol. 3B,
 * "Generating an Interrupt on Overflow").  With the event "taken branches" and a period of
 * one that is a stop behind every branch, with none of DEBUGCTL.  The processor makes some
 * branches more before it takes the interrupt: the counter, stopped at the gate, says how
 * many, so each stop is written with how late it was.
 *
 * The IRETQ is an event itself where far branches count, and with a period of one would
 * ask for the next interrupt before the workload has moved, for ever.  So each period is
 * longer by it.  Where the processor counts what nobody told, and for periods shorter
 * than the way back takes, the registers of the workload do not change any more: after
 * IDLE_MAX such interrupts it is a livelock, and named.
 */
#include "counter.h"
#include "method.h"

#include "apic.h"
#include "log.h"
#include "machine.h"
#include "pmi.h"

#define IDLE_MAX 64

static struct {
    struct branch *next, *end;
    struct frame before; /* of the interrupt before */
    unsigned idle;       /* interrupts in a row that found the same */
    uint64_t events, lost;
    struct interrupts interrupts;
} now;

static const char *lacks(const struct cpu *cpu, const struct facilities *found)
{
    (void)cpu;
    if (!facility_acts(&found->pmi))
        return finding_reason(&found->pmi);
    return apic_is_on() ? NULL : LACKS_APIC;
}

static size_t room(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu, (void)buffers;
    return 0;
}

static struct draining draining(const struct cpu *cpu, const struct buffers *buffers)
{
    return counter_chosen(cpu, buffers, 1);
}

static void leave(struct frame *frame, enum outcome outcome)
{
    pmi_stay_off();
    if (window_is_open())
        window_abort(frame, outcome);
}

/* Whether nothing at all has moved since the interrupt before. */
static bool stands_still(const struct frame *frame)
{
    const uint64_t *a = (const uint64_t *)frame, *b = (const uint64_t *)&now.before;
    bool same = true;
    for (size_t i = 0; i < sizeof *frame / sizeof *a; i++)
        same = same && a[i] == b[i];
    now.before = *frame;
    return same;
}

/* Behind the return, or before the call, it is no stop of the workload. */
static bool in_workload(uint64_t rip)
{
    return rip == (uint64_t)window_back || !(window_is_over(rip) || window_is_before(rip));
}

static void on_interrupt(struct frame *frame)
{
    bool counting = pmi_interrupted_recording();
    struct counted counted = counter_again();
    now.events++;
    now.interrupts.counted += counted.events;
    now.interrupts.skid += counted.late;
    if (counted.late > now.interrupts.most)
        now.interrupts.most = counted.late;
    if (!counting)
        return;
    now.idle = stands_still(frame) ? now.idle + 1 : 0;
    if (now.idle == IDLE_MAX)
        leave(frame, LIVELOCK);
    else if (now.next == now.end)
        leave(frame, BUDGET);
    else if (in_workload(frame->rip))
        *now.next++ =
            (struct branch){ BRANCH_UNKNOWN, machine_address(frame), counted.late };
}

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    struct enable enable = { 0 };
    struct draining how = draining(cpu, buffers);

    now.next = buffers->records;
    now.end = buffers->records + buffers->record_room;
    now.before = (struct frame){ 0 };
    now.idle = 0;
    now.events = now.lost = 0;
    now.interrupts = (struct interrupts){ 0 };
    counter_begin(cpu, &how, &enable, false);
    pmi_begin(how.nmi, &enable, on_interrupt);
    return enable;
}

static struct trace drain(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu;
    pmi_settle();
    now.lost += counter_unheard();
    now.interrupts.counted += counter_rest();
    now.interrupts.unmasked = pmi_unmasked();
    return (struct trace){ .count = (size_t)(now.next - buffers->records),
                           .events = now.events,
                           .lost = now.lost,
                           .interrupts = now.interrupts };
}

static void disarm(const struct cpu *cpu)
{
    (void)cpu;
    pmi_end();
    counter_end();
}

const struct method method_pmi = { "pmi", lacks, room, arm, drain, disarm, draining, NULL };
