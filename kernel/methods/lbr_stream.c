/*
 * lbr-stream: a whole trace from the stack of last-branch records alone.
 *
 * The stack keeps the newest records and forgets the others.  A counter of branches
 * interrupts before it has forgotten one, and the handler reads what is new.  What is new
 * is known exactly: the last record that the previous interrupt left in the stack is that
 * of its own IRETQ, and all that came since follows it, with nothing missing.
 * That record is the overlap of two windows, and as long as it is found, and before it
 * the entry that belongs to it where the stack reaches so far, no branch was lost.  Where
 * it is gone so are others, and a record without ends takes their place: a gap.
 *
 * The counter asks at half of the stack, since what it does not count needs room too:
 * exceptions, the interrupt's own entry, and what the processor runs before it takes the
 * interrupt.  The probe of `pmi` measures how many branches that is in dense code (up to a
 * hundred on real processors), and the counter asks that much earlier.
 *
 * If the stack is too small for that, it is frozen at the overflow (FREEZE_LBRS_ON_PMI), if
 * the processor can do so and reports it in GLOBAL_STATUS: then each stack ends with the
 * branch that overflowed the counter, and a gap follows it.  Older processors clear
 * DEBUGCTL.LBR instead, as a #DB does, so the handler could not know whether to turn it on
 * again: there the stack is not frozen, and the gap precedes what it still holds.
 *
 * Without the freeze the interrupt's entry is recorded last before the gate turns recording
 * off; it and the IRETQ are taken out, by their addresses.
 *
 * A filter may leave out anything except that IRETQ, so no ring: the IRETQ ends in the ring
 * where the interrupt struck.  The rest is complete nevertheless: the counter also counts
 * what is left out, so it asks no later.
 */
#include "method_facts.h"

METHOD_FACTS(lbr_stream) = {
    .name = "lbr-stream",
    .about = "the last branch records, read by a counter's interrupt before one is lost",
    .needs = NEEDS(FACILITY_LBR) | NEEDS(FACILITY_PMI),
    .ends_at_db = true,
    .counter_driven = true,
    .by_nmi = true,
    .least_depth = LBR_STREAM_DEPTH_MIN,
    .filtered = FILTERED_BY_LBR,
    .overlaps = true,
};

#ifdef KERNEL

#include "counter.h"
#include "freeze.h"
#include "method.h"
#include "lbr_stack.h"

#include "apic.h"
#include "pmi_collector.h"
#include "log.h"
#include "machine.h"
#include "pmi_gate.h"
#include "registers.h"
#include "skip_reason.h"
#include "visible.h"

#define STACK_MAX 256 /* records; the deepest there is has 64 */
#define IDLE_MAX  16

/* As records have it: some have offsets in CS, some linear addresses. */
struct place {
    uint64_t offset, linear;
};

static struct {
    const struct cpu *cpu;
    struct pmi_collector all;
    bool returned;          /* the newest record that is known is the IRETQ...     */
    struct place struck_at; /* ...to there...                                      */
    bool entered;           /* ...after an entry that was recorded                */
    size_t strays;          /* stray NMIs since then that returned to there, too   */
    bool freezes;           /* the stack is frozen at the overflow                 */
    uint32_t filter;
} now;

/*
 * The event must count far branches, or handlers alone could fill the stack.  Of each
 * exception the IRETQ counts, so that two records at most go with each event: they fit
 * if the period is half of the stack, less the interrupt's entry and its IRETQ.
 */
static struct interrupt_config interrupt_config(const struct cpu *cpu,
                                                const struct buffers *buffers)
{
    const struct facilities *found = buffers->found;
    uint64_t skid = found->pmi.said.most;
    bool freezes = found->freeze.said.outcome == WORKS && freeze_is_documented(cpu) &&
                   !stream_fits(cpu->lbr_depth, skid);
    struct buffers own = *buffers;
    if (cpu->pmu)
        own.event = (struct event_choice){ .by = EVENT_BY_NAME,
                                           .name = (uint8_t)pmu_with_far(cpu->pmu) };
    struct interrupt_config how =
        counter_chosen(cpu, &own, stream_period(cpu->lbr_depth, skid, freezes));
    how.freezes = freezes;
    return how;
}

static bool is_at(uint64_t end, const struct place *place)
{
    return end == place->offset || end == place->linear;
}

static bool is_entry(const struct branch *record, const struct place *struck_at)
{
    return is_at(record->from, struck_at) && record->to == (uint64_t)pmi_gate_entry;
}

static bool is_return(const struct branch *record)
{
    return record->from == (uint64_t)pmi_gate_return && is_at(record->to, &now.struck_at);
}

/* True if the newest record is a copy of the one before it, as a model's row says. */
static bool is_copied(void)
{
    struct branch newest, older;
    return now.cpu->model->lbr.doubles_newest && lbr_stack_of_age(now.cpu, 0, &newest) &&
           lbr_stack_of_age(now.cpu, 1, &older) && branch_same(&newest, &older);
}

/*
 * True if this record, `age` records old, is where the previous window ended: then
 * that window's own entry stands before it, or nothing that is left.  `strays` counts the
 * newer records that only look so.  Where the newest record is a copy, it is of that IRETQ
 * or, in its place, of the entry.
 */
