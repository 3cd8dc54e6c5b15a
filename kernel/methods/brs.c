/*
 * brs: AMD branch sampling, pieces of a trace.
 *
 * A counter of taken branches does not interrupt when it passes zero: the processor then
 * begins to write what it takes into a stack of its own, and holds the interrupt back
 * until that is full (Linux, arch/x86/events/amd/brs.c; AMD's PPR of family 19h model 01h,
 * "Branch Sampling").  So each interrupt finds sixteen branches in a row, oldest first,
 * and what comes between two such pieces is not recorded: a record without ends stands
 * there.  With a period of one the pieces follow each other closely.
 *
 * Of the last piece the stack keeps what it has; msroff says how much that is, and is 0
 * again when it is full, as when it is empty: vb tells the two apart.  Nothing says that
 * recording ends with the counter that began it: the counter, stopped at the end of the
 * window, knows how many records are older than that.
 *
 * The register that turns sampling on also holds where it is, so the window writes the
 * counter alone, and this file the other.
 */
#include "method_facts.h"

METHOD_FACTS(brs) = {
    .name = "brs",
    .about = "AMD branch sampling: windows of the trace, which a counter begins",
    .needs = NEEDS(FACILITY_BRS) | NEEDS(FACILITY_PMI),
    .counter_driven = true,
    .sampled_windows = true,
    .by_nmi = true,
};

#ifdef KERNEL

#include "counter.h"
#include "method.h"

#include "apic.h"
#include "entry.h"
#include "pmi_collector.h"
#include "log.h"
#include "msr.h"
#include "pmi_gate.h"
#include "registers.h"
#include "window.h"
#include "x86.h"

#define IDLE_MAX 16

static struct {
    const struct cpu *cpu;
    struct pmi_collector all;
    bool released; /* an interrupt came when the counter was off */
    uint64_t before;
} now;

/* No event but that of taken branches begins a piece. */
static struct interrupt_config interrupt_config(const struct cpu *cpu,
                                                const struct buffers *buffers)
{
    struct buffers own = *buffers;
    own.event = (struct event_choice){ .by = EVENT_BY_NAME, .name = EVENT_TAKEN };
    return counter_chosen(cpu, &own, 1);
}

/* How many records there are.  They begin at entry 0. */
static uint32_t filled(void)
{
    uint64_t state = 0;
    msr_read(now.cpu->model->brs.ctl, &state);
    uint32_t next = (uint32_t)(state >> BRS_NEXT & BRS_NEXT_MASK);
    if (!(state & BRS_VALID))
        return 0;
    return next ? next : now.cpu->model->brs.depth;
}

static void read_entry(uint32_t index, struct branch *record)
{
    const struct lbr_layout *brs = &now.cpu->model->brs;
    uint64_t from = 0, to = 0;
    msr_read(brs->from + index * brs->stride, &from);
    msr_read(brs->to + index * brs->stride, &to);
    if (!entry_decode(brs, brs->from_flags, from, to, record))
        *record =
            (struct branch){ from, to, 0 }; /* said to be there: for the host to judge */
}

/* Takes out a piece of at most `most` records, and returns how many it has. */
static uint32_t take_piece(uint64_t most)
{
    uint32_t count = filled();
    if (count > most)
        count = (uint32_t)most;
    if (count && now.all.next > now.all.first)
        pmi_collector_add(&now.all, (struct branch){ BRANCH_UNKNOWN, BRANCH_UNKNOWN, 0 });
    for (uint32_t i = 0; i < count; i++) {
        struct branch record;
        read_entry(i, &record);
        pmi_collector_add(&now.all, record);
    }
    return count;
}

/* Empty, with nothing to be written before the counter passes zero. */
static void begin(bool sampling)
{
    const struct lbr_layout *brs = &now.cpu->model->brs;
    wrmsr(brs->ctl, BRS_ALWAYS | (sampling ? brs->ctl_enable : 0));
}

/* The one that is held back can come as well when the counter is turned off. */
static void on_interrupt(struct frame *frame)
{
    now.released = !pmi_gate_interrupted_recording();
    if (now.released)
        return; /* drain() finds the rest */
    struct counted counted = pmi_collector_count(&now.all, true);
    uint32_t held = take_piece(now.cpu->model->brs.depth);
    /* After the branch that began the piece come those that it holds, in time. */
    pmi_collector_late(&now.all, counted.late > held ? counted.late - held : 0);
    begin(true);
    pmi_collector_goes_on(&now.all, frame, held, IDLE_MAX);
}

static bool is_full(void)
{
    return filled() == now.cpu->model->brs.depth;
}

/*
 * True if the stack has the entry of a stray NMI, and so what that ran before it looked:
 * the gate stops the counter, but not sampling that has begun.  An interrupt that was held
 * back comes when the stack is full.
 */
static bool is_spoiled(void)
{
    uint32_t count = filled();
    struct branch record;
    for (uint32_t i = 0; i < count; i++) {
        read_entry(i, &record);
        if (record.to == (uint64_t)pmi_gate_entry)
            return true;
    }
    return false;
}

/*
 * From the counter's overflow on the interrupt is held back until the stack is full, so
 * while sampling goes on the counter alone says nothing.  When it is off, what was held
 * back comes at once.
 */
static bool asked(const struct frame *frame)
{
    if (pmi_gate_interrupted_recording())
        return is_full() && !is_spoiled();
    return counter_asked(frame);
}

/*
 * A piece that it came into is thrown away, and the next one begins a period later.  By
 * what the NMI ran the stack may have become full, and then its interrupt comes for
 * nothing.
 */
static bool on_stray(const struct frame *frame, bool goes_on)
{
    if (!goes_on || !filled())
        return counter_stray(frame, goes_on);
    now.all.ran.counted.value += counter_again(true).events;
    counter_foresee();
    begin(true);
    return false;
}

static const struct pmi_taker taker = { asked, on_interrupt, on_stray };

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    struct enable enable = { 0 };
    struct interrupt_config how = interrupt_config(cpu, buffers);

    now.cpu = cpu;
    now.all = pmi_collector_none(buffers);
    now.released = false;
    msr_read(cpu->model->brs.ctl, &now.before);
    counter_begin(cpu, &how, &enable, false);
    pmi_gate_begin(how.nmi, &enable, &taker);
    begin(true);
    return enable;
}

/* A full stack has asked for its interrupt. */
static bool is_due(void)
{
    return is_full() && !now.released;
}

static struct trace drain(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)buffers;
    pmi_collector_wait(is_due);
    now.all.ran.counted.value += counter_rest();
    now.all.ran.lost +=
        take_piece(counter_since_overflow()) == cpu->model->brs.depth && !now.released;
    return pmi_collector_trace(&now.all);
}

static void disarm(const struct cpu *cpu)
{
    begin(false);
    pmi_gate_end();
    counter_end();
    msr_write(cpu->model->brs.ctl, now.before);
}

METHOD(brs) = {
    .facts = &facts_brs,
    .arm = arm,
    .drain = drain,
    .disarm = disarm,
    .interrupt_config = interrupt_config,
};

#endif
