/*
 * PCI Local Bus Specification, "Configuration Space".
 *
 * Class 07 00 is a serial port: a card's, or Intel AMT's serial-over-LAN, which is a
 * 16550 on I/O ports with a network behind it.  All 256 buses are asked, since a bridge
 * may have any number behind it: 8,192 reads where nothing is found.
 */
#include "pci.h"

#define ENABLE_ACCESS 0x80000000u

#define BUSES     256u
#define DEVICES   32u
#define FUNCTIONS 8u

#define ID          0x00
#define COMMAND     0x04 /* the status above it is cleared by ones, so zeros go there */
#define CLASS       0x08
#define HEADER_TYPE 0x0c
#define BAR0        0x10
#define BARS        6

#define NO_DEVICE         0xffffffffu
#define COMMAND_IO        0x0001u
#define COMMAND_MEMORY    0x0002u
#define COMMAND_MASK      0xffffu
#define CLASS_SHIFT       16
#define CLASS_SERIAL      0x0700u
#define PROGRAMMING_SHIFT 8
#define PROGRAMMING_16950 6 /* the last that has the registers of a 16550 */
#define HEADER_TYPE_MASK  0x7f0000u
#define HEADER_MANY       0x800000u /* functions */
#define BAR_IO            0x1u
#define BAR_IO_MASK       0xfffffffcu
#define BAR_MEMORY_MASK   0xfffffff0u
#define BAR_MEMORY_64     0x4u
#define BAR_MEMORY_KIND   0x6u

/*
 * I/O ports before memory.  How far apart the registers in memory lie is nowhere
 * written: both ways are offered, and the kernel's test tells which one answers.
 */
static size_t ports_of(uint32_t pci, pci_read *read, struct serial_port *out,
                       size_t capacity)
{
    size_t count = 0;
    struct serial_port port = { .from = "pci", .stride = 1, .width = 1, .pci = pci };
    uint64_t memory = 0;
    for (uint32_t i = 0; i < BARS; i++) {
        uint32_t bar = read(pci + BAR0 + 4 * i);
        if (bar & BAR_IO) {
            uint32_t address = bar & BAR_IO_MASK;
            if (address && address <= SETTING_IO_LAST && !port.address)
                port.address = address;
            continue;
        }
        uint64_t address = bar & BAR_MEMORY_MASK;
        if ((bar & BAR_MEMORY_KIND) == BAR_MEMORY_64 && ++i < BARS)
            address |= (uint64_t)read(pci + BAR0 + 4 * i) << 32;
        if (address && address <= SETTING_MMIO_LAST && !memory)
            memory = address;
    }
    if (port.address) {
        port.clock = SERIAL_CLOCK;
        port.baud = SERIAL_BAUD;
        if (count < capacity)
            out[count++] = port;
        return count;
    }
    port.mmio = true;
    port.address = memory;
    if (memory && count < capacity)
        out[count++] = port;
    port.stride = port.width = 4;
    if (memory && count < capacity)
        out[count++] = port;
    return count;
}

static bool is_serial(uint32_t class, uint32_t header)
{
    return class >> CLASS_SHIFT == CLASS_SERIAL &&
           (class >> PROGRAMMING_SHIFT & 0xff) <= PROGRAMMING_16950 &&
           (header & HEADER_TYPE_MASK) == 0;
}

size_t pci_serial_ports(pci_read *read, struct serial_port *out, size_t capacity)
{
    size_t count = 0;
    for (uint32_t device = 0; device < BUSES * DEVICES; device++) {
        uint32_t functions = 1;
        for (uint32_t function = 0; function < functions && count < capacity; function++) {
            uint32_t pci = ENABLE_ACCESS | device << 11 | function << 8;
            if (read(pci + ID) == NO_DEVICE)
                continue;
            uint32_t header = read(pci + HEADER_TYPE);
            if (header & HEADER_MANY)
                functions = FUNCTIONS;
            if (is_serial(read(pci + CLASS), header))
                count += ports_of(pci, read, out + count, capacity - count);
        }
    }
    return count;
}

uint32_t pci_enable(uint32_t pci, bool mmio, pci_read *read, pci_write *write)
{
    uint32_t wanted = mmio ? COMMAND_MEMORY : COMMAND_IO;
    uint32_t before = read(pci + COMMAND) & COMMAND_MASK;
    if (before & wanted)
        return 0;
    write(pci + COMMAND, before | wanted);
    return ENABLE_ACCESS | before;
}

void pci_disable(uint32_t pci, uint32_t before, pci_write *write)
{
    if (before)
        write(pci + COMMAND, before & COMMAND_MASK);
}
