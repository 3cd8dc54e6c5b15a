#include "kernel/hardware/pmi_gate.c"

#include "test.h"

/* The window, which counts as long as the test says so, and what the gate has in memory. */
static bool window_counting;
handler *pmi_handler;
uint64_t pmi_vector, pmi_msr, pmi_off, pmi_interrupted;
uint64_t pmi_counter, pmi_counter_on, pmi_counter_off;
const uint8_t pmi_gate_entry[1], pmi_gate_return[1];

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

static uint64_t strays;

void idt_count_stray_nmi(void)
{
    strays++;
}

void apic_pmi_open(bool nmi)
{
    (void)nmi;
}

void apic_pmi_close(void)
{
}

static bool masked = true;
static unsigned unmaskings;

bool apic_pmi_unmask(void)
{
    unmaskings++;
    return masked;
}

void apic_end_of_interrupt(void)
{
}

void apic_take_pending(void)
{
}

static bool said_counting, asked = true, said_goes_on;
static bool comes_of_it;
static unsigned logged, logged_stray;

static bool has_asked(const struct frame *frame)
{
    (void)frame;
    return asked;
}

static void asks(struct frame *frame)
{
    (void)frame;
    said_counting = pmi_gate_interrupted_counting();
    logged++;
}

static bool on_stray(const struct frame *frame, bool goes_on)
{
    (void)frame;
    said_goes_on = goes_on;
    logged_stray++;
    return comes_of_it;
}

static const struct pmi_taker test_taker = { has_asked, asks, on_stray };

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

    pmi_gate_begin(true, enable, &test_taker);
    window_counting = counts;
    pmi_interrupted = held;
    pmi_handler(&frame);
    pmi_gate_end();
}

TEST(in_the_workload_both_are_on_and_go_on)
{
    strikes(&beside, 1, true);
    CHECK(said_counting);
    CHECK(pmi_counter_on == 0x5100c4);
}

/* Behind the WRMSR that stops the counter, before the one that stops recording. */
TEST(a_counter_that_the_window_stopped_first_stays_off)
{
    strikes(&beside, 1, false);
    CHECK(!said_counting);
    CHECK(pmi_counter_on == 0x1100c4);
}

TEST(after_the_window_nothing_counts)
{
    strikes(&beside, 0, false);
    CHECK(!said_counting);
    CHECK(pmi_counter_on == 0x1100c4);
}

/* #DB ends recording, but not the counter: that is stopped here, after it counted. */
TEST(after_a_debug_exception_the_counter_was_on)
{
    strikes(&beside, 0, true);
    CHECK(said_counting);
    CHECK(pmi_counter_on == 0x1100c4);
}

/* Then its register says so, wherever it struck. */
TEST(a_counter_alone_is_what_records)
{
    strikes(&alone, 0x4100c4, false);
    CHECK(said_counting);
    CHECK(pmi_counter_on == 0x4100c4);
    strikes(&alone, 0x1100c4, true);
    CHECK(!said_counting);
    CHECK(pmi_counter_on == 0x1100c4);
}

TEST(a_late_nmi_is_waited_for_and_no_fixed_interrupt)
{
    const uint64_t ticks = 50000000; /* a tenth of a second, of a slow TSC */

    pmi_gate_begin(true, &alone, &test_taker);
    pmi_gate_end();
    uint64_t begin = last_nmi;
    pmi_gate_outlast_nmis(10 * ticks);
    CHECK(begin && rdtsc() - begin >= ticks);
    CHECK(last_nmi == 0); /* once is enough */
    pmi_gate_begin(false, &alone, &test_taker);
    pmi_gate_end();
    CHECK(last_nmi == 0);
}

/* In a window that is open: the last one there has left it so. */
static void strays_in(uint64_t held, bool counts)
{
    struct frame frame = { 0 };

    strays = logged = logged_stray = 0;
    asked = false;
    window_counting = counts;
    pmi_interrupted = held;
    pmi_handler(&frame);
    asked = true;
}

TEST(a_stray_nmi_is_counted_and_gives_back_what_it_found)
{
    pmi_gate_begin(true, &beside, &test_taker);
    strays_in(1, true);
    CHECK(strays == 1 && logged == 0 && logged_stray == 1 && said_goes_on);
    CHECK(pmi_interrupted == 1 && pmi_counter_on == 0x5100c4);
    strays_in(0, true); /* after a #DB, which no interrupt has followed yet */
    CHECK(strays == 1 && pmi_interrupted == 0 && pmi_counter_on == 0x5100c4);
    strays_in(1, false);
    CHECK(strays == 1 && !said_goes_on && pmi_counter_on == 0x1100c4);
    pmi_gate_end();
    pmi_gate_begin(true, &alone, &test_taker);
    strays_in(0x4100c4, false);
    CHECK(strays == 1 && said_goes_on && pmi_counter_on == 0x4100c4);
    strays_in(0x1100c4, true);
    CHECK(strays == 1 && !said_goes_on && pmi_counter_on == 0x1100c4);
    pmi_gate_end();
}

static void stays_off(struct frame *frame)
{
    (void)frame;
    pmi_gate_stay_off();
}

TEST(a_counter_that_was_left_off_stays_so_after_a_stray_nmi)
{
    const struct pmi_taker leaves_off = { has_asked, stays_off, on_stray };
    struct frame frame = { 0 };

    pmi_gate_begin(true, &beside, &leaves_off);
    window_counting = true;
    pmi_interrupted = 1;
    pmi_handler(&frame);
    strays_in(0, true);
    CHECK(strays == 1 && !said_goes_on && pmi_counter_on == 0x1100c4);
    pmi_gate_end();
}

/* An interrupt that IF can hold back comes from no other source. */
TEST(a_fixed_interrupt_is_never_stray)
{
    pmi_gate_begin(false, &alone, &test_taker);
    strays_in(0x4100c4, true);
    CHECK(strays == 0 && logged == 1 && logged_stray == 0);
    pmi_gate_end();
}

TEST(when_nobody_is_told_any_more_strays_are_still_counted)
{
    struct frame frame = { 0 };

    pmi_gate_begin(true, &alone, &test_taker);
    pmi_gate_forget();
    strays_in(0x1100c4, true);
    CHECK(strays == 1 && logged == 0 && logged_stray == 0);
    strays = 0;
    pmi_handler(&frame);
    CHECK(strays == 0 && logged == 0);
    pmi_gate_end();
}

TEST(the_mask_of_an_interrupt_may_be_found_by_the_stray_nmi_before_it)
{
    struct frame frame = { 0 };

    pmi_gate_begin(true, &alone, &test_taker);
    masked = true;
    strays_in(0x4100c4, true);
    masked = false;
    pmi_handler(&frame);
    CHECK(pmi_gate_unmasked() == 0);
    pmi_handler(&frame);
    CHECK(pmi_gate_unmasked() == 1);
    strays_in(0x4100c4, true);
    CHECK(pmi_gate_unmasked() == 1);
    masked = true;
    pmi_gate_end();
}

/* Unmasked already, the source could ask again for what is on its way. */
TEST(the_mask_is_left_to_an_interrupt_that_a_stray_nmi_brings_about)
{
    pmi_gate_begin(true, &alone, &test_taker);
    unmaskings = 0;
    comes_of_it = true;
    strays_in(0x4100c4, true);
    CHECK(unmaskings == 0);
    comes_of_it = false;
    strays_in(0x4100c4, true);
    CHECK(unmaskings == 1);
    pmi_gate_end();
}
