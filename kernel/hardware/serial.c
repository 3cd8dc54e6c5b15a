/* The registers are those of the National Semiconductor PC16550D data sheet. */
#include "serial.h"

#include "x86.h"

#define DATA      0 /* with DLAB: divisor, low byte  */
#define IER       1 /* with DLAB: divisor, high byte */
#define FCR       2 /* written */
#define IIR       2 /* read    */
#define LCR       3
#define MCR       4
#define LSR       5
#define SCRATCH   7
#define REGISTERS 8

#define LCR_8N1         0x03
#define LCR_DLAB        0x80
#define FCR_ENABLE      0x01 /* what was received stays for the firmware's console */
#define IIR_FIFO        0xc0 /* both bits: it is there, and it works */
#define MCR_DTR_RTS     0x03
#define LSR_THR_EMPTY   0x20
#define LSR_ALL_EMPTY   0x40 /* the shift register too */
#define LSR_NOBODY      0xff /* what a bus without a device reads as */
#define FIFO_BYTES      16
#define SCRATCH_PATTERN 0x5a
#define CLOCKS_PER_BIT  16
#define OFF_BY_AT_MOST  3 /* per cent of the speed that was asked for: more garbles */

/* Reads of the status before a FIFO that does not drain counts as stuck: >1 s each. */
#define PATIENCE 2000000u

static struct serial_state state;
static struct serial_port port;
static bool taken, stuck;
static int fifo; /* bytes that it takes at a time */
static struct {
    uint8_t ier, lcr, mcr;
    uint16_t divisor;
} before;

/* Registers that are accessed 16 or 32 bits at a time have the byte at the bottom. */
static uint8_t get(uint64_t index)
{
    uint64_t at = port.address + index * port.stride;
    if (!port.mmio)
        return inb((uint16_t)at);
    return port.width == 4   ? (uint8_t)mmio_read32(at)
           : port.width == 2 ? (uint8_t)mmio_read16(at)
                             : mmio_read8(at);
}

static void put_register(uint64_t index, uint8_t value)
{
    uint64_t at = port.address + index * port.stride;
    if (!port.mmio)
        outb((uint16_t)at, value);
    else if (port.width == 4)
        mmio_write32(at, value);
    else if (port.width == 2)
        mmio_write16(at, value);
    else
        mmio_write8(at, value);
}

/* An empty bus may still hold the value: then the status beside it reads as that too. */
static bool keeps(uint8_t value)
{
    put_register(SCRATCH, value);
    uint8_t status = get(LSR);
    return status != LSR_NOBODY && status != value && get(SCRATCH) == value;
}

static bool present(void)
{
    uint8_t scratch = get(SCRATCH);
    bool found = keeps(SCRATCH_PATTERN) && keeps((uint8_t)~SCRATCH_PATTERN);
    put_register(SCRATCH, scratch);
    return found;
}

static void set_divisor(uint16_t divisor, uint8_t lcr)
{
    put_register(LCR, LCR_DLAB);
    put_register(DATA, (uint8_t)divisor);
    put_register(IER, (uint8_t)(divisor >> 8));
    put_register(LCR, lcr);
}

/* 0: this clock cannot make that speed, or either is unknown. */
static uint16_t divisor_for(uint32_t clock, uint32_t baud)
{
    uint64_t per_bit = (uint64_t)baud * CLOCKS_PER_BIT;
    uint64_t divisor = per_bit ? (clock + per_bit / 2) / per_bit : 0;
    uint64_t achieved = divisor * per_bit;
    uint64_t off = achieved > clock ? achieved - clock : clock - achieved;
    return divisor && divisor <= UINT16_MAX && off * 100 <= achieved * OFF_BY_AT_MOST
               ? (uint16_t)divisor
               : 0;
}

void serial_find(const struct serial_ports *ports)
{
    state = (struct serial_state){ 0 };
    stuck = taken = false;
    fifo = 1; /* a panic may come before serial_init() */
    for (size_t i = 0; i < ports->count && !taken; i++) {
        port = ports->at[i];
        state.tried++;
        taken = present();
    }
    if (taken)
        state.port = port;
}

static uint16_t divisor_in_force(void)
{
    put_register(LCR, LCR_8N1 | LCR_DLAB);
    uint16_t divisor = (uint16_t)(get(DATA) | get(IER) << 8);
    put_register(LCR, LCR_8N1);
    return divisor;
}

static bool wait_for(uint8_t bits)
{
    for (uint32_t i = 0; i < PATIENCE; i++)
        if (get(LSR) & bits)
            return true;
    return false;
}

void serial_init(void)
{
    if (!taken)
        return;
    if (!stuck)
        wait_for(LSR_ALL_EMPTY); /* what the firmware has still to send, at its speed */
    before.ier = get(IER);
    before.lcr = get(LCR);
    before.mcr = get(MCR);
    before.divisor = divisor_in_force();
    uint16_t divisor = divisor_for(port.clock, port.baud);
    set_divisor(divisor ? divisor : before.divisor, LCR_8N1);
    state.before = before.divisor;
    state.divisor = divisor_in_force(); /* what it kept is what it runs at */
    put_register(IER, 0);
    put_register(FCR, FCR_ENABLE);
    put_register(MCR, MCR_DTR_RTS);
    fifo = (get(IIR) & IIR_FIFO) == IIR_FIFO ? FIFO_BYTES : 1;
}

const struct serial_state *serial_state(void)
{
    return &state;
}

void serial_restore(void)
{
    if (!taken)
        return;
    if (!stuck)
        wait_for(LSR_ALL_EMPTY); /* or the last byte leaves at another speed */
    set_divisor(before.divisor, before.lcr);
    put_register(IER, before.ier);
    put_register(MCR, before.mcr);
}

void serial_write(const char *bytes, size_t count)
{
    while (taken && !stuck && count) {
        if (!wait_for(LSR_THR_EMPTY)) {
            stuck = true; /* nobody takes it: the RAM log goes on */
            return;
        }
        for (int capacity = fifo; capacity && count; capacity--, count--)
            put_register(DATA, (uint8_t)*bytes++);
    }
}

uint64_t serial_registers(uint64_t *end)
{
    if (!taken || !port.mmio)
        return 0;
    *end = port.address + (uint64_t)REGISTERS * port.stride;
    return port.address;
}
