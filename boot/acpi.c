/*
 * ACPI Specification, "Root System Description Pointer", "Extended System Description
 * Table" and "Generic Address Structure"; Microsoft's "Serial Port Console Redirection
 * Table" and "Debug Port Table 2".
 *
 * Nothing that firmware wrote is believed: each length is held against what it must
 * hold, and against memory, before anything after it is read.
 */
#include "acpi.h"

#include "table.h"

#define LENGTH_MOST (1u << 20) /* bytes; a table that claims more is broken */

#define RSDP_CHECKED_1 20 /* bytes under the checksum of ACPI 1.0 */
#define RSDP_REVISION  15
#define RSDP_RSDT      16
#define RSDP_LENGTH    20
#define RSDP_XSDT      24
#define RSDP_SIZE      36 /* from revision 2 on */

#define HEADER_LENGTH   4
#define HEADER_REVISION 8
#define HEADER_SIZE     36

/* The table at this address if it has this signature and is whole, else NULL. */
static const uint8_t *table_at(uint64_t address, const char *signature, acpi_reach *reach)
{
    const uint8_t *table = (const uint8_t *)address;
    if (!address || !reach(address, HEADER_SIZE) || !has_signature(table, signature))
        return NULL;
    uint32_t length = u32(table + HEADER_LENGTH);
    if (length < HEADER_SIZE || length > LENGTH_MOST || !reach(address, length) ||
        !sums_to_zero(table, length))
        return NULL;
    return table;
}

/* Its entries are addresses of `size` bytes each, unaligned in the XSDT. */
static const uint8_t *find_in(const uint8_t *root, size_t size, const char *signature,
                              acpi_reach *reach)
{
    size_t length = root ? u32(root + HEADER_LENGTH) : 0;
    for (size_t at = HEADER_SIZE; at + size <= length; at += size) {
        uint64_t address = size == 8 ? u64(root + at) : u32(root + at);
        const uint8_t *table = table_at(address, signature, reach);
        if (table)
            return table;
    }
    return NULL;
}

const uint8_t *acpi_find(uint64_t rsdp, const char *signature, acpi_reach *reach)
{
    const uint8_t *pointer = (const uint8_t *)rsdp;
    if (!rsdp || !reach(rsdp, RSDP_CHECKED_1) || !has_signature(pointer, "RSD PTR ") ||
        !sums_to_zero(pointer, RSDP_CHECKED_1))
        return NULL;
    if (pointer[RSDP_REVISION] >= 2 && reach(rsdp, RSDP_SIZE)) {
        uint32_t length = u32(pointer + RSDP_LENGTH);
        if (length >= RSDP_SIZE && length <= LENGTH_MOST && reach(rsdp, length) &&
            sums_to_zero(pointer, length)) {
            const uint8_t *xsdt = table_at(u64(pointer + RSDP_XSDT), "XSDT", reach);
            if (xsdt)
                return find_in(xsdt, 8, signature, reach);
        }
    }
    return find_in(table_at(u32(pointer + RSDP_RSDT), "RSDT", reach), 4, signature, reach);
}

/* Generic Address Structure. */
#define GAS_SPACE     0
#define GAS_BIT_WIDTH 1
#define GAS_ACCESS    3
#define GAS_ADDRESS   4
#define GAS_SIZE      12

#define SPACE_MEMORY 0
#define SPACE_IO     1

/* Bytes of a register; 0: the table does not say, or says what no 16550 has. */
static uint8_t bytes_of_bits(uint8_t bits)
{
    return bits == 8 ? 1 : bits == 16 ? 2 : bits == 32 ? 4 : 0;
}

static uint8_t bytes_of_access(uint8_t access)
{
    return access >= 1 && access <= 3 ? (uint8_t)(1u << (access - 1)) : 0;
}

/*
 * How far apart the registers lie is told by the width of a register, how they are
 * accessed by the access size.  There are tables with only one of them filled in, and
 * such that give 8 bits accessed as 32: then the registers lie 32 bits apart.
 */
static bool port_at(const uint8_t *gas, struct serial_port *port)
{
    uint8_t bits = bytes_of_bits(gas[GAS_BIT_WIDTH]);
    uint8_t access = bytes_of_access(gas[GAS_ACCESS]);
    port->address = u64(gas + GAS_ADDRESS);
    port->mmio = gas[GAS_SPACE] == SPACE_MEMORY;
    port->stride = port->width = 1;
    if (!port->address)
        return false; /* the firmware's way to say that redirection is off */
    if (gas[GAS_SPACE] == SPACE_IO)
        return port->address <= SETTING_IO_LAST;
    if (gas[GAS_SPACE] != SPACE_MEMORY || port->address > SETTING_MMIO_LAST)
        return false;
    if (bits || access) {
        port->width = access ? access : bits;
        port->stride = bits > access ? bits : access;
    }
    return port->address % port->stride == 0;
}

/* Interface types, and subtypes of DBG2's serial ports: those that are 16550s. */
static bool is_16550(uint32_t type)
{
    return type == 0 || type == 1 || type == 0x12;
}

#define SPCR_INTERFACE 36
#define SPCR_ADDRESS   40
#define SPCR_BAUD      58
#define SPCR_CLOCK     76 /* Hz, from revision 3 on */
#define SPCR_PRECISE   80 /* baud, from revision 4 on */
#define SPCR_SIZE      76 /* what every revision has    */

