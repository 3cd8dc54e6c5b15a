/* Who is sent an INIT, and who is not. */
#define read_cr0 cr0_of_the_processor
#define read_cr4 cr4_of_the_processor
#include "kernel/hardware/x86.h"
#undef read_cr0
#undef read_cr4
#define read_cr0() 0ull
#define read_cr4() 0ull

#include "kernel/smp/sipi.c"

#include "test.h"

/* No code, and the words that are filled in. */
__asm__(".data\n"
        ".global trampoline_begin, trampoline_words, trampoline_long, trampoline_end\n"
        "trampoline_begin: trampoline_words: trampoline_long: .skip 256\n"
        "trampoline_end: .text\n");

static uint32_t sent[16];
static size_t sent_count;
static bool x2apic_is_on;

uint32_t apic_id(void)
{
    return 0;
}

bool apic_reaches(uint32_t apic)
{
    return x2apic_is_on || apic < 0xff;
}

void apic_send(uint32_t apic, uint32_t command)
{
    if (command == APIC_INIT)
        sent[sent_count++] = apic;
}

void ap_main(void *ap)
{
    (void)ap;
}

static struct handoff handoff;

static struct ap one = { .answered = 1 }, two = { .answered = 1 };
static uint8_t page[4096];

static void started_of_four(bool x2apic)
{
    struct ap *aps[] = { &one, &two };
    handoff.processors = (struct processors){ .trampoline = (uint64_t)page,
                                              .apic = { 0, 0x100, 0x1ff, 4 },
                                              .apic_count = 4 };
    x2apic_is_on = x2apic;
    sent_count = 0;
    sipi_start(&handoff.processors, aps, 2);
}

TEST(a_number_that_would_be_cut_off_is_sent_nothing)
{
    started_of_four(false);
    CHECK(sent_count == 1 && sent[0] == 4);
    CHECK(sipi_leaves_some(&handoff.processors));
}

TEST(in_x2apic_mode_every_number_is_reached)
{
    started_of_four(true);
    CHECK(sent_count == 2 && sent[0] == 0x100 && sent[1] == 0x1ff);
    CHECK(!sipi_leaves_some(&handoff.processors));
}
