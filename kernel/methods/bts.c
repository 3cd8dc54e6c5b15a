/*
 * bts: the branch trace store, every branch written to memory by the processor.
 *
 * The DS area (IA32_DS_AREA) names a buffer; with TR and BTS set in DEBUGCTL each
 * taken branch, interrupt and exception stores a record of 24 bytes at the index
 * and moves it on (SDM vol. 3B, "Branch Trace Store (BTS)").  Here the buffer is a
 * ring: at its end the processor goes on at the base, and the newest records stay.
 *
 * Clearing BTINT alone does not keep the interrupt away; the threshold must lie
 * above the absolute maximum (ibid., the note under "Setting Up the BTS Buffer").
 * No source says without doubt that the last slot before the maximum is used, so drain()
 * looks: there is one spare record after it.
 */
#include "method_facts.h"

METHOD_FACTS(bts) = {
    .name = "bts",
    .about = "the branch trace store: every branch into a buffer in memory",
    .needs = NEEDS(FACILITY_BTS),
    .ring_buffer = true,
    .filtered = FILTERED_BY_BTS,
};

#ifdef KERNEL

#include "ds.h"

#include "filtered.h"
#include "registers.h"

#define EMPTY 0xebebebebebebebebull /* no address, and no canonical one */

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    struct bts_record *slot = ds_slots(buffers);
    const struct debugctl_bits *bits = &cpu->model->debugctl;

    for (size_t i = 0; i <= buffers->bts_capacity; i++)
        slot[i] = (struct bts_record){ EMPTY, EMPTY, EMPTY };
    ds_begin(buffers, buffers->bts_capacity, 0, buffers->bts_capacity + 1);
    return (struct enable){ .msr = MSR_DEBUGCTL,
                            .on =
                                bits->tr | bits->bts | filtered_bts(cpu, buffers->filter) };
}

static struct trace drain(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu;
    const struct bts_record *slot = ds_slots(buffers);
    size_t index = ds_index(buffers);
    if (index > buffers->bts_capacity)
        return (struct trace){ .ran.lost =
                                   1 }; /* the index left the buffer: nothing holds */

    size_t count = 0, last = buffers->bts_capacity;
    bool wrapped = index < last && slot[index].from != EMPTY;
    if (wrapped) {
        size_t end = slot[last - 1].from != EMPTY ? last : last - 1;
        count += ds_copy(buffers->records, slot + index, end - index);
    }
    count += ds_copy(buffers->records + count, slot, index);
    return (struct trace){ .count = count };
}

static void disarm(const struct cpu *cpu)
{
    (void)cpu;
    ds_end();
}

METHOD(bts) = {
    .facts = &facts_bts,
    .arm = arm,
    .drain = drain,
    .disarm = disarm,
};

#endif
