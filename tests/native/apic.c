/*
 * apic.h.  SDM vol. 3A, "Advanced Programmable Interrupt Controller (APIC)", "Masking
 * Maskable Hardware Interrupts", "Handling Multiple NMIs"; vol. 2B, "STI".
 *
 * A register is read and set back before the next instruction, so that a write of the
 * same value is seen again.
 */
#include "apic.h"

#include <stdlib.h>
#include <sys/mman.h>

#define PAGE 4096

/* Registers, as words of the page. */
#define ID          (0x020 / 4)
#define EOI         (0x0b0 / 4)
#define ICR         (0x300 / 4)
#define ICR_HIGH    (0x310 / 4)
#define LVT_TIMER   (0x320 / 4)
#define TIMER_COUNT (0x380 / 4)

/* In x2APIC mode: the register at 16 times so much is MSR 800H and so much. */
#define X2APIC_MSRS 0x800u

#define VECTOR_NMI 2
#define VECTORS    256

#define OWN_ID     0x05000000u
#define ID_SHIFT   24
#define EOI_UNSAID 0xffffffffu

#define VECTOR(value)    ((value)&0xff)
#define DELIVERY(value)  ((value) >> 8 & 7)
#define SHORTHAND(value) ((value) >> 18 & 3)
#define MASKED           (1u << 16)
enum { FIXED = 0, NMI = 4 };
enum { TO_DESTINATION = 0, TO_SELF = 1 };

static struct {
    volatile uint32_t *page;
    bool pending[VECTORS], in_service, nmi, nmi_blocked;
    bool flag, shadow; /* IF; and after an STI that has set it */
} now;

uint64_t apic_begin(void)
{
    void *page =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        abort();
    now = (__typeof__(now)){ .page = page, .flag = true };
    now.page[ID] = OWN_ID;
    now.page[EOI] = EOI_UNSAID;
    return (uint64_t)(uintptr_t)page;
}

void apic_end(void)
{
    munmap((void *)now.page, PAGE);
    now.page = NULL;
}

/* As the register of the same place in memory; ID is whole there, in its highest byte here.
 */
bool apic_write_msr(uint32_t msr, uint32_t low, uint32_t high)
{
    if (msr < X2APIC_MSRS || msr >= X2APIC_MSRS + PAGE / 16)
        return false;
    if (msr == X2APIC_MSRS + ICR / 4)
        now.page[ICR_HIGH] = high << ID_SHIFT;
    now.page[(msr - X2APIC_MSRS) * 4] = low;
    return true;
}

bool apic_read_id(uint32_t msr, uint32_t *id)
{
    *id = OWN_ID >> ID_SHIFT;
    return msr == X2APIC_MSRS + ID / 4;
}

/* NMI goes to a destination: to oneself by shorthand it is not valid. */
static void send(uint32_t command)
{
    if (DELIVERY(command) == FIXED && SHORTHAND(command) == TO_SELF)
        now.pending[VECTOR(command)] = true;
    else if (DELIVERY(command) == NMI && SHORTHAND(command) == TO_DESTINATION &&
             now.page[ICR_HIGH] == OWN_ID)
        now.nmi = true;
}

static void take_writes(void)
{
    if (now.page[ICR])
        send(now.page[ICR]);
    if (now.page[TIMER_COUNT] && !(now.page[LVT_TIMER] & MASKED))
        now.pending[VECTOR(now.page[LVT_TIMER])] = true;
    if (now.page[EOI] != EOI_UNSAID)
        now.in_service = false;
    now.page[ICR] = now.page[TIMER_COUNT] = 0;
    now.page[EOI] = EOI_UNSAID;
}

/* Of the vectors of one class none interrupts another; workloads use but one. */
static int strikes_by_flag(void)
{
    if (!now.flag || now.in_service)
        return -1;
    for (int vector = VECTORS - 1; vector >= 0; vector--)
        if (now.pending[vector]) {
            now.pending[vector] = false;
            now.in_service = true;
            return vector;
        }
    return -1;
}

int apic_strikes(void)
{
    bool shadow = now.shadow;

    take_writes();
    now.shadow = false;
    if (shadow)
        return -1;
    if (now.nmi && !now.nmi_blocked) {
        now.nmi = false;
        now.nmi_blocked = true;
        return VECTOR_NMI;
    }
    return strikes_by_flag();
}

bool apic_gate(void)
{
    bool before = now.flag;

    now.flag = now.shadow = false;
    return before;
}

void apic_iret(bool flag)
{
    now.flag = flag;
    now.nmi_blocked = false;
}

void apic_sti(void)
{
    now.shadow = !now.flag;
    now.flag = true;
}

void apic_cli(void)
{
    now.flag = false;
}
