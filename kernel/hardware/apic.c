/*
 * SDM vol. 3A, "Advanced Programmable Interrupt Controller (APIC)".
 *
 * The firmware's interrupts are not lost: with the task priority raised they wait
 * in the APIC, or in the 8259 that is masked, until the machine is given back.
 */
#include "apic.h"

#include <stddef.h>

#include "msr.h"
#include "registers.h"
#include "x86.h"

/* Offsets of the registers; in x2APIC mode MSR 800h + offset / 16. */
#define APIC_ID           0x020
#define APIC_TPR          0x080
#define APIC_EOI          0x0b0
#define APIC_SPURIOUS     0x0f0
#define APIC_COMMAND      0x300
#define APIC_DESTINATION  0x310
#define APIC_LVT_TIMER    0x320
#define APIC_LVT_THERMAL  0x330
#define APIC_LVT_PERF     0x340
#define APIC_LVT_LINT0    0x350
#define APIC_LVT_LINT1    0x360
#define APIC_LVT_ERROR    0x370
#define APIC_TIMER_COUNT  0x380
#define APIC_TIMER_NOW    0x390
#define APIC_TIMER_DIVIDE 0x3e0

#define ID_SHIFT         24 /* in xAPIC mode */
#define COMMAND_PENDING  BIT(12)
#define SPURIOUS_ENABLE  BIT(8)
#define LVT_MASKED       BIT(16)
#define LVT_NMI          (4u << 8) /* delivery mode; fixed is 0 */
#define LVT_TIMER_MODE   (3u << 17)
#define LVT_TSC_DEADLINE (2u << 17)
#define DIVIDE_BY_128    0xa
#define TPR_WATCHDOG_ONLY \
    ((VECTOR_WATCHDOG & 0xf0) - 0x10) /* classes above this get through */

#define X2APIC_MSRS       0x800
#define APIC_BASE_ADDRESS 0x000ffffffffff000ull

/* Ticks a second while nobody has measured: slow, so that no run is cut short. */
#define GUESSED_HZ 10000000u

#define CALIBRATIONS_PER_S 200  /* so long one takes: 5 ms               */
#define TICKS_SCALE        1000 /* keeps the product of two rates in range */

static const uint16_t kept[] = { APIC_TPR,        APIC_SPURIOUS,  APIC_LVT_THERMAL,
                                 APIC_LVT_PERF,   APIC_LVT_LINT0, APIC_LVT_LINT1,
                                 APIC_LVT_ERROR,  APIC_LVT_TIMER, APIC_TIMER_DIVIDE,
                                 APIC_TIMER_COUNT };
#define KEPT (sizeof kept / sizeof kept[0])
static uint32_t before[KEPT];
static uint64_t deadline; /* of the firmware's timer; 0: it has none */
static uint32_t timer_hz = GUESSED_HZ;

bool apic_is_on(void)
{
    return rdmsr(MSR_APIC_BASE) & APIC_BASE_ENABLE;
}

static bool x2apic(void)
{
    return rdmsr(MSR_APIC_BASE) & APIC_BASE_X2APIC;
}

enum apic_mode apic_mode(void)
{
    return !apic_is_on() ? APIC_OFF : x2apic() ? APIC_X2 : APIC_X;
}

uint64_t apic_page(void)
{
    return apic_is_on() && !x2apic() ? rdmsr(MSR_APIC_BASE) & APIC_BASE_ADDRESS : 0;
}

/* A register that this APIC lacks reads 0; in x2APIC mode it would fault. */
static uint32_t read(uint16_t offset)
{
    uint64_t value = 0;
    if (x2apic()) {
        msr_read(X2APIC_MSRS + offset / 16u, &value);
        return (uint32_t)value;
    }
    return *(volatile uint32_t *)(apic_page() + offset);
}

static void write(uint16_t offset, uint32_t value)
{
    if (x2apic())
        msr_write(X2APIC_MSRS + offset / 16u, value);
    else
        *(volatile uint32_t *)(apic_page() + offset) = value;
}

uint32_t apic_id(void)
{
    return x2apic() ? read(APIC_ID) : read(APIC_ID) >> ID_SHIFT;
}

bool apic_reaches(uint32_t apic)
{
    return x2apic() || apic < XAPIC_EVERY;
}

void apic_send(uint32_t apic, uint32_t command)
{
    if (x2apic()) {
        fence(); /* WRMSR waits for no store before it: who is woken must see them */
        msr_write(X2APIC_MSRS + APIC_COMMAND / 16u, (uint64_t)apic << 32 | command);
        return;
    }
    write(APIC_DESTINATION, apic << ID_SHIFT);
    write(APIC_COMMAND, command);
    while (read(APIC_COMMAND) & COMMAND_PENDING)
        pause();
}

