/*
 * sipi.h.  SDM vol. 3A, "MP Initialization Protocol Algorithm": INIT, ten milliseconds,
 * SIPI, and a second one where the first is not seen to act.
 */
#include "sipi.h"

#include "apic.h"
#include "memory.h"
#include "registers.h"
#include "x86.h"

#define INIT_US   10000
#define SIPI_US   1000 /* the manual has 200 */
#define ANSWER_US 2000000

#define EFER_LME         BIT(8)
#define DESCRIPTOR_CODE  0x00af9b000000ffffull /* accessed already: the page is */
#define DESCRIPTOR_DATA  0x00cf93000000ffffull /* not to be written there       */
#define TRAMPOLINE_CODE  0x08
#define TRAMPOLINE_DATA  0x10
#define US_PER_S         1000000
#define GUESSED_TICKS_US 5000

extern const uint8_t trampoline_begin[] __attribute__((visibility("hidden")));
extern const uint8_t trampoline_words[] __attribute__((visibility("hidden")));
extern const uint8_t trampoline_long[] __attribute__((visibility("hidden")));
extern const uint8_t trampoline_end[] __attribute__((visibility("hidden")));

/* The data that trampoline.asm loads, in its order. */
struct words {
    uint16_t gdt_limit;
    uint32_t gdt_base;
    uint16_t unused0;
    uint32_t far_offset;
    uint16_t far_selector, unused1;
    uint32_t cr0, cr3, cr4, efer, data, unused2;
    uint64_t stack, argument, entry;
    uint64_t table[3];
} __attribute__((packed));
_Static_assert(sizeof(struct words) == 16 + 6 * 4 + 6 * 8, "as trampoline.asm has them");

static void fill(uint64_t page, struct ap *ap)
{
    size_t size = (size_t)(trampoline_end - trampoline_begin);
    size_t at = (size_t)(trampoline_words - trampoline_begin);
    struct words *words = (struct words *)(page + at);
    __builtin_memcpy((void *)page, trampoline_begin, size);
    *words = (struct words){
        .gdt_limit = sizeof words->table - 1,
        .gdt_base = (uint32_t)(page + at + offsetof(struct words, table)),
        .far_offset = (uint32_t)(page + (uint64_t)(trampoline_long - trampoline_begin)),
        .far_selector = TRAMPOLINE_CODE,
        .cr0 = (uint32_t)read_cr0(),
        .cr3 = (uint32_t)ap->machine.tables,
        .cr4 = (uint32_t)read_cr4(),
        .efer = EFER_LME | EFER_NXE,
        .data = TRAMPOLINE_DATA,
        .stack = ap->stack,
        .argument = (uint64_t)ap,
        .entry = (uint64_t)ap_main,
        .table = { 0, DESCRIPTOR_CODE, DESCRIPTOR_DATA },
    };
}

/* So long, or until it has answered.  Whether it has. */
static bool wait(const struct ap *ap, uint64_t us)
{
    uint64_t hz = ap->tsc_hz, begin = rdtsc();
    uint64_t ticks = us * (hz ? hz / US_PER_S : GUESSED_TICKS_US);
    while (!__atomic_load_n(&ap->answered, __ATOMIC_SEQ_CST) && rdtsc() - begin < ticks)
        pause();
    return __atomic_load_n(&ap->answered, __ATOMIC_SEQ_CST);
}

/* One that does not answer is made to wait again: it must not find the next one's words. */
static bool start(uint64_t page, uint32_t apic, struct ap *ap)
{
    uint32_t at_page = APIC_STARTUP | (uint32_t)(page / PAGE_SIZE);
    fill(page, ap);
    apic_send(apic, APIC_INIT);
    wait(ap, INIT_US);
    apic_send(apic, at_page);
    if (!wait(ap, SIPI_US))
        apic_send(apic, at_page);
    bool came = wait(ap, ANSWER_US);
    if (!came)
        apic_send(apic, APIC_INIT);
    return came;
}

bool sipi_leaves_some(const struct processors *p)
{
    for (size_t i = 0; i < p->apic_count; i++)
        if (!apic_reaches(p->apic[i]))
            return true;
    return false;
}

void sipi_start(const struct processors *p, struct ap **aps, size_t count)
{
    size_t started = 0;
    for (size_t i = 0; i < p->apic_count && started < count; i++)
        if (p->apic[i] != apic_id() && apic_reaches(p->apic[i]))
            started += start(p->trampoline, p->apic[i], aps[started]);
}
