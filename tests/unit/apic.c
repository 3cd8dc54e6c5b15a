/* Which processors the local APIC's mode has room for. */
#define rdmsr of_the_processor
#include "kernel/hardware/x86.h"
#undef rdmsr
#define rdmsr fake_rdmsr

#include "test.h"

static uint64_t apic_base;

static uint64_t fake_rdmsr(uint32_t msr)
{
    (void)msr;
    return apic_base;
}

#include "kernel/hardware/apic.c"

bool msr_read(uint32_t msr, uint64_t *value)
{
    (void)msr;
    *value = 0;
    return false;
}

bool msr_write(uint32_t msr, uint64_t value)
{
    (void)msr;
    (void)value;
    return false;
}

static void a_number_of_more_than_eight_bits_is_reached_in_x2apic_mode_alone(void)
{
    apic_base = 0xfee00800; /* on, in xAPIC mode */
    CHECK(apic_reaches(0) && apic_reaches(0xfe));
    CHECK(!apic_reaches(0x100) && !apic_reaches(0x1ff));
    apic_base = 0xfee00c00;
    CHECK(apic_reaches(0xfe) && apic_reaches(0x100) && apic_reaches(0x1ff));
}

static void the_number_that_means_every_processor_is_none(void)
{
    apic_base = 0xfee00800;
    CHECK(!apic_reaches(0xff));
}

int main(void)
{
    RUN(a_number_of_more_than_eight_bits_is_reached_in_x2apic_mode_alone);
    RUN(the_number_that_means_every_processor_is_none);
    return tests_failed != 0;
}
