#include "boot/acpi.c"

#include <stdlib.h>
#include <sys/mman.h>

#include "test.h"

/* Everything lies in here, below 4 GiB, so that an RSDT can name it. */
#define ARENA_SIZE 0x4000
static uint8_t *arena;

#define RSDP_AT 0x000
#define XSDT_AT 0x100
#define RSDT_AT 0x200
#define SPCR_AT 0x400
#define DBG2_AT 0x600

static bool reach(uint64_t at, uint64_t size)
{
    uint64_t begin = (uint64_t)arena;
    return at >= begin && size <= ARENA_SIZE && at - begin <= ARENA_SIZE - size;
}

static void put(uint8_t *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Makes the bytes add up to zero by the one at `sum`. */
static void seal(uint8_t *at, size_t size, size_t sum)
{
    uint8_t total = 0;
    at[sum] = 0;
    for (size_t i = 0; i < size; i++)
        total = (uint8_t)(total + at[i]);
    at[sum] = (uint8_t)-total;
}

static uint8_t *table(size_t where, const char *signature, uint32_t length,
                      uint8_t revision)
{
    uint8_t *at = arena + where;
    memcpy(at, signature, 4);
    put(at + 4, length, 4);
    at[8] = revision;
    return at;
}

static void seal_table(size_t where)
{
    uint8_t *at = arena + where;
    uint32_t length = (uint32_t)(at[4] | at[5] << 8);
    seal(at, length, 9);
}

/* RSDP and XSDT, an RSDT that names nothing, an SPCR of revision 2 for COM2. */
static void fresh_machine(void)
{
    memset(arena, 0, ARENA_SIZE);
    uint8_t *spcr = table(SPCR_AT, "SPCR", 80, 2);
    spcr[40] = 1;
    spcr[41] = 8;
    put(spcr + 44, 0x2f8, 8);
    spcr[58] = 7;
    seal_table(SPCR_AT);

    uint8_t *xsdt = table(XSDT_AT, "XSDT", 36 + 2 * 8, 1);
    put(xsdt + 36, (uint64_t)arena + DBG2_AT, 8); /* a table of zeros: no DBG2 yet */
    put(xsdt + 44, (uint64_t)arena + SPCR_AT, 8);
    seal_table(XSDT_AT);
    table(RSDT_AT, "RSDT", 36, 1);
    seal_table(RSDT_AT);

    uint8_t *rsdp = arena + RSDP_AT;
    memcpy(rsdp, "RSD PTR ", 8);
    rsdp[15] = 2;
    put(rsdp + 16, (uint64_t)arena + RSDT_AT, 4);
    put(rsdp + 20, 36, 4);
    put(rsdp + 24, (uint64_t)arena + XSDT_AT, 8);
    seal(rsdp, 20, 8);
    seal(rsdp, 36, 32);
}

static const uint8_t *find(const char *signature)
{
    return acpi_find((uint64_t)arena + RSDP_AT, signature, reach);
}

TEST(a_table_is_found_through_the_xsdt)
{
    fresh_machine();
    CHECK(find("SPCR") == arena + SPCR_AT);
    CHECK(find("MCFG") == NULL);
    CHECK(find("DBG2") == NULL);
}

TEST(acpi_1_has_an_rsdt_of_32_bits)
{
    fresh_machine();
    uint8_t *rsdt = table(RSDT_AT, "RSDT", 40, 1);
    put(rsdt + 36, (uint64_t)arena + SPCR_AT, 4);
    seal_table(RSDT_AT);
    CHECK(find("SPCR") == arena + SPCR_AT);
    arena[RSDP_AT + 15] = 0;
    memset(arena + RSDP_AT + 20, 0xff, 16); /* is no part of it */
    seal(arena + RSDP_AT, 20, 8);
    CHECK(find("SPCR") == arena + SPCR_AT);
}

TEST(a_broken_xsdt_leaves_the_rsdt)
{
    fresh_machine();
    uint8_t *rsdt = table(RSDT_AT, "RSDT", 40, 1);
    put(rsdt + 36, (uint64_t)arena + SPCR_AT, 4);
    seal_table(RSDT_AT);
    arena[XSDT_AT + 9]++;
    CHECK(find("SPCR") == arena + SPCR_AT);
}

TEST(without_an_rsdp_nothing_is_found)
{
    fresh_machine();
    CHECK(acpi_find(0, "SPCR", reach) == NULL);
    CHECK(acpi_find((uint64_t)arena + XSDT_AT, "SPCR", reach) == NULL);
    CHECK(acpi_find(0xfffffffffffffff0u, "SPCR", reach) == NULL);
    CHECK(acpi_find((uint64_t)arena + ARENA_SIZE - 8, "SPCR", reach) == NULL);
    arena[RSDP_AT + 9]++; /* under the first checksum */
    CHECK(find("SPCR") == NULL);
}

TEST(an_rsdp_whose_second_checksum_fails_has_no_xsdt)
{
    fresh_machine();
    arena[RSDP_AT + 33]++;
    CHECK(find("SPCR") == NULL);
    fresh_machine();
    put(arena + RSDP_AT + 20, 0xffffffff, 4);
    seal(arena + RSDP_AT, 36, 32);
    CHECK(find("SPCR") == NULL);
    fresh_machine();
    put(arena + RSDP_AT + 20, 8, 4);
    seal(arena + RSDP_AT, 8, 32);
    CHECK(find("SPCR") == NULL);
}

/* What the length of a table may be changed to, its checksum holding where it can. */
TEST(a_table_with_a_wrong_length_is_passed_over)
{
    static const uint32_t lengths[] = {
        0, 8, 35, 0x4001, 0x100001, 0x7fffffff, 0xffffffff
    };
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        fresh_machine();
        put(arena + SPCR_AT + 4, lengths[i], 4);
        if (lengths[i] < ARENA_SIZE - SPCR_AT && lengths[i] > 9)
            seal(arena + SPCR_AT, lengths[i], 9);
        CHECK(find("SPCR") == NULL);
        fresh_machine();
        put(arena + XSDT_AT + 4, lengths[i], 4);
        if (lengths[i] < ARENA_SIZE - XSDT_AT && lengths[i] > 9)
            seal(arena + XSDT_AT, lengths[i], 9);
        CHECK(find("SPCR") == NULL);
    }
}

