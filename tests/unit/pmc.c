// LINK: common/facts/pmu.c common/facts/model.c common/facts/filter.c common/facts/info.c
// LINK: common/base/text.c common/facts/skip_code.c
#include "kernel/hardware/pmc.c"

#include "test.h"

/* Registers by their last four digits; those that a test does not name read 0. */
static uint64_t registers[0x10000];

bool msr_read(uint32_t msr, uint64_t *value)
{
    *value = registers[msr & 0xffff];
    return true;
}

#define ON 0x4300c4 /* with the enable bit, 22 */

/* By CPUID: version, general counters and fixed ones, a bit for each. */
static struct cpu intel(uint32_t version, uint32_t general_ones, uint32_t fixed)
{
    struct cpu cpu = { .id = { .vendor = "GenuineIntel",
                               .family = 6,
                               .model = 0x5e,
                               .perfmon = (uint8_t)version,
                               .general_counters = general_ones,
                               .fixed_counters = fixed } };
    memset(registers, 0, sizeof registers);
    cpu.pmu = pmu_find(&cpu.id);
    return cpu;
}

TEST(nothing_is_on_and_the_first_counter_is_used)
{
    struct cpu cpu = intel(4, 0xf, 7);
    registers[0x186] = 0x1300c4; /* an event, but not enabled */
    CHECK(pmc_on(&cpu) == 0 && pmc_free(&cpu, 0) == 0);
}

TEST(the_first_that_is_off_is_used)
{
    struct cpu cpu = intel(4, 0xf, 7);
    registers[0x186] = registers[0x187] = registers[0x189] = ON;
    CHECK(pmc_on(&cpu) == 0xb);
    CHECK(pmc_free(&cpu, pmc_on(&cpu)) == 2);
}

TEST(fixed_counters_are_noticed_and_take_no_general_one)
{
    struct cpu cpu = intel(2, 3, 7);
    registers[0x38d] = 0x108; /* the third for ring 0; of the first only its interrupt */
    CHECK(pmc_on(&cpu) == 1ull << 34);
    CHECK(pmc_free(&cpu, pmc_on(&cpu)) == 0);
}

TEST(where_all_are_on_the_first_is_used_all_the_same)
{
    struct cpu cpu = intel(2, 3, 0);
    registers[0x186] = registers[0x187] = ON;
    registers[0x188] = 0; /* there is no such counter */
    CHECK(pmc_on(&cpu) == 3 && pmc_free(&cpu, 3) == 0);
}

/* Leaf 23H can leave some out; what is out of reach of the old registers is not used. */
TEST(a_counter_that_is_not_there_is_neither_on_nor_used)
{
    struct cpu cpu = intel(6, 0x3fa, 0x71);
    registers[0x186] = registers[0x187] = registers[0x18e] = ON; /* 0, 1, 8 */
    registers[0x38d] = 0x3300033;                                /* fixed ones 0, 1, 5, 6 */
    CHECK(pmc_on(&cpu) == (2 | 0x61ull << 32));
    CHECK(pmc_free(&cpu, 2) == 3);
}

TEST(amds_first_four_are_looked_at)
{
    struct cpu cpu = { .id = { .vendor = "AuthenticAMD", .family = 0x19, .model = 0x61 } };
    memset(registers, 0, sizeof registers);
    cpu.pmu = pmu_find(&cpu.id);
    registers[0] = registers[3] = ON;
    CHECK(pmc_on(&cpu) == 9 && pmc_free(&cpu, 9) == 1);
}

TEST(an_unknown_processor_is_not_looked_at)
{
    struct cpu cpu = { .id = { .vendor = "CentaurHauls", .family = 6 } };
    registers[0x186] = ON;
    CHECK(pmc_on(&cpu) == 0 && pmc_free(&cpu, 0) == 0);
}
