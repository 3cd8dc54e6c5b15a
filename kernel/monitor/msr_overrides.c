/* msr_overrides.h */
#include "msr_overrides.h"

#include <stddef.h>

#include "msr.h"

#define KEPT_MAX 64

static struct {
    uint32_t msr;
    uint64_t value, before;
} kept[KEPT_MAX];
static size_t count;

/*
 * DEBUGCTL may turn on BTS, and then each branch is stored where DS_AREA says: that is
 * memory of ours, as the method bts sets it up, unless DS_AREA itself was written.
 */
static bool stores(const struct cpu *cpu)
{
    return cpu->model && cpu->model->bts && cpu->id.ds;
}

void msr_overrides_begin(const struct cpu *cpu, const struct buffers *buffers)
{
    if (stores(cpu))
        method_bts.arm(cpu, buffers);
    for (size_t i = 0; i < count; i++) {
        msr_read(kept[i].msr, &kept[i].before);
        msr_write(kept[i].msr, kept[i].value);
    }
}

void msr_overrides_end(const struct cpu *cpu)
{
    for (size_t i = count; i-- > 0;)
        msr_write(kept[i].msr, kept[i].before);
    if (stores(cpu))
        method_bts.disarm(cpu);
}

static size_t find(uint32_t msr)
{
    size_t i = 0;
    while (i < count && kept[i].msr != msr)
        i++;
    return i;
}

bool msr_overrides_fit(uint32_t msr)
{
    return find(msr) < KEPT_MAX;
}

bool msr_overrides_write(uint32_t msr, uint64_t value)
{
    size_t i = find(msr);
    uint64_t before = 0;
    if (i == count)
        msr_read(msr, &before);
    if (!msr_write(msr, value))
        return false;
    kept[i].value = value;
    if (i == count) {
        kept[i].msr = msr;
        kept[i].before = before;
        count++;
    }
    return true;
}