void apic_take(void)
{
    if (!apic_is_on())
        return;
    for (size_t i = 0; i < KEPT; i++)
        before[i] = read(kept[i]);
    deadline = 0;
    if ((read(APIC_LVT_TIMER) & LVT_TIMER_MODE) == LVT_TSC_DEADLINE)
        msr_read(MSR_TSC_DEADLINE, &deadline);
    write(APIC_TPR, TPR_WATCHDOG_ONLY);
    for (uint16_t lvt = APIC_LVT_TIMER; lvt <= APIC_LVT_ERROR; lvt += 0x10)
        write(lvt, read(lvt) | (uint32_t)LVT_MASKED);
    /*
     * Masked, the firmware's periodic timer still counts.  KVM keeps an expiry of that time
     * and delivers it as soon as the entry is unmasked, which is our watchdog's start; an
     * initial count of 0 stops the timer (SDM vol. 3A, "APIC Timer").
     */
    write(APIC_TIMER_COUNT, 0);
    write(APIC_SPURIOUS, (uint32_t)SPURIOUS_ENABLE | VECTOR_SPURIOUS);
}

/*
 * The watchdog's mode has disarmed the deadline.  A deadline that has passed strikes at
 * once when it is written, so the tick is late and not lost.  The write of the mode, a
 * store in xAPIC mode, must be done before the WRMSR (SDM vol. 3A, "TSC-Deadline Mode").
 */
static void give_back_deadline(void)
{
    if (!deadline)
        return;
    fence();
    msr_write(MSR_TSC_DEADLINE, deadline);
}

void apic_give_back(void)
{
    if (!apic_is_on())
        return;
    write(APIC_TIMER_COUNT, 0);
    write(APIC_EOI, 0); /* harmless where nothing is in service */
    for (size_t i = 0; i < KEPT; i++)
        write(kept[i], before[i]);
    give_back_deadline();
}

void apic_calibrate(uint64_t tsc_hz)
{
    if (!tsc_hz || !apic_is_on())
        return;
    write(APIC_LVT_TIMER,
          (uint32_t)LVT_MASKED | VECTOR_WATCHDOG); /* one shot, not TSC deadline */
    write(APIC_TIMER_DIVIDE, DIVIDE_BY_128);
    uint64_t start = rdtsc();
    write(APIC_TIMER_COUNT, UINT32_MAX);
    while (rdtsc() - start < tsc_hz / CALIBRATIONS_PER_S)
        pause();
    uint64_t ticks = UINT32_MAX - read(APIC_TIMER_NOW);
    uint64_t elapsed =
        rdtsc() - start; /* longer than asked for where a hypervisor paused us */
    write(APIC_TIMER_COUNT, 0);
    uint64_t hz = ticks * (tsc_hz / TICKS_SCALE) / (elapsed / TICKS_SCALE);
    if (hz && hz < UINT32_MAX)
        timer_hz = (uint32_t)hz;
}

void apic_watchdog_start(uint32_t seconds)
{
    if (!apic_is_on() || !seconds)
        return;
    uint64_t ticks = (uint64_t)seconds * timer_hz;
    write(APIC_TIMER_DIVIDE, DIVIDE_BY_128);
    write(APIC_LVT_TIMER, VECTOR_WATCHDOG);
    write(APIC_TIMER_COUNT, ticks > UINT32_MAX ? UINT32_MAX : (uint32_t)ticks);
}

void apic_take_pending(void)
{
    __asm__ volatile("sti; nop; cli");
}

void apic_watchdog_stop(void)
{
    if (!apic_is_on())
        return;
    write(APIC_TIMER_COUNT, 0);
    write(APIC_LVT_TIMER, (uint32_t)LVT_MASKED | VECTOR_WATCHDOG);
    apic_take_pending();
}

void apic_pmi_open(bool nmi)
{
    write(APIC_LVT_PERF, nmi ? LVT_NMI : VECTOR_PMI);
}

bool apic_pmi_unmask(void)
{
    uint32_t entry = read(APIC_LVT_PERF);
    write(APIC_LVT_PERF, entry & ~(uint32_t)LVT_MASKED);
    return entry & LVT_MASKED;
}

void apic_pmi_close(void)
{
    write(APIC_LVT_PERF, (uint32_t)LVT_MASKED | VECTOR_PMI);
    apic_take_pending();
}

void apic_end_of_interrupt(void)
{
    write(APIC_EOI, 0);
}
