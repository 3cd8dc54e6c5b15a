#include "tests/native/apic.c"

#include "test.h"

#define SELF               0x44000u /* fixed, with the vector */
#define NMI_TO_DESTINATION 0x04400u

static void at(uint32_t offset, uint32_t value)
{
    now.page[offset / 4] = value;
}

static void begun(void)
{
    if (now.page)
        apic_end();
    apic_begin();
}

TEST(an_interrupt_strikes_once)
{
    begun();
    CHECK(apic_strikes() == -1);
    at(0x300, SELF | 0xf1);
    CHECK(apic_strikes() == 0xf1);
    at(0xb0, 0);
    CHECK(apic_strikes() == -1);
}

TEST(another_waits_for_the_end_of_the_one_in_service)
{
    begun();
    at(0x300, SELF | 0xf1);
    CHECK(apic_strikes() == 0xf1);
    at(0x300, SELF | 0xf2);
    CHECK(apic_strikes() == -1);
    at(0xb0, 0);
    CHECK(apic_strikes() == 0xf2);
}

TEST(a_gate_holds_it_back_until_iretq_brings_if_back)
{
    begun();
    CHECK(apic_gate());
    CHECK(!apic_gate());
    at(0x300, SELF | 0xf1);
    CHECK(apic_strikes() == -1);
    apic_iret(false);
    CHECK(apic_strikes() == -1);
    apic_iret(true);
    CHECK(apic_strikes() == 0xf1);
}

TEST(sti_holds_it_back_for_one_instruction)
{
    begun();
    apic_cli();
    at(0x300, SELF | 0xf1);
    CHECK(apic_strikes() == -1);
    apic_sti();
    CHECK(apic_strikes() == -1);
    CHECK(apic_strikes() == 0xf1);
}

TEST(sti_where_if_is_set_holds_nothing_back)
{
    begun();
    apic_sti();
    at(0x300, SELF | 0xf1);
    CHECK(apic_strikes() == 0xf1);
}

TEST(nmi_minds_no_flag_and_waits_for_an_iretq)
{
    begun();
    apic_cli();
    at(0x310, now.page[ID]);
    at(0x300, NMI_TO_DESTINATION);
    CHECK(apic_strikes() == 2);
    at(0x300, NMI_TO_DESTINATION);
    CHECK(apic_strikes() == -1);
    apic_iret(false);
    CHECK(apic_strikes() == 2);
}

TEST(nmi_goes_to_the_own_id_alone_and_not_by_shorthand)
{
    begun();
    at(0x310, 0x01000000);
    at(0x300, NMI_TO_DESTINATION);
    CHECK(apic_strikes() == -1);
    at(0x310, now.page[ID]);
    at(0x300, SELF | 0x400);
    CHECK(apic_strikes() == -1);
}

TEST(the_timer_strikes_once_for_each_count_unless_masked)
{
    begun();
    at(0x320, 0xf1);
    CHECK(apic_strikes() == -1);
    at(0x380, 1);
    CHECK(apic_strikes() == 0xf1);
    at(0xb0, 0);
    CHECK(apic_strikes() == -1);
    at(0x320, 0x100f1);
    at(0x380, 1);
    CHECK(apic_strikes() == -1);
}
