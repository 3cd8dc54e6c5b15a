#include "kernel/hardware/pmi.c"

#include "test.h"

/* The window, which counts as long as the test says so, and what the gate has in memory. */
static bool window_counting;
uint64_t pmi_vector, pmi_msr, pmi_off, pmi_interrupted;
uint64_t pmi_counter, pmi_counter_on, pmi_counter_off;
const uint8_t pmi_entry[1], pmi_return[1];

bool window_counts(uint64_t rip)
{
    (void)rip;
    return window_counting;
}

struct enable window_both(const struct enable *enable)
{
    struct enable all = *enable;
    if (!all.counter) {
        all.counter = all.msr;
        all.counter_on = all.on;
        all.counter_off = all.off;
    }
    return all;
}

void idt_gate(unsigned vector, const uint8_t *code)
{
    (void)vector;
    (void)code;
}

void idt_unstub(unsigned vector)
{
    (void)vector;
}

void apic_pmi_open(bool nmi)
{
    (void)nmi;
}

void apic_pmi_close(void)
{
}

bool apic_pmi_unmask(void)
{
    return true;
}

void apic_end_of_interrupt(void)
{
}

void apic_take_pending(void)
{
}

static bool said_counting;

static void asks(struct frame *frame)
{
    (void)frame;
    said_counting = pmi_interrupted_counting();
}

static const struct enable alone = { .msr = 0x186, .on = 0x4100c4, .off = 0x1100c4 };
static const struct enable beside = { .msr = 0x1d9,
                                      .on = 1,
                                      .off = 0,
                                      .counter = 0x186,
                                      .counter_on = 0x5100c4,
                                      .counter_off = 0x1100c4 };

/* The interrupt comes when the register of recording held this. */
static void strikes(const struct enable *enable, uint64_t held, bool counts)
{
    struct frame frame = { 0 };

    pmi_begin(true, enable, asks);
    window_counting = counts;
    pmi_interrupted = held;
    pmi_take(&frame);
    pmi_end();
}

static void in_the_workload_both_are_on_and_go_on(void)
{
    strikes(&beside, 1, true);
    CHECK(said_counting);
    CHECK(pmi_counter_on == 0x5100c4);
}

/* Behind the WRMSR that stops the counter, before the one that stops recording. */
static void a_counter_that_the_window_stopped_first_stays_off(void)
{
    strikes(&beside, 1, false);
    CHECK(!said_counting);
    CHECK(pmi_counter_on == 0x1100c4);
}

static void behind_the_window_nothing_counts(void)
{
    strikes(&beside, 0, false);
    CHECK(!said_counting);
    CHECK(pmi_counter_on == 0x1100c4);
}

/* #DB ends recording, but not the counter: that is stopped here, after it counted. */
static void behind_a_debug_exception_the_counter_was_on(void)
{
    strikes(&beside, 0, true);
    CHECK(said_counting);
    CHECK(pmi_counter_on == 0x1100c4);
}

/* Then its register says so, wherever it struck. */
static void a_counter_alone_is_what_records(void)
{
    strikes(&alone, 0x4100c4, false);
    CHECK(said_counting);
    CHECK(pmi_counter_on == 0x4100c4);
    strikes(&alone, 0x1100c4, true);
    CHECK(!said_counting);
    CHECK(pmi_counter_on == 0x1100c4);
}

static void a_late_nmi_is_waited_for_and_no_fixed_interrupt(void)
{
    const uint64_t ticks = 50000000; /* a tenth of a second, of a slow TSC */

    pmi_begin(true, &alone, asks);
    pmi_end();
    uint64_t begin = last_nmi;
    pmi_outlast_nmis(10 * ticks);
    CHECK(begin && rdtsc() - begin >= ticks);
    CHECK(last_nmi == 0); /* once is enough */
    pmi_begin(false, &alone, asks);
    pmi_end();
    CHECK(last_nmi == 0);
}

int main(void)
{
    RUN(in_the_workload_both_are_on_and_go_on);
    RUN(a_counter_that_the_window_stopped_first_stays_off);
    RUN(behind_the_window_nothing_counts);
    RUN(behind_a_debug_exception_the_counter_was_on);
    RUN(a_counter_alone_is_what_records);
    RUN(a_late_nmi_is_waited_for_and_no_fixed_interrupt);
    return tests_failed;
}