TEST(a_table_with_a_wrong_checksum_is_passed_over)
{
    fresh_machine();
    arena[SPCR_AT + 60]++;
    CHECK(find("SPCR") == NULL);
    fresh_machine();
    arena[XSDT_AT + 30]++;
    CHECK(find("SPCR") == NULL);
}

TEST(the_second_table_is_taken_where_the_first_is_broken)
{
    fresh_machine();
    memcpy(arena + DBG2_AT, arena + SPCR_AT, 80);
    arena[DBG2_AT + 60]++; /* stands first in the XSDT */
    CHECK(find("SPCR") == arena + SPCR_AT);
}

TEST(an_entry_that_points_nowhere_is_passed_over)
{
    static const uint64_t places[] = { 0, 1, 0xffffffffffffffffu, 0xffffffffffffff00u,
                                       0x123456789abcdef0u };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        fresh_machine();
        put(arena + XSDT_AT + 36, places[i], 8);
        seal_table(XSDT_AT);
        CHECK(find("SPCR") == arena + SPCR_AT);
    }
    fresh_machine();
    put(arena + XSDT_AT + 44, (uint64_t)arena + ARENA_SIZE - 20, 8);
    seal_table(XSDT_AT);
    CHECK(find("SPCR") == NULL);
}

TEST(an_address_in_the_xsdt_has_64_bits)
{
    fresh_machine();
    put(arena + XSDT_AT + 44, (uint64_t)arena + SPCR_AT + 0x100000000, 8);
    seal_table(XSDT_AT);
    CHECK(find("SPCR") == NULL);
}

TEST(an_xsdt_that_names_itself_ends)
{
    fresh_machine();
    put(arena + XSDT_AT + 36, (uint64_t)arena + XSDT_AT, 8);
    seal_table(XSDT_AT);
    CHECK(find("SPCR") == arena + SPCR_AT);
    CHECK(find("XSDT") == arena + XSDT_AT); /* once, and no further */
}

/* An SPCR as told, and what is made of it. */
static struct serial_port spcr_of(uint8_t revision, uint32_t length, uint8_t interface,
                                  const uint8_t gas[4], uint64_t address, uint8_t baud)
{
    struct serial_port port;
    memset(arena + SPCR_AT, 0, 128);
    uint8_t *spcr = table(SPCR_AT, "SPCR", length, revision);
    spcr[36] = interface;
    memcpy(spcr + 40, gas, 4);
    put(spcr + 44, address, 8);
    spcr[58] = baud;
    put(spcr + 76, 48000000, 4);
    put(spcr + 80, 921600, 4);
    return acpi_spcr(spcr, &port) ? port : (struct serial_port){ 0 };
}

