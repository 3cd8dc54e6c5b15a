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

static void an_interrupt_strikes_once(void)
{
    begun();
    CHECK(apic_strikes() == -1);
    at(0x300, SELF | 0xf1);
    CHECK(apic_strikes() == 0xf1);
    at(0xb0, 0);
    CHECK(apic_strikes() == -1);
}

static void another_waits_for_the_end_of_the_one_in_service(void)
{
    begun();
    at(0x300, SELF | 0xf1);
    CHECK(apic_strikes() == 0xf1);
    at(0x300, SELF | 0xf2);
    CHECK(apic_strikes() == -1);
    at(0xb0, 0);
    CHECK(apic_strikes() == 0xf2);
}

static void a_gate_holds_it_back_until_iretq_brings_if_back(void)
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

static void sti_holds_it_back_for_one_instruction(void)
{
    begun();
    apic_cli();
    at(0x300, SELF | 0xf1);
    CHECK(apic_strikes() == -1);
    apic_sti();
    CHECK(apic_strikes() == -1);
    CHECK(apic_strikes() == 0xf1);
}

static void sti_where_if_is_set_holds_nothing_back(void)
{
    begun();
    apic_sti();
    at(0x300, SELF | 0xf1);
    CHECK(apic_strikes() == 0xf1);
}

static void nmi_minds_no_flag_and_waits_for_an_iretq(void)
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

static void nmi_goes_to_the_own_id_alone_and_not_by_shorthand(void)
{
    begun();
    at(0x310, 0x01000000);
    at(0x300, NMI_TO_DESTINATION);
    CHECK(apic_strikes() == -1);
    at(0x310, now.page[ID]);
    at(0x300, SELF | 0x400);
    CHECK(apic_strikes() == -1);
}

static void the_timer_strikes_once_for_each_count_unless_masked(void)
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

int main(void)
{
    RUN(an_interrupt_strikes_once);
    RUN(another_waits_for_the_end_of_the_one_in_service);
    RUN(a_gate_holds_it_back_until_iretq_brings_if_back);
    RUN(sti_holds_it_back_for_one_instruction);
    RUN(sti_where_if_is_set_holds_nothing_back);
    RUN(nmi_minds_no_flag_and_waits_for_an_iretq);
    RUN(nmi_goes_to_the_own_id_alone_and_not_by_shorthand);
    RUN(the_timer_strikes_once_for_each_count_unless_masked);
    return tests_failed != 0;
}