static bool is_overlap(const struct branch *record, size_t age, size_t *strays)
{
    struct branch older;
    bool copied = age == 0 && is_copied(), returns = is_return(record);
    if (!now.returned ||
        !(returns || (copied && now.entered && is_entry(record, &now.struck_at))))
        return false;
    if (*strays) {
        *strays -= !copied;
        return false;
    }
    now.all.ran.returns++;
    age += copied && returns ? 2 : 1;
    if (now.entered && lbr_stack_from_age(now.cpu, &age, &older) &&
        !is_entry(&older, &now.struck_at))
        now.all.ran.lost++;
    return true;
}

/*
 * Adds what is new in the stack, from `age` on, oldest first.  At the beginning the stack
 * is empty, so that the oldest record that there is, is the call.  Returns how many.
 */
static size_t gather(size_t age)
{
    struct branch newer[STACK_MAX];
    size_t count = 0, strays = now.strays;
    bool found = false;
    for (; !found && lbr_stack_from_age(now.cpu, &age, &newer[count]); age++) {
        found = is_overlap(&newer[count], age, &strays);
        count += !found;
        found = found || (!now.returned && newer[count - 1].from == (uint64_t)window_call);
    }
    if (!found && (now.returned || age == now.cpu->lbr_depth)) {
        pmi_collector_gap(&now.all);
        now.all.ran.wrong_path += lbr_stack_wrong_path(now.cpu);
    }
    for (size_t i = count; i-- > 0;)
        pmi_collector_add(&now.all, newer[i]);
    return count;
}

/*
 * Takes out the interrupt's own entry, which is the newest record unless the stack was
 * frozen; if it is there even then, it is counted.  A copy of the record before it may be
 * in its place: then *is_left_in becomes false.  Returns how many entries of the stack that
 * removes.
 */
static size_t own_entry(const struct place *struck_at, bool *is_left_in)
{
    struct branch newest;
    size_t age = 0;
    if (lbr_stack_from_age(now.cpu, &age, &newest) && is_entry(&newest, struck_at)) {
        now.all.ran.entries.value++;
        return age + (is_copied() ? 2 : 1);
    }
    if (*is_left_in && is_copied()) {
        *is_left_in = false;
        now.all.ran.entries.value++;
        return 1;
    }
    now.all.ran.lost += *is_left_in;
    return 0;
}

static void on_interrupt(struct frame *frame)
{
    bool recorded = pmi_gate_interrupted_recording();
    struct counted counted = pmi_collector_count(&now.all, pmi_gate_interrupted_counting());
    pmi_collector_late(&now.all, counted.late);
    if (!recorded)
        return; /* the window is over, or a #DB was: drain() finds the rest */
    struct place struck_at = { frame->rip, machine_address(frame) };
    bool frozen = now.freezes && freeze_is_on(now.cpu);
    bool entered = !frozen && record_filter_shows(now.filter, frame->cs & 3);
    size_t own = own_entry(&struck_at, &entered);
    size_t moved = gather(own);
    if (frozen) {
        pmi_collector_gap(&now.all);
        freeze_thaw(now.cpu);
    }
    now.returned = true;
    now.entered = entered;
    now.struck_at = struck_at;
    now.strays = 0;
    pmi_collector_goes_on(&now.all, frame, moved || counted.events, IDLE_MAX);
}

/* A stack that is frozen waits for its handler, whatever the counter says. */
static bool asked(const struct frame *frame)
{
    return counter_asked(frame) || (now.freezes && freeze_is_on(now.cpu));
}

/* Its entry and its IRETQ stay in the trace, where they were recorded. */
static bool on_stray(const struct frame *frame, bool goes_on)
{
    bool there = frame->rip == now.struck_at.offset;
    counter_stray(frame, goes_on);
    now.strays += now.returned && there && pmi_gate_interrupted_recording();
    return false;
}

static const struct pmi_taker taker = { asked, on_interrupt, on_stray };

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    struct interrupt_config how = interrupt_config(cpu, buffers);

    lbr_stack_prepare(cpu);
    struct enable enable = lbr_stack_enable(cpu);
    lbr_stack_filter(cpu, buffers->filter, &enable);
    if (how.freezes)
        freeze_add(&enable, DEBUGCTL_FREEZE_LBRS);
    now.cpu = cpu;
    now.filter = buffers->filter;
    now.all = pmi_collector_none(buffers);
    now.returned = false;
    now.strays = 0;
    now.freezes = how.freezes;
    counter_begin(cpu, &how, &enable, true);
    pmi_gate_begin(how.nmi, &enable, &taker);
    return enable;
}

static struct trace drain(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu, (void)buffers;
    pmi_collector_rest(&now.all);
    gather(0);
    if (now.freezes && freeze_is_on(now.cpu))
        pmi_collector_gap(&now.all);
    return pmi_collector_trace(&now.all);
}

static void disarm(const struct cpu *cpu)
{
    pmi_gate_end();
    counter_end();
    if (now.freezes)
        freeze_thaw(cpu); /* the last overflow may have frozen it without an interrupt */
    lbr_stack_restore(cpu);
}

METHOD(lbr_stream) = {
    .facts = &facts_lbr_stream,
    .arm = arm,
    .drain = drain,
    .disarm = disarm,
    .interrupt_config = interrupt_config,
};

#endif