#define IO            \
    (const uint8_t[]) \
    {                 \
        1, 8, 0, 1    \
    }
#define MMIO8         \
    (const uint8_t[]) \
    {                 \
        0, 8, 0, 1    \
    }

TEST(an_spcr_of_each_revision_says_what_it_knows)
{
    struct serial_port p = spcr_of(1, 80, 0, IO, 0x2f8, 7);
    CHECK_TEXT(p.from, "spcr");
    CHECK(!p.mmio && p.address == 0x2f8 && p.stride == 1 && p.width == 1);
    CHECK(p.clock == 1843200 && p.baud == 115200);
    p = spcr_of(2, 80, 0x12, MMIO8, 0xfe000000, 3);
    CHECK(p.mmio && p.address == 0xfe000000 && p.clock == 0 && p.baud == 9600);
    p = spcr_of(3, 80, 0x12, MMIO8, 0xfe000000, 4);
    CHECK(p.clock == 48000000 && p.baud == 19200);
    p = spcr_of(4, 88, 0x12, MMIO8, 0xfe000000, 6);
    CHECK(p.clock == 48000000 && p.baud == 921600);
}

TEST(what_lies_after_an_spcr_is_not_read)
{
    struct serial_port p = spcr_of(4, 80, 0x12, MMIO8, 0xfe000000, 6);
    CHECK(p.clock == 48000000 && p.baud == 57600);
    p = spcr_of(4, 79, 0x12, MMIO8, 0xfe000000, 6);
    CHECK(p.clock == 0 && p.baud == 57600);
    p = spcr_of(4, 75, 0x12, MMIO8, 0xfe000000, 6);
    CHECK(p.from == NULL);
    p = spcr_of(1, 36, 0, IO, 0x3f8, 7);
    CHECK(p.from == NULL);
}

TEST(a_speed_that_an_spcr_leaves_open_stays_the_firmwares)
{
    CHECK(spcr_of(1, 80, 0, IO, 0x3f8, 0).baud == 0);
    CHECK(spcr_of(1, 80, 0, IO, 0x3f8, 1).baud == 0);
    CHECK(spcr_of(1, 80, 0, IO, 0x3f8, 8).baud == 0);
    CHECK(spcr_of(1, 80, 0, IO, 0x3f8, 255).baud == 0);
}

