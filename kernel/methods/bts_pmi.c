/*
 * bts-pmi: the branch trace store in a small buffer, emptied while the workload runs.
 *
 * With BTINT beside TR and BTS the buffer is no ring.  The record that fills it up to
 * the threshold asks for the performance-monitoring interrupt, whose handler takes the
 * records away and sets the index back (SDM vol. 3B, "Writing the DS Interrupt Service
 * Routine").  So a buffer of any size holds a trace of any length; but how many more
 * branches the processor makes before it takes the interrupt is written nowhere, and
 * if the buffer ends before that, records are lost.  The probe of `bts` measures that skid,
 * the number of records that a handler finds beyond the threshold, and the buffer has room
 * for twice as many.  If it was full nevertheless, a record without ends follows what it
 * held: a gap.
 *
 * The interrupt is a branch, too.  Its entry is stored last before the gate turns
 * recording off, and its IRETQ first after that: both are taken out where they stand,
 * by the gate's address and the address that was interrupted, and counted.  Whatever
 * does not fit to the byte stays in the trace, where it is found.  Where a filter leaves
 * a ring out, so it does what of the two leaves that ring.
 *
 * Where the processor asks all the same before anything has moved it is a livelock, named
 * after IDLE_MAX interrupts.
 */
#include "method_facts.h"

METHOD_FACTS(bts_pmi) = {
    .name = "bts-pmi",
    .about = "the branch trace store in a small buffer, which an interrupt empties when it "
             "fills",
    .needs = NEEDS(FACILITY_BTS),
    .pmi_drained = true,
    .filtered = FILTERED_BY_BTS,
};

#ifdef KERNEL

#include "bts_pmi.h"

#include "apic.h"
#include "ds.h"
#include "filtered.h"
#include "machine.h"
#include "msr.h"
#include "pmi_collector.h"
#include "pmi_gate.h"
#include "registers.h"
#include "skip_reason.h"
#include "visible.h"

#define PMI_THRESHOLD 8
#define ROOM_AFTER    8 /* records after the threshold, with the interrupt's own entry */
#define IDLE_MAX      16

static struct {
    const struct buffers *buffers;
    struct interrupt_config how;
    struct pmi_collector all;
    size_t begin;       /* the first record of the buffer that is one        */
    bool returned;      /* ...and it is the IRETQ of the interrupt before... */
    uint64_t struck_at; /* ...to there                                       */
    size_t stray;       /* the index after a stray NMI's entry; 0: none      */
    size_t strays;      /* such NMIs since the interrupt before              */
} now;

/* For how many records the buffer has room after the threshold. */
static size_t room_after(const struct buffers *buffers)
{
    return ROOM_AFTER + 2 * (size_t)buffers->found->bts.said.most;
}

static bool is_entry(const struct bts_record *record, uint64_t rip)
{
    return record->from == rip && record->to == (uint64_t)pmi_gate_entry;
}

static bool is_return(const struct bts_record *record)
{
    return record->from == (uint64_t)pmi_gate_return && record->to == now.struck_at;
}

static bool shows(unsigned ring)
{
    return record_filter_shows(now.buffers->filter, ring);
}

/*
 * Takes the records of the workload out of the buffer and returns how many there were.
 * `struck`: it is the interrupt at `rip` that looks, and whose entry should be stored.
 */
static size_t empty(bool struck, uint64_t rip)
{
    const struct bts_record *slot = ds_slots(now.buffers);
    size_t first = now.begin, last = ds_index(now.buffers);
    if (last > now.how.buffer || last < first) {
        now.all.ran.lost++; /* the index left the buffer: nothing holds */
        return 0;
    }
    if (now.returned && first < last && is_return(&slot[first])) {
        first++;
        now.all.ran.returns++;
    }
    bool full = last == now.how.buffer;
    if (struck && first < last && is_entry(&slot[last - 1], rip)) {
        last--;
        full = false;
        now.all.ran.entries.value++;
    } else if (struck && !full) {
        now.all.ran.lost++; /* the entry, at least */
    }
    size_t count = last - first;
    size_t fits = (size_t)(now.all.end - now.all.next);
    now.all.next += ds_copy(now.all.next, slot + first, count < fits ? count : fits);
    if (full)
        pmi_collector_gap(&now.all);
    return count;
}

/* How far the interrupt came after the record that asked for it. */
static void measure(size_t moved)
{
    size_t own = now.how.threshold - shows(0); /* the first one was the IRETQ */
    pmi_collector_late(&now.all, moved > own ? moved - own : 0);
}

