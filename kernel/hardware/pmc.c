/*
 * pmc.h.  SDM vol. 3B, "Architectural Performance Monitoring"; AMD64 APM vol. 2,
 * "Performance Monitoring Counters".
 */
#include "pmc.h"

#include "msr.h"
#include "registers.h"

#define LEAF_PERFMON  0xa
#define COUNT_SHIFT   8 /* in its EAX; fixed ones: in EDX */
#define COUNT_MASK    0xffu
#define FIXED_MASK    0x1fu
#define FIXED_0       32
#define FIXED_BITS    4 /* of IA32_FIXED_CTR_CTRL, for each */
#define FIXED_ENABLE  3u
#define SELECT_ENABLE BIT(22)
#define COUNTERS_AMD  4 /* those with the old numbers, which every processor has */
#define COUNTERS_P6   1 /* of its two the first has the enable bit of both */
#define COUNTERS_MAX  8 /* so far apart PERFEVTSEL0 and the next other MSR lie */

static const uint32_t *leaf(const struct cpu *cpu)
{
    for (size_t i = 0; i < cpu->leaf_count; i++)
        if (cpu->leaves[i].leaf == LEAF_PERFMON)
            return cpu->leaves[i].registers;
    return NULL;
}

static uint32_t general(const struct cpu *cpu)
{
    const uint32_t *perfmon = leaf(cpu);
    if (!cpu->pmu || !cpu->pmu->select)
        return 0;
    if (cpu->pmu->high_events)
        return COUNTERS_AMD;
    if (!cpu->pmu->by_cpuid)
        return COUNTERS_P6;
    uint32_t count = perfmon ? perfmon[0] >> COUNT_SHIFT & COUNT_MASK : 0;
    return count < COUNTERS_MAX ? count : COUNTERS_MAX;
}

static uint64_t fixed_on(const struct cpu *cpu)
{
    const uint32_t *perfmon = leaf(cpu);
    uint64_t control = 0, on = 0;
    if (!perfmon || cpu->id.perfmon < PERFMON_WITH_GLOBAL ||
        !msr_read(MSR_FIXED_CTR_CTRL, &control))
        return 0;
    for (uint32_t i = 0; i < (perfmon[3] & FIXED_MASK); i++)
        if (control >> FIXED_BITS * i & FIXED_ENABLE)
            on |= BIT(FIXED_0 + i);
    return on;
}

uint64_t pmc_on(const struct cpu *cpu)
{
    uint64_t on = fixed_on(cpu);
    for (uint32_t i = 0; i < general(cpu); i++) {
        uint64_t select = 0;
        msr_read(cpu->pmu->select + i, &select);
        if (select & SELECT_ENABLE)
            on |= BIT(i);
    }
    return on;
}

uint8_t pmc_free(const struct cpu *cpu, uint64_t on)
{
    for (uint8_t i = 0; i < general(cpu); i++)
        if (!(on & BIT(i)))
            return i;
    return 0;
}
