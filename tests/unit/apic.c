/* Which processors the local APIC's mode has room for, and what it gives back. */
#define rdmsr of_the_processor
#include "kernel/hardware/x86.h"
#undef rdmsr
#define rdmsr fake_rdmsr

#include "test.h"

static volatile uint64_t apic_base; /* the compiler would know the first one to be zero */

static uint64_t fake_rdmsr(uint32_t msr)
{
    (void)msr;
    return apic_base;
}

#include "kernel/hardware/apic.c"

/*
 * An APIC in x2APIC mode.  Its timer, in the mode of a deadline, is disarmed by any other
 * mode, and in any other mode the deadline reads 0 and is not written (SDM vol. 3A,
 * "TSC-Deadline Mode").
 */
#define X2APIC_LVT_TIMER 0x832
static uint64_t registers[0x900];

static bool has_deadline(void)
{
    return (registers[X2APIC_LVT_TIMER] >> 17 & 3) == 2;
}

bool msr_read(uint32_t msr, uint64_t *value)
{
    *value = registers[msr];
    return true;
}

bool msr_write(uint32_t msr, uint64_t value)
{
    if (msr == MSR_TSC_DEADLINE && !has_deadline())
        return true;
    registers[msr] = value;
    if (!has_deadline())
        registers[MSR_TSC_DEADLINE] = 0;
    return true;
}

TEST(a_number_of_more_than_eight_bits_is_reached_in_x2apic_mode_alone)
{
    apic_base = 0xfee00800; /* on, in xAPIC mode */
    CHECK(apic_reaches(0) && apic_reaches(0xfe));
    CHECK(!apic_reaches(0x100) && !apic_reaches(0x1ff));
    apic_base = 0xfee00c00;
    CHECK(apic_reaches(0xfe) && apic_reaches(0x100) && apic_reaches(0x1ff));
}

TEST(the_number_that_means_every_processor_is_none)
{
    apic_base = 0xfee00800;
    CHECK(!apic_reaches(0xff));
}

static void taken_and_given_back(uint64_t lvt, uint64_t at)
{
    apic_base = 0xfee00c00;
    registers[X2APIC_LVT_TIMER] = lvt;
    registers[MSR_TSC_DEADLINE] = at;
    apic_take();
    apic_watchdog_start(1);
    CHECK(registers[X2APIC_LVT_TIMER] == VECTOR_WATCHDOG); /* one shot */
    apic_give_back();
}

TEST(a_tick_by_tsc_deadline_goes_on)
{
    taken_and_given_back(0x40020, 0x123456789abcdef);
    CHECK(registers[X2APIC_LVT_TIMER] == 0x40020);
    CHECK(registers[MSR_TSC_DEADLINE] == 0x123456789abcdef);
}

TEST(a_timer_that_counts_down_gets_no_deadline)
{
    taken_and_given_back(0x20020, 0);
    CHECK(registers[X2APIC_LVT_TIMER] == 0x20020);
    CHECK(registers[MSR_TSC_DEADLINE] == 0);
    registers[MSR_TSC_DEADLINE] = 5; /* as from the time before */
    apic_give_back();
    CHECK(registers[MSR_TSC_DEADLINE] == 0);
}

static uint8_t page[4096] __attribute__((aligned(4096)));

static uint32_t *at(uint16_t offset)
{
    return (uint32_t *)(void *)(page + offset);
}

TEST(the_firmwares_timer_stands_still_until_it_is_given_back)
{
    apic_base = (uint64_t)page | 0x800;
    *at(APIC_LVT_TIMER) = 0x20020; /* periodic, vector 20H, not masked */
    *at(APIC_TIMER_COUNT) = 1234567;
    *at(APIC_TIMER_DIVIDE) = 3;
    apic_take();
    CHECK(*at(APIC_LVT_TIMER) == 0x30020 && *at(APIC_TIMER_COUNT) == 0);
    apic_watchdog_start(1);
    CHECK(*at(APIC_LVT_TIMER) == VECTOR_WATCHDOG && *at(APIC_TIMER_COUNT) == GUESSED_HZ);
    *at(APIC_LVT_TIMER) |= LVT_MASKED;
    apic_give_back();
    CHECK(*at(APIC_LVT_TIMER) == 0x20020 && *at(APIC_TIMER_COUNT) == 1234567 &&
          *at(APIC_TIMER_DIVIDE) == 3);
}
