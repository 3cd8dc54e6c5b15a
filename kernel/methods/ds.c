/* ds.h.  SDM vol. 3B, "BTS and DS Save Area". */
#include "ds.h"

#include "memory.h"
#include "msr.h"
#include "registers.h"
#include "x86.h"

struct ds_area {
    uint64_t bts_base, bts_index, bts_absolute_maximum, bts_threshold;
    uint64_t pebs[4];
    uint64_t pebs_reset[8];
};
_Static_assert(offsetof(struct ds_area, pebs_reset) == 0x40, "IA-32e Mode DS Save Area");

static struct {
    uint64_t debugctl, ds_area;
} before;
static struct ds_area begun; /* as ds_begin left it */

static struct ds_area *area(const struct buffers *buffers)
{
    return (struct ds_area *)buffers->ds_area;
}

struct bts_record *ds_slots(const struct buffers *buffers)
{
    return (struct bts_record *)buffers->bts;
}

static void touch(volatile uint8_t *at)
{
    uint8_t held = *at;
    *at = held;
}

/*
 * Writes to each page what it holds already.  BTS "may not operate properly" where one of
 * its stores sets an accessed or a dirty bit, of EPT too (SDM vol. 3B, "BTS and DS Save
 * Area"), so all of them are set before.
 */
static void dirty(volatile uint8_t *begin, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += PAGE_SIZE)
        touch(&begin[i]);
    touch(&begin[bytes - 1]); /* it need not begin where a page does */
}

void ds_begin(const struct buffers *buffers, size_t capacity, size_t index,
              size_t threshold)
{
    struct bts_record *slot = ds_slots(buffers);

    /*
     * A buffer of one record must end a byte later: where the maximum is less than a
     * record and one byte above the base, results are undefined (ibid., the note under
     * "Setting Up the BTS Buffer").
     */
    *area(buffers) = (struct ds_area){
        .bts_base = (uint64_t)slot,
        .bts_index = (uint64_t)&slot[index],
        .bts_absolute_maximum = (uint64_t)&slot[capacity] + (capacity == 1),
        .bts_threshold = (uint64_t)&slot[threshold],
    };
    begun = *area(buffers);
    dirty(buffers->ds_area, sizeof(struct ds_area));
    dirty((uint8_t *)slot, (capacity + 1) * sizeof *slot);
    msr_read(MSR_DEBUGCTL, &before.debugctl);
    msr_read(MSR_DS_AREA, &before.ds_area);
    msr_write(MSR_DS_AREA, (uint64_t)area(buffers));
    fence(); /* the area must be in memory before the processor looks at it */
}

void ds_end(void)
{
    msr_write(MSR_DEBUGCTL, before.debugctl);
    msr_write(MSR_DS_AREA, before.ds_area);
}

size_t ds_index(const struct buffers *buffers)
{
    const volatile struct ds_area *ds = area(buffers);
    return (size_t)((ds->bts_index - ds->bts_base) / sizeof(struct bts_record));
}

void ds_set_index(const struct buffers *buffers, size_t index)
{
    volatile struct ds_area *ds = area(buffers);
    ds->bts_index = (uint64_t)&ds_slots(buffers)[index];
}

bool ds_is_as_begun(const struct buffers *buffers)
{
    const volatile uint64_t *now = (const uint64_t *)area(buffers);
    const uint64_t *then = (const uint64_t *)&begun;
    for (size_t i = 0; i < sizeof begun / sizeof *then; i++)
        if (now[i] != then[i])
            return false;
    return true;
}

size_t ds_copy(struct branch *out, const struct bts_record *slot, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (struct branch){ slot[i].from, slot[i].to, 0 };
    return count;
}
