// LINK: common/facts/pmu.c common/base/text.c common/facts/skip_code.c
#include "kernel/methods/counter.c"

#include "test.h"

/* Registers by their last four digits; the bits of a selector that are kept. */
static uint64_t registers[0x10000], kept;
static bool faults;

bool msr_read(uint32_t msr, uint64_t *value)
{
    *value = registers[msr & 0xffff];
    return true;
}

bool msr_write(uint32_t msr, uint64_t value)
{
    bool selects = msr >= 0x186 && msr <= 0x18d;
    if (selects && faults)
        return false;
    registers[msr & 0xffff] = selects ? value & kept : value;
    return true;
}

#define BEFORE 0x4300c4 /* what the firmware left: it counts branches */

static struct cpu a_processor(void)
{
    struct cpu cpu = { .id = { .vendor = "GenuineIntel", .family = 6, .model = 0xc6 } };
    cpu.id.perfmon = 6;
    cpu.pmu = pmu_find(&cpu.id);
    cpu.counter = 2;
    memset(registers, 0, sizeof registers);
    registers[0x188] = BEFORE;
    registers[0xc3] = 77;
    registers[0x38f] = 0xff;
    kept = ~0ull;
    faults = false;
    return cpu;
}

TEST(what_is_watched_is_counted_from_0_and_does_not_interrupt)
{
    struct cpu cpu = a_processor();
    struct enable enable = { .msr = 0x14ce };

    CHECK(counter_watch(&cpu, 0xe4, 0x01, &enable));
    CHECK(enable.msr == 0x14ce && enable.counter == 0x188);
    CHECK(enable.counter_off == 0x301e4 && enable.counter_on == 0x4301e4);
    CHECK(registers[0x188] == 0x301e4 && registers[0xc3] == 0);
    CHECK(registers[0x38f] == 4);
    registers[0xc3] = 1000002;
    CHECK(counter_rest() == 1000002);
    counter_end();
    CHECK(registers[0x188] == BEFORE && registers[0xc3] == 77 && registers[0x38f] == 0xff);
}

TEST(a_period_interrupts)
{
    struct cpu cpu = a_processor();
    struct enable enable = { 0 };

    counter_begin(&cpu, &(struct interrupt_config){ .event = 0xc4, .period = 5 }, &enable,
                  false);
    CHECK(enable.on == 0x5300c4 && registers[0xc3] == 0xfffffffb);
    counter_end();
}

/* In the window the write would be a #GP that nothing survives. */
TEST(a_selector_that_is_not_held_is_not_written_in_the_window)
{
    for (int i = 0; i < 2; i++) {
        struct cpu cpu = a_processor();
        struct enable enable = { .msr = 0x14ce };

        kept = i ? ~0x100ull : ~0ull;
        faults = !i;
        CHECK(!counter_watch(&cpu, 0xe4, 0x01, &enable));
        CHECK(enable.counter == 0 && registers[0xc3] == 77 && registers[0x38f] == 0xff);
        CHECK(registers[0x188] == (BEFORE & kept));
    }
}