TEST(the_wider_of_register_and_access_is_how_far_they_lie_apart)
{
    static const struct {
        uint8_t gas[4];
        uint8_t stride, width;
    } cases[] = {
        { { 0, 8, 0, 1 }, 1, 1 },  { { 0, 16, 0, 2 }, 2, 2 }, { { 0, 32, 0, 3 }, 4, 4 },
        { { 0, 32, 0, 1 }, 4, 1 }, { { 0, 32, 0, 0 }, 4, 4 }, { { 0, 0, 0, 3 }, 4, 4 },
        { { 0, 8, 0, 3 }, 4, 4 },  { { 0, 0, 0, 0 }, 1, 1 },  { { 0, 64, 0, 4 }, 1, 1 },
        { { 0, 32, 0, 9 }, 4, 4 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct serial_port p = spcr_of(2, 80, 0x12, cases[i].gas, 0xfe000000, 0);
        CHECK(p.stride == cases[i].stride && p.width == cases[i].width);
    }
}

TEST(what_is_no_16550_or_nowhere_is_no_port)
{
    CHECK(spcr_of(2, 80, 3, MMIO8, 0x9000000, 3).from == NULL);    /* ARM's PL011 */
    CHECK(spcr_of(2, 80, 0x0e, MMIO8, 0x9000000, 3).from == NULL); /* SBSA        */
    CHECK(spcr_of(2, 80, 0, IO, 0, 3).from == NULL);
    CHECK(spcr_of(2, 80, 0, IO, 0xfff9, 3).from == NULL);
    CHECK(spcr_of(2, 80, 0, IO, 0xfff8, 3).from != NULL);
    CHECK(spcr_of(2, 80, 0, IO, 0x1000003f8, 3).from == NULL);
    CHECK(spcr_of(2, 80, 0x12, MMIO8, 0x0000800000000000, 3).from == NULL);
    CHECK(spcr_of(2, 80, 0x12, MMIO8, 0xffffffffffffffff, 3).from == NULL);
    CHECK(spcr_of(2, 80, 0x12, (const uint8_t[]){ 0, 32, 0, 3 }, 0xfe000002, 3).from ==
          NULL);
    CHECK(spcr_of(2, 80, 0x12, (const uint8_t[]){ 2, 8, 0, 1 }, 0x10, 3).from == NULL);
    CHECK(spcr_of(2, 80, 0x12, (const uint8_t[]){ 0x7f, 8, 0, 1 }, 0x10, 3).from == NULL);
}

#define DEVICE(n) (arena + DBG2_AT + 44 + (n)*48)

/* A DBG2 with this many devices of 48 bytes, each an UART at FE000000h + 1000h n. */
static const uint8_t *dbg2_of(uint32_t devices)
{
    memset(arena + DBG2_AT, 0, 512);
    uint8_t *dbg2 = table(DBG2_AT, "DBG2", 44 + 48 * devices, 0);
    put(dbg2 + 36, 44, 4);
    put(dbg2 + 40, devices, 4);
    for (uint32_t i = 0; i < devices; i++) {
        uint8_t *device = DEVICE(i);
        put(device + 1, 48, 2);
        device[3] = 1;
        put(device + 12, 0x8000, 2);
        put(device + 14, 0x12, 2);
        put(device + 18, 22, 2);
        memcpy(device + 22, (const uint8_t[]){ 0, 32, 0, 3 }, 4);
        put(device + 26, 0xfe000000 + 0x1000 * i, 8);
    }
    return dbg2;
}

TEST(a_dbg2_names_several_ports)
{
    struct serial_port ports[4];
    CHECK(acpi_dbg2(dbg2_of(3), ports, 4) == 3);
    CHECK_TEXT(ports[0].from, "dbg2");
    CHECK(ports[0].address == 0xfe000000 && ports[2].address == 0xfe002000);
    CHECK(ports[2].stride == 4 && ports[2].width == 4 && ports[2].mmio);
    CHECK(ports[2].baud == 0 && ports[2].clock == 0);
    CHECK(acpi_dbg2(dbg2_of(3), ports, 2) == 2);
}

TEST(what_a_dbg2_has_besides_is_passed_over)
{
    struct serial_port ports[4];
    const uint8_t *dbg2 = dbg2_of(2);
    put(DEVICE(0) + 12, 0x8002, 2); /* USB */
    CHECK(acpi_dbg2(dbg2, ports, 4) == 1 && ports[0].address == 0xfe001000);
    dbg2 = dbg2_of(2);
    put(DEVICE(0) + 14, 3, 2); /* PL011 */
    CHECK(acpi_dbg2(dbg2, ports, 4) == 1 && ports[0].address == 0xfe001000);
    dbg2 = dbg2_of(2);
    DEVICE(0)[3] = 0; /* no address */
    CHECK(acpi_dbg2(dbg2, ports, 4) == 1 && ports[0].address == 0xfe001000);
}

TEST(a_dbg2_that_does_not_fit_is_not_believed)
{
    static const uint16_t addresses[] = { 0, 21, 37, 48, 0xffff };
    struct serial_port ports[4];
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        const uint8_t *dbg2 = dbg2_of(1);
        put(DEVICE(0) + 18, addresses[i], 2);
        CHECK(acpi_dbg2(dbg2, ports, 4) == 0);
    }
    const uint8_t *dbg2 = dbg2_of(1);
    put(DEVICE(0) + 18, 37, 2); /* one byte too far, and it would be a port */
    memcpy(DEVICE(0) + 37, DEVICE(0) + 22, 12);
    CHECK(acpi_dbg2(dbg2, ports, 4) == 0);
    put(DEVICE(0) + 18, 36, 2);
    memcpy(DEVICE(0) + 36, DEVICE(0) + 22, 12);
    CHECK(acpi_dbg2(dbg2, ports, 4) == 1);
    dbg2 = dbg2_of(1);
    put(DEVICE(0) + 1, 49, 2); /* longer than the table */
    CHECK(acpi_dbg2(dbg2, ports, 4) == 0);
    dbg2 = dbg2_of(1);
    put(DEVICE(0) + 1, 0, 2); /* would stand still */
    put(arena + DBG2_AT + 40, 0xffffffff, 4);
    CHECK(acpi_dbg2(dbg2, ports, 4) == 0);
    dbg2 = dbg2_of(1);
    put(arena + DBG2_AT + 40, 0xffffffff, 4);
    CHECK(acpi_dbg2(dbg2, ports, 4) == 1);
    static const uint32_t firsts[] = { 0, 36, 43, 92, 0x1000, 0xffffffff };
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        dbg2 = dbg2_of(1);
        put(arena + DBG2_AT + 36, firsts[i], 4);
        CHECK(acpi_dbg2(dbg2, ports, 4) == 0);
    }
    table(DBG2_AT, "DBG2", 40, 0);
    CHECK(acpi_dbg2(arena + DBG2_AT, ports, 4) == 0);
}

