/*
 * pmc.h.  SDM vol. 3B, "Architectural Performance Monitoring"; AMD64 APM vol. 2,
 * "Performance Monitoring Counters".
 */
#include "pmc.h"

#include "msr.h"
#include "registers.h"

#define FIXED_0       32
#define FIXED_BITS    4 /* of IA32_FIXED_CTR_CTRL, for each */
#define FIXED_MAX     16
#define FIXED_ENABLE  3u
#define SELECT_ENABLE BIT(22)
#define COUNTERS_AMD  0xfu /* those with the old numbers, which every processor has */
#define COUNTERS_P6   1u   /* of its two the first has the enable bit of both */
#define COUNTERS_MAX  8    /* so far apart PERFEVTSEL0 and the next other MSR lie */

/* A bit for each. */
static uint32_t general(const struct cpu *cpu)
{
    if (!cpu->pmu || !cpu->pmu->select)
        return 0;
    if (cpu->pmu->high_events)
        return COUNTERS_AMD;
    if (!cpu->pmu->by_cpuid)
        return COUNTERS_P6;
    return cpu->id.general_counters & ((1u << COUNTERS_MAX) - 1);
}

static uint64_t fixed_on(const struct cpu *cpu)
{
    uint64_t control = 0, on = 0;
    if (cpu->id.perfmon < PERFMON_WITH_GLOBAL || !msr_read(MSR_FIXED_CTR_CTRL, &control))
        return 0;
    for (uint32_t i = 0; i < FIXED_MAX; i++)
        if (cpu->id.fixed_counters & BIT(i) && control >> FIXED_BITS * i & FIXED_ENABLE)
            on |= BIT(FIXED_0 + i);
    return on;
}

uint64_t pmc_on(const struct cpu *cpu)
{
    uint64_t on = fixed_on(cpu);
    for (uint32_t i = 0; i < COUNTERS_MAX; i++) {
        uint64_t select = 0;
        if (general(cpu) & BIT(i))
            msr_read(cpu->pmu->select + i, &select);
        if (select & SELECT_ENABLE)
            on |= BIT(i);
    }
    return on;
}

uint8_t pmc_free(const struct cpu *cpu, uint64_t on)
{
    for (uint8_t i = 0; i < COUNTERS_MAX; i++)
        if (general(cpu) & BIT(i) && !(on & BIT(i)))
            return i;
    return 0;
}
