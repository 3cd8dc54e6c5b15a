// LINK: boot/acpi.c boot/pci.c
#include "boot/ports.c"

#include "test.h"

/* Configuration space of a machine: what stands here is there, all else reads as ones. */
static struct {
    uint32_t address, value;
} space[64];
static size_t filled, reads;

static uint32_t config_read(uint32_t address)
{
    reads++;
    for (size_t i = 0; i < filled; i++)
        if (space[i].address == address)
            return space[i].value;
    for (size_t i = 0; i < filled; i++)
        if (space[i].address == (address & ~0xffu))
            return 0; /* of a device that is there */
    return 0xffffffff;
}

static void config_write(uint32_t address, uint32_t value)
{
    for (size_t i = 0; i < filled; i++)
        if (space[i].address == address)
            space[i].value = value;
}

#define AT(bus, device, function) \
    (0x80000000u | (bus) << 16 | (device) << 11 | (function) << 8)

static void has(uint32_t device, uint32_t offset, uint32_t value)
{
    space[filled].address = device + offset;
    space[filled++].value = value;
}

static void empty_machine(void)
{
    filled = reads = 0;
}

/* Function 3 of 00:16, as on a business PC: I/O ports in BAR 0, memory in BAR 1. */
static void has_amt(void)
{
    has(AT(0, 0x16, 0), 0, 0x1e3a8086);
    has(AT(0, 0x16, 0), 8, 0x07800004);
    has(AT(0, 0x16, 0), 12, 0x00800000);
    has(AT(0, 0x16, 3), 0, 0x1e3d8086);
    has(AT(0, 0x16, 3), 8, 0x07000204);
    has(AT(0, 0x16, 3), 12, 0x00800000);
    has(AT(0, 0x16, 3), 16, 0xf0e1);
    has(AT(0, 0x16, 3), 20, 0xfe529000);
}

static bool nowhere(uint64_t at, uint64_t size)
{
    return at == 0 && size == 0; /* never asked */
}

static bool memory_from_1_to_2_gib(uint64_t at, uint64_t size)
{
    return at < 0x80000000 && at + size > 0x40000000;
}

static const struct ports_machine machine = { 0, nowhere, memory_from_1_to_2_gib,
                                              config_read };

static struct serial_ports found(const struct options *options)
{
    struct serial_ports list;
    ports_find(options, &machine, &list);
    return list;
}

TEST(without_tables_the_four_com_ports_are_tried)
{
    empty_machine();
    struct serial_ports list = found(&(struct options){ 0 });
    CHECK(list.count == 4);
    CHECK(list.at[0].address == 0x3f8 && list.at[1].address == 0x2f8);
    CHECK(list.at[2].address == 0x3e8 && list.at[3].address == 0x2e8);
    CHECK_TEXT(list.at[3].from, "com");
    CHECK(list.at[0].clock == 1843200 && list.at[0].baud == 115200);
}

TEST(all_of_256_buses_are_asked_and_no_more)
{
    empty_machine();
    found(&(struct options){ 0 });
    CHECK(reads == 8192);
}

TEST(a_card_comes_after_them)
{
    empty_machine();
    has_amt();
    struct serial_ports list = found(&(struct options){ 0 });
    CHECK(list.count == 5);
    CHECK_TEXT(list.at[4].from, "pci");
    CHECK(!list.at[4].mmio && list.at[4].address == 0xf0e0);
    CHECK(list.at[4].pci == AT(0, 0x16, 3));
}

TEST(a_card_behind_the_last_bridge_is_found)
{
    empty_machine();
    has(AT(255, 31, 0), 0, 0x00021b36);
    has(AT(255, 31, 0), 8, 0x07000201);
    has(AT(255, 31, 0), 16, 0xc001);
    struct serial_ports list = found(&(struct options){ 0 });
    CHECK(list.count == 5 && list.at[4].address == 0xc000);
}

TEST(registers_in_memory_are_tried_1_and_4_bytes_apart)
{
    empty_machine();
    has(AT(2, 0, 0), 0, 0x00021b36);
    has(AT(2, 0, 0), 8, 0x07000201);
    has(AT(2, 0, 0), 16, 0x0000000c);
    has(AT(2, 0, 0), 20, 0x00000038);
    struct serial_ports list = found(&(struct options){ 0 });
    CHECK(list.count == 6);
    CHECK(list.at[4].mmio && list.at[4].address == 0x3800000000 && list.at[4].stride == 1);
    CHECK(list.at[5].mmio && list.at[5].address == 0x3800000000 && list.at[5].stride == 4);
    CHECK(list.at[5].width == 4 && list.at[5].clock == 0 && list.at[5].baud == 0);
}

