// LINK: common/facts/entry.c common/facts/filter.c common/facts/info.c common/facts/model.c
// LINK: common/base/text.c common/expected/visible.c common/expected/record_filter.c
// LINK: common/facts/method_facts.c common/branch/workload.c common/facts/skip_code.c
#include "kernel/hardware/lbr_stack.c"

#include "test.h"

/*
 * Registers of a processor, by their last four digits, which differ for all of them; an
 * entry at or above IA32_LBR_DEPTH faults.
 */
#define LBR_DEPTH 0x14cf
static uint64_t registers[0x10000];
static uint64_t depth_kept; /* the most that LBR_DEPTH takes; 0: it does not exist */
static int faults;

const uint8_t stack_flush[1], stack_flush_end[1];

struct window_exit window_run(const struct enable *enable, const uint8_t *code)
{
    (void)enable;
    (void)code;
    return (struct window_exit){ .outcome = ENDED };
}

bool msr_set(uint32_t msr, uint64_t value)
{
    return msr_write(msr, value);
}

static bool exists(uint32_t msr)
{
    bool entry = (msr >> 8 == 0x12 || msr >> 8 == 0x15 || msr >> 8 == 0x16);
    bool good = !depth_kept || !entry || (msr & 0xff) < registers[LBR_DEPTH];
    faults += !good;
    return good;
}

bool msr_read(uint32_t msr, uint64_t *value)
{
    if (!exists(msr))
        return false;
    *value = registers[msr & 0xffff];
    return true;
}

bool msr_write(uint32_t msr, uint64_t value)
{
    if (!exists(msr))
        return false;
    if (msr == LBR_DEPTH && value > depth_kept)
        return true; /* dropped, as a hypervisor may */
    registers[msr & 0xffff] = value;
    return true;
}

static struct cpu cpu_of(const char *model, size_t deep)
{
    struct cpu cpu = { .model = model_named(model), .lbr_depth = deep };
    memset(registers, 0, sizeof registers);
    depth_kept = 0;
    faults = 0;
    return cpu;
}

TEST(old_entries_of_amds_stack_are_cleared)
{
    struct cpu cpu = cpu_of("zen4", 16);
    struct branch out[16];

    for (uint32_t i = 0; i < 2 * 16; i++)
        registers[0x300 + i] = 0x8000000000401000 + i; /* V = 1 in TO */
    lbr_stack_prepare(&cpu);
    for (uint32_t i = 0; i < 2 * 16; i++)
        CHECK(registers[0x300 + i] == 0);
    CHECK(lbr_stack_read(&cpu, out) == 0);
}

#define VALID      (1ull << 63)
#define WRONG_PATH (1ull << 62)

/* The entry of this age, 0 the newest: FROM 401000H and its number, and that TO. */
static void set_entry(uint32_t age, uint64_t flags)
{
    registers[0x300 + 2 * age] = 0x401000 + age;
    registers[0x301 + 2 * age] = flags | 0x402000;
}

TEST(entries_of_the_wrong_path_are_passed_over_and_an_empty_one_ends_the_records)
{
    struct cpu cpu = cpu_of("zen4", 16);
    struct branch out;
    size_t age = 0;

    lbr_stack_prepare(&cpu);
    set_entry(0, WRONG_PATH);
    set_entry(1, VALID);
    set_entry(2, WRONG_PATH);
    set_entry(3, WRONG_PATH);
    set_entry(4, VALID);
    set_entry(6, VALID); /* of an earlier run: the one before it is empty */
    CHECK(lbr_stack_wrong_path(&cpu) == 3);
    CHECK(lbr_stack_newest(&cpu).from == 0x401001);
    CHECK(lbr_stack_from_age(&cpu, &age, &out) && age == 1 && out.from == 0x401001);
    age++;
    CHECK(lbr_stack_from_age(&cpu, &age, &out) && age == 4 && out.from == 0x401004);
    age++;
    CHECK(!lbr_stack_from_age(&cpu, &age, &out) && age == 5);
    for (uint32_t i = 0; i < 16; i++)
        set_entry(i, WRONG_PATH);
    age = 0;
    CHECK(!lbr_stack_from_age(&cpu, &age, &out) && age == 16);
}

TEST(bits_beside_lbrv2en_stay)
{
    struct cpu cpu = cpu_of("zen4", 16);

    registers[0x10f] = 0x98; /* beside bit 6 */
    CHECK(lbr_stack_enable(&cpu).msr == 0xc000010f);
    CHECK(lbr_stack_enable(&cpu).on == 0xd8 && lbr_stack_enable(&cpu).off == 0x98);
    registers[0x10f] = 0xd8;
    CHECK(lbr_stack_enable(&cpu).on == 0xd8 && lbr_stack_enable(&cpu).off == 0x98);
    CHECK(lbr_stack_ctl_off(&cpu) == 0x98);
}

TEST(lbr_ctl_is_written_as_a_whole)
{
    struct cpu cpu = cpu_of("archlbr", 32);

    registers[0x14ce] = 0x20; /* as left by somebody */
    CHECK(lbr_stack_enable(&cpu).msr == 0x14ce && !(lbr_stack_enable(&cpu).on & 0x20));
    CHECK(lbr_stack_enable(&cpu).off == 0 && lbr_stack_ctl_off(&cpu) == 0);
}

TEST(no_entry_above_lbr_depth_is_touched)
{
    struct cpu cpu = cpu_of("archlbr", 32);
    struct branch out[32];

    depth_kept = 8;
    registers[LBR_DEPTH] = 8;
    lbr_stack_prepare(&cpu);
    for (uint32_t i = 0; i < 32; i++)
        registers[0x1500 + i] = registers[0x1600 + i] = 0x401000 + i;
    CHECK(lbr_stack_read(&cpu, out) == 8);
    CHECK(lbr_stack_read_calls(&cpu, out) == 8);
    CHECK(!lbr_stack_of_age(&cpu, 8, out));
    CHECK(faults == 0);
    lbr_stack_restore(&cpu);
    CHECK(faults == 0);
}

TEST(the_whole_depth_is_read_where_it_is_taken)
{
    struct cpu cpu = cpu_of("archlbr", 32);
    struct branch out[32];

    depth_kept = 32;
    registers[LBR_DEPTH] = 8; /* as the firmware left it */
    lbr_stack_prepare(&cpu);
    CHECK(registers[LBR_DEPTH] == 32);
    for (uint32_t i = 0; i < 32; i++)
        registers[0x1500 + i] = registers[0x1600 + i] = 0x401000 + i;
    CHECK(lbr_stack_read(&cpu, out) == 32 && out[0].from == 0x40101f);
    lbr_stack_restore(&cpu);
    CHECK(registers[LBR_DEPTH] == 8 && faults == 0);
}