/* Nothing to hold it against but that it ends, and that a sanitizer sees no stray read. */
#define MADT_AT 0x800

/* Entries of a MADT, as the ACPI Specification has them. */
#define APIC(uid, id, flags) 0, 8, uid, id, flags, 0, 0, 0
#define X2APIC(id, flags)    9, 16, 0, 0, id, 1, 0, 0, flags, 0, 0, 0, 7, 0, 0, 0
#define NMI_PIN              4, 6, 0xff, 0, 0, 1

static const uint8_t *madt(const uint8_t *entries, uint32_t size)
{
    uint8_t *at = table(MADT_AT, "APIC", 44 + size, 3);
    memcpy(at + 44, entries, size);
    return at;
}
#define MADT(...) madt((const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }))

TEST(a_madt_lists_the_processors_that_are_on)
{
    uint32_t apic[8] = { 0 };
    const uint8_t *at = MADT(APIC(1, 0, 1), NMI_PIN, APIC(2, 4, 0), APIC(3, 2, 1),
                             APIC(4, 0xff, 1), X2APIC(0x34, 1), X2APIC(0x35, 2));
    CHECK(acpi_madt(at, apic, 8) == 3);
    CHECK(apic[0] == 0 && apic[1] == 2 && apic[2] == 0x134);
}

TEST(a_processor_that_a_madt_lists_twice_is_one)
{
    uint32_t apic[8] = { 0 };
    const uint8_t *at =
        MADT(APIC(1, 6, 1), 9, 16, 0, 0, 6, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0);
    CHECK(acpi_madt(at, apic, 8) == 1);
    CHECK(apic[0] == 6);
}

TEST(of_a_madt_no_more_are_taken_than_there_is_room_for)
{
    uint32_t apic[3] = { 9, 9, 9 };
    const uint8_t *at = MADT(APIC(1, 0, 1), APIC(2, 1, 1), APIC(3, 2, 1));
    CHECK(acpi_madt(at, apic, 2) == 2);
    CHECK(apic[0] == 0 && apic[1] == 1 && apic[2] == 9);
}

TEST(an_entry_that_does_not_fit_a_madt_ends_it)
{
    uint32_t apic[8] = { 0 };
    CHECK(acpi_madt(MADT(APIC(1, 0, 1), 0, 0, 5, 5, 1, 0, 0, 0), apic, 8) == 1);
    CHECK(acpi_madt(MADT(APIC(1, 0, 1), 0, 9, 5, 5, 1, 0, 0, 0), apic, 8) == 1);
    CHECK(acpi_madt(MADT(APIC(1, 0, 1), 0, 7, 5, 5, 1, 0, 0), apic, 8) == 1);
    CHECK(acpi_madt(MADT(APIC(1, 0, 1), 0), apic, 8) == 1);
}

TEST(random_bytes_lead_nowhere_outside)
{
    unsigned long long state = 1;
    struct serial_port ports[4];
    for (int round = 0; round < 20000; round++) {
        fresh_machine();
        for (int i = 0; i < 4; i++)
            arena[test_random(&state) % 0x700] = (uint8_t)test_random(&state);
        seal(arena + RSDP_AT, 20, 8);
        const uint8_t *spcr = find("SPCR"), *dbg2 = find("DBG2");
        CHECK(!spcr || reach((uint64_t)spcr, 36));
        if (spcr)
            acpi_spcr(spcr, ports);
        if (dbg2)
            acpi_dbg2(dbg2, ports, 4);
    }
}

void test_setup(void)
{
    arena = mmap(NULL, ARENA_SIZE, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (arena == MAP_FAILED) {
        printf("not ok arena - no memory below 4 GiB\n");
        exit(1);
    }
}
