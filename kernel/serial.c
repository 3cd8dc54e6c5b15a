/* The registers are those of the National Semiconductor PC16550D data sheet. */
#include "serial.h"

#include "x86.h"

#define DATA    0 /* with DLAB: divisor, low byte  */
#define IER     1 /* with DLAB: divisor, high byte */
#define FCR     2
#define LCR     3
#define MCR     4
#define LSR     5
#define SCRATCH 7

#define LCR_8N1         0x03
#define LCR_DLAB        0x80
#define FCR_ENABLE      0x07 /* on, both FIFOs cleared */
#define MCR_DTR_RTS     0x03
#define LSR_THR_EMPTY   0x20
#define LSR_ALL_EMPTY   0x40 /* the shift register too */
#define DIVISOR_115200  1
#define FIFO_BYTES      16
#define SCRATCH_PATTERN 0x5a

/* Reads of the status before a FIFO that does not drain counts as stuck: >1 s each. */
#define PATIENCE 2000000u

static uint16_t base;
static bool stuck;
static struct {
    uint8_t ier, lcr, mcr, divisor_low, divisor_high;
} before;

static bool present(uint16_t port)
{
    outb(port + SCRATCH, SCRATCH_PATTERN);
    return inb(port + SCRATCH) == SCRATCH_PATTERN;
}

static void set_divisor(uint8_t low, uint8_t high, uint8_t lcr)
{
    outb(base + LCR, LCR_DLAB);
    outb(base + DATA, low);
    outb(base + IER, high);
    outb(base + LCR, lcr);
}

void serial_init(uint16_t port)
{
    base = port && present(port) ? port : 0;
    if (!base)
        return;
    before.ier = inb(base + IER);
    before.lcr = inb(base + LCR);
    before.mcr = inb(base + MCR);
    outb(base + LCR, LCR_DLAB);
    before.divisor_low = inb(base + DATA);
    before.divisor_high = inb(base + IER);
    set_divisor(DIVISOR_115200, 0, LCR_8N1);
    outb(base + IER, 0);
    outb(base + FCR, FCR_ENABLE);
    outb(base + MCR, MCR_DTR_RTS);
}

static bool wait_for(uint8_t state)
{
    for (uint32_t i = 0; i < PATIENCE; i++)
        if (inb(base + LSR) & state)
            return true;
    return false;
}

void serial_restore(void)
{
    if (!base)
        return;
    wait_for(LSR_ALL_EMPTY); /* or the last byte leaves at another speed */
    set_divisor(before.divisor_low, before.divisor_high, before.lcr);
    outb(base + IER, before.ier);
    outb(base + MCR, before.mcr);
}

void serial_write(const char *bytes, size_t count)
{
    while (base && !stuck && count) {
        if (!wait_for(LSR_THR_EMPTY)) {
            stuck = true; /* nobody takes it: the RAM log goes on */
            return;
        }
        for (int room = FIFO_BYTES; room && count; room--, count--)
            outb(base + DATA, (uint8_t)*bytes++);
    }
}