bool acpi_spcr(const uint8_t *table, struct serial_port *out)
{
    static const uint32_t bauds[] = { [3] = 9600, [4] = 19200, [6] = 57600, [7] = 115200 };
    uint32_t length = u32(table + HEADER_LENGTH);
    uint8_t revision = table[HEADER_REVISION];
    *out = (struct serial_port){ .from = "spcr" };
    if (length < SPCR_SIZE || !is_16550(table[SPCR_INTERFACE]) ||
        !port_at(table + SPCR_ADDRESS, out))
        return false;
    uint8_t baud = table[SPCR_BAUD];
    out->baud = baud < sizeof bauds / sizeof bauds[0] ? bauds[baud] : 0;
    out->clock = out->mmio ? 0 : SERIAL_CLOCK;
    if (revision >= 3 && length >= SPCR_CLOCK + 4 && u32(table + SPCR_CLOCK))
        out->clock = u32(table + SPCR_CLOCK);
    if (revision >= 4 && length >= SPCR_PRECISE + 4 && u32(table + SPCR_PRECISE))
        out->baud = u32(table + SPCR_PRECISE);
    return true;
}

#define DBG2_FIRST 36 /* offset of the first device */
#define DBG2_COUNT 40
#define DBG2_SIZE  44

#define DEVICE_LENGTH    1
#define DEVICE_ADDRESSES 3
#define DEVICE_TYPE      12
#define DEVICE_SUBTYPE   14
#define DEVICE_GAS       18 /* offset of the addresses, from the device's start */
#define DEVICE_SIZE      22
#define TYPE_SERIAL      0x8000

/* A debugger's port: nobody says how fast it is, so it stays as the firmware set it. */
static bool debug_port(const uint8_t *device, size_t length, struct serial_port *out)
{
    uint16_t gas = u16(device + DEVICE_GAS);
    *out = (struct serial_port){ .from = "dbg2" };
    if (u16(device + DEVICE_TYPE) != TYPE_SERIAL ||
        !is_16550(u16(device + DEVICE_SUBTYPE)) || device[DEVICE_ADDRESSES] == 0 ||
        gas < DEVICE_SIZE || (size_t)gas + GAS_SIZE > length || !port_at(device + gas, out))
        return false;
    out->clock = out->mmio ? 0 : SERIAL_CLOCK;
    return true;
}

size_t acpi_dbg2(const uint8_t *table, struct serial_port *out, size_t capacity)
{
    size_t length = u32(table + HEADER_LENGTH), count = 0;
    if (length < DBG2_SIZE)
        return 0;
    size_t at = u32(table + DBG2_FIRST);
    uint32_t devices = u32(table + DBG2_COUNT);
    for (; devices && count < capacity; devices--) {
        if (at < DBG2_SIZE || at > length || length - at < DEVICE_SIZE)
            break;
        size_t size = u16(table + at + DEVICE_LENGTH);
        if (size < DEVICE_SIZE || size > length - at)
            break; /* and so it goes on with each round, however many are claimed */
        count += debug_port(table + at, size, &out[count]);
        at += size;
    }
    return count;
}

#define MADT_ENTRIES 44

/* A type and a length, then: */
#define MADT_APIC          0 /* UID, number, flags of 32 bits                    */
#define MADT_APIC_SIZE     8
#define MADT_APIC_ID       3
#define MADT_APIC_FLAGS    4
#define MADT_X2APIC        9 /* two bytes, number and flags of 32 bits each, UID */
#define MADT_X2APIC_SIZE   16
#define MADT_X2APIC_ID     4
#define MADT_X2APIC_FLAGS  8
#define MADT_FLAGS_ENABLED 1u
#define MADT_APIC_NONE     0xff

/* Is the entry a processor that is switched on?  Also reads its number. */
static bool madt_processor(const uint8_t *entry, size_t size, uint32_t *apic)
{
    if (entry[0] == MADT_APIC && size >= MADT_APIC_SIZE) {
        *apic = entry[MADT_APIC_ID];
        return u32(entry + MADT_APIC_FLAGS) & MADT_FLAGS_ENABLED && *apic != MADT_APIC_NONE;
    }
    if (entry[0] == MADT_X2APIC && size >= MADT_X2APIC_SIZE) {
        *apic = u32(entry + MADT_X2APIC_ID);
        return u32(entry + MADT_X2APIC_FLAGS) & MADT_FLAGS_ENABLED;
    }
    return false;
}

/* Firmware that lists a processor in both ways has it once all the same. */
static bool listed(const uint32_t *apic, size_t count, uint32_t wanted)
{
    for (size_t i = 0; i < count; i++)
        if (apic[i] == wanted)
            return true;
    return false;
}

size_t acpi_madt(const uint8_t *table, uint32_t *apic, size_t capacity)
{
    size_t length = u32(table + HEADER_LENGTH), count = 0;
    for (size_t at = MADT_ENTRIES; at + 2 <= length && count < capacity;) {
        size_t size = table[at + 1];
        uint32_t id;
        if (size < 2 || size > length - at)
            break;
        if (madt_processor(table + at, size, &id) && !listed(apic, count, id))
            apic[count++] = id;
        at += size;
    }
    return count;
}