static void on_interrupt(struct frame *frame)
{
    bool recorded = pmi_gate_interrupted_recording();
    size_t moved = empty(recorded && shows(frame->cs & 3), machine_address(frame));
    ds_set_index(now.buffers, 0);
    now.begin = now.stray = 0;
    now.returned = recorded && shows(0);
    now.struck_at = machine_address(frame);
    now.all.ran.events++;
    measure(moved);
    size_t strays_own = 2 * now.strays; /* entries and IRETQs, which move nothing on */
    now.strays = 0;
    pmi_collector_goes_on(&now.all, frame, moved > strays_own, IDLE_MAX);
}

/*
 * The index is the only sure sign (Linux, arch/x86/events/intel/bts.c,
 * intel_bts_interrupt), and it was at the threshold before this NMI's own entry was stored.
 * Where the entry of a stray NMI fills the buffer up to the threshold, it is that entry
 * which asks, and the interrupt comes right after that NMI's IRETQ.
 */
static bool asked(const struct frame *frame)
{
    const struct bts_record *slot = ds_slots(now.buffers);
    size_t index = ds_index(now.buffers);
    bool inside = index > 0 && index <= now.how.buffer;
    bool own =
        inside && index != now.stray && is_entry(&slot[index - 1], machine_address(frame));
    return index - own >= now.how.threshold;
}

/* Its entry and its IRETQ stay in the trace. */
static bool on_stray(const struct frame *frame, bool goes_on)
{
    (void)frame, (void)goes_on;
    now.stray = ds_index(now.buffers);
    now.strays += shows(0);
    return now.stray >= now.how.threshold;
}

static const struct pmi_taker taker = { asked, on_interrupt, on_stray };

struct enable bts_pmi_arm(const struct cpu *cpu, const struct buffers *buffers,
                          struct interrupt_config how)
{
    const struct debugctl_bits *bits = &cpu->model->debugctl;
    struct enable enable = { .msr = MSR_DEBUGCTL,
                             .on = bits->tr | bits->bts | bits->btint |
                                   filtered_bts(cpu, buffers->filter) };
    bool for_return = how.threshold > 1 && record_filter_shows(buffers->filter, 0);

    now.buffers = buffers;
    now.how = how;
    now.all = pmi_collector_none(buffers);
    now.begin = for_return;
    now.stray = now.strays = 0;
    now.returned = false;
    ds_begin(buffers, how.buffer, for_return, how.threshold);
    pmi_gate_begin(how.nmi, &enable, &taker);
    return enable;
}

static bool is_due(void)
{
    return ds_index(now.buffers) >= now.how.threshold;
}

struct trace bts_pmi_drain(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu, (void)buffers;
    pmi_collector_wait(is_due);
    empty(false, 0);
    return pmi_collector_trace(&now.all);
}

void bts_pmi_disarm(const struct cpu *cpu)
{
    (void)cpu;
    pmi_gate_end();
    ds_end();
}

/* The method's own, or what the options ask for. */
struct interrupt_config bts_pmi_config(const struct buffers *buffers, size_t threshold,
                                       bool nmi)
{
    struct interrupt_config how = { .buffer = PMI_THRESHOLD + room_after(buffers),
                                    .threshold = threshold,
                                    .nmi = nmi };
    if (buffers->buffer)
        how.buffer = buffers->bts_capacity;
    if (buffers->delivery != DELIVERY_OF_METHOD)
        how.nmi = buffers->delivery == DELIVERY_NMI;
    how.lacks.code = skip_reason_buffer(how.buffer, how.threshold, buffers->filter);
    return how;
}

static struct interrupt_config interrupt_config(const struct cpu *cpu,
                                                const struct buffers *buffers)
{
    (void)cpu;
    size_t threshold = PMI_THRESHOLD, after = room_after(buffers);
    if (buffers->buffer) {
        threshold = buffers->bts_capacity > 4 ? buffers->bts_capacity / 2 : 2;
        if (buffers->bts_capacity > after + 2 && buffers->bts_capacity - after < threshold)
            threshold = buffers->bts_capacity - after;
    }
    if (buffers->threshold)
        threshold = buffers->threshold;
    return bts_pmi_config(buffers, threshold, false);
}

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    return bts_pmi_arm(cpu, buffers, interrupt_config(cpu, buffers));
}

METHOD(bts_pmi) = {
    .facts = &facts_bts_pmi,
    .arm = arm,
    .drain = bts_pmi_drain,
    .disarm = bts_pmi_disarm,
    .interrupt_config = interrupt_config,
};

#endif
