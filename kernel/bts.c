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
 * Whether the last slot before the maximum is used is written nowhere without
 * doubt, so drain() looks whether it was: one record lies spare behind it.
 */
#include "method.h"
#include "msr.h"
#include "registers.h"
#include "x86.h"

/* SDM vol. 3B, "64-bit Branch Trace Record Format" and "DS Save Area". */
struct bts_record {
    uint64_t from, to, flags;
};
_Static_assert(sizeof(struct bts_record) == 24, "64-bit Branch Trace Record Format");

struct ds_area {
    uint64_t bts_base, bts_index, bts_absolute_maximum, bts_threshold;
    uint64_t pebs[4];
    uint64_t pebs_reset[8];
};
_Static_assert(offsetof(struct ds_area, pebs_reset) == 0x40, "IA-32e Mode DS Save Area");

#define EMPTY 0xebebebebebebebebull /* no address, and no canonical one */

static struct {
    uint64_t debugctl, ds_area;
} before;

static const char *lacks(const struct cpu *cpu, const struct facilities *found)
{
    (void)cpu;
    return facility_acts(&found->bts) ? NULL : finding_reason(&found->bts);
}

static size_t room(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu;
    return buffers->bts_room;
}

static struct bts_record *slots(const struct buffers *buffers)
{
    return (struct bts_record *)buffers->bts;
}

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    struct bts_record *slot = slots(buffers);
    struct ds_area *ds = (struct ds_area *)buffers->ds_area;
    const struct debugctl_bits *bits = &cpu->model->debugctl;

    for (size_t i = 0; i <= buffers->bts_room; i++)
        slot[i] = (struct bts_record){ EMPTY, EMPTY, EMPTY };
    *ds = (struct ds_area){
        .bts_base = (uint64_t)slot,
        .bts_index = (uint64_t)slot,
        .bts_absolute_maximum = (uint64_t)&slot[buffers->bts_room],
        .bts_threshold = (uint64_t)&slot[buffers->bts_room + 1],
    };
    msr_read(MSR_DEBUGCTL, &before.debugctl);
    msr_read(MSR_DS_AREA, &before.ds_area);
    msr_write(MSR_DS_AREA, (uint64_t)ds);
    fence(); /* the area must be in memory before the processor looks at it */
    return (struct enable){ MSR_DEBUGCTL, bits->tr | bits->bts, 0, 0 };
}

static size_t copy(struct branch *out, const struct bts_record *slot, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (struct branch){ slot[i].from, slot[i].to, 0 };
    return count;
}

static struct trace drain(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu;
    const struct bts_record *slot = slots(buffers);
    const struct ds_area *ds = (const struct ds_area *)buffers->ds_area;
    size_t index = (size_t)((ds->bts_index - ds->bts_base) / sizeof *slot);
    if (index > buffers->bts_room)
        return (struct trace){ .lost = 1 }; /* the index left the buffer: nothing holds */

    size_t count = 0, last = buffers->bts_room;
    bool wrapped = index < last && slot[index].from != EMPTY;
    if (wrapped) {
        size_t end = slot[last - 1].from != EMPTY ? last : last - 1;
        count += copy(buffers->records, slot + index, end - index);
    }
    count += copy(buffers->records + count, slot, index);
    return (struct trace){ .count = count };
}

static void disarm(const struct cpu *cpu)
{
    (void)cpu;
    msr_write(MSR_DEBUGCTL, before.debugctl);
    msr_write(MSR_DS_AREA, before.ds_area);
}

const struct method method_bts = { "bts", lacks, room, arm, drain, disarm };