TEST(what_is_no_serial_port_is_passed_over)
{
    empty_machine();
    has(AT(0, 1, 0), 0, 0x12345678);
    has(AT(0, 1, 0), 8, 0x07800000); /* another simple communication controller */
    has(AT(0, 1, 0), 16, 0xc001);
    has(AT(0, 2, 0), 0, 0x12345678);
    has(AT(0, 2, 0), 8, 0x07000200);
    has(AT(0, 2, 0), 12, 0x00010000); /* a bridge's header */
    has(AT(0, 2, 0), 16, 0xc001);
    has(AT(0, 3, 0), 0, 0x12345678);
    has(AT(0, 3, 0), 8, 0x07000200); /* its firmware gave it no address */
    has(AT(0, 3, 0), 16, 0x00000001);
    has(AT(0, 4, 0), 0, 0x12345678);
    has(AT(0, 4, 0), 8, 0x07000200);
    has(AT(0, 4, 0), 16, 0x0000fffd); /* eight registers do not fit there */
    has(AT(0, 5, 0), 0, 0x12345678);
    has(AT(0, 5, 0), 8, 0x07000200);
    has(AT(0, 5, 0), 16, 0x40000000); /* in the middle of memory */
    has(AT(0, 6, 1), 0, 0x12345678);
    has(AT(0, 6, 1), 8, 0x07000200); /* has no function 0 */
    has(AT(0, 6, 1), 16, 0xc001);
    CHECK(found(&(struct options){ 0 }).count == 4);
}

TEST(more_cards_than_there_is_room_for_end_the_list)
{
    empty_machine();
    for (uint32_t i = 0; i < 16; i++) {
        has(AT(0, i, 0), 0, 0x12345678);
        has(AT(0, i, 0), 8, 0x07000200);
        has(AT(0, i, 0), 16, 0xc001 + 8 * i);
    }
    CHECK(found(&(struct options){ 0 }).count == SERIAL_PORTS);
}

TEST(decoding_is_turned_on_and_put_back)
{
    empty_machine();
    has_amt();
    has(AT(0, 0x16, 3), 4, 0x00b00400);
    CHECK(pci_enable(AT(0, 0x16, 3), true, config_read, config_write) == 0x80000400);
    CHECK(config_read(AT(0, 0x16, 3) + 4) == 0x0402); /* no status bit is cleared */
    CHECK(pci_enable(AT(0, 0x16, 3), true, config_read, config_write) == 0);
    pci_disable(AT(0, 0x16, 3), 0, config_write);
    CHECK(config_read(AT(0, 0x16, 3) + 4) == 0x0402);
    pci_disable(AT(0, 0x16, 3), 0x80000400, config_write);
    CHECK(config_read(AT(0, 0x16, 3) + 4) == 0x0400);
    CHECK(pci_enable(AT(0, 0x16, 3), false, config_read, config_write) == 0x80000400);
    CHECK(config_read(AT(0, 0x16, 3) + 4) == 0x0401);
}

TEST(the_port_of_the_options_is_tried_alone)
{
    struct options o = { .serial = { SERIAL_GIVEN, .bytes = 1, .address = 0x2e8 } };
    empty_machine();
    has_amt();
    struct serial_ports list = found(&o);
    CHECK(list.count == 1 && list.at[0].address == 0x2e8);
    CHECK(list.at[0].clock == 1843200 && list.at[0].baud == 115200);
    CHECK(list.at[0].stride == 1 && list.at[0].width == 1);
    CHECK_TEXT(list.at[0].from, "option");
    CHECK(reads == 0);
    o.serial.mmio = true;
    o.serial.address = 0x7fffffff; /* one byte of memory is enough */
    CHECK(found(&o).count == 0);
    o.serial.address = 0x80000000;
    CHECK(found(&o).count == 1);
}

TEST(none_means_that_nothing_is_asked)
{
    struct options o = { .serial = { .choice = SERIAL_NONE } };
    empty_machine();
    CHECK(found(&o).count == 0 && reads == 0);
}

TEST(baud_and_clock_of_the_options_hold_for_each)
{
    struct options o = { .baud = 9600 };
    empty_machine();
    has(AT(2, 0, 0), 0, 0x00021b36);
    has(AT(2, 0, 0), 8, 0x07000201);
    has(AT(2, 0, 0), 16, 0xfe000000);
    struct serial_ports list = found(&o);
    CHECK(list.count == 6);
    CHECK(list.at[0].baud == 9600 && list.at[0].clock == 1843200);
    CHECK(list.at[5].baud == 9600 && list.at[5].clock == 1843200);
    o.clock = 48000000;
    list = found(&o);
    CHECK(list.at[0].clock == 48000000 && list.at[5].clock == 48000000);
    o.baud = 0;
    list = found(&o);
    CHECK(list.at[0].baud == 115200 && list.at[5].baud == 0);
}

TEST(a_clock_that_nobody_tells_is_not_made_up)
{
    struct options o = { .serial = { SERIAL_GIVEN, .mmio = true, .bytes = 4,
                                     .address = 0xfedc9000 } };
    empty_machine();
    struct serial_ports list = found(&o);
    CHECK(list.at[0].baud == 0 && list.at[0].clock == 0 && list.at[0].stride == 4);
    o.baud = 9600; /* a person who wants a speed means a UART as in every PC */
    list = found(&o);
    CHECK(list.at[0].baud == 9600 && list.at[0].clock == 1843200);
}
