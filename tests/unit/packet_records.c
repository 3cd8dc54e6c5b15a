// LINK: workloads everybranch
/* Packets are packed by the kernel's writer, and unpacked as the host program does it. */
#include "tools/log/packet_records.c"

#include "put.h"
#include "filter.h"
#include "test.h"

#define SIZE 6000

static struct pack state;
static uint8_t packed[1 << 16], packets[SIZE];
static uint8_t kept[64];
static bool says_bits;

/* Of the lines that are put only `packets` is looked at: `packed` has the bytes. */
static size_t packed_size;

static void take_line(const struct text *line, size_t body)
{
    (void)body;
    if (strncmp(line->at, "packets ", 8) == 0) {
        const char *size = strstr(line->at, "packed=");
        says_bits = strstr(line->at, "unit=bit");
        packed_size = size ? (size_t)strtoul(size + 7, NULL, 10) : 0;
    }
}

static bool comes_back(void)
{
    struct run_lines lines = { .packets = true };
    struct arena memory = { 0 };

    put_records_init(
        &(struct packing){ &state, packed, kept, sizeof(packed), sizeof(kept) });
    put_to(take_line);
    put_packets(packets, SIZE, 0);
    lines.bytes = arena_keep(&memory, zeroed(packed_size + 1, 1));
    memcpy(lines.bytes, packed, packed_size);
    lines.size = packed_size;
    lines.unpacked_size = SIZE;
    lines.by_bits = says_bits;
    bool same = packets_unpack(&memory, &lines) && lines.size == SIZE &&
                memcmp(lines.bytes, packets, SIZE) == 0;
    arena_release(&memory);
    return same;
}

/* A branch by chance and one of seven rounds, by turns, in packets of six bits. */
static void make_bits(void)
{
    uint32_t random = 1;
    for (size_t i = 0; i < SIZE; i++) {
        packets[i] = TNT_ALL_BITS;
        for (size_t bit = 0; bit < TNT_BITS; bit++) {
            random = random * 1103515245 + 12345;
            bool taken =
                (i * TNT_BITS + bit) % 2 ? random >> 30 & 1 : (i * TNT_BITS + bit) % 14;
            packets[i] |= (uint8_t)(taken << (TNT_BITS - bit));
        }
    }
}

static void make_bytes(void)
{
    for (size_t i = 0; i < SIZE; i++)
        packets[i] = (uint8_t) "\x2d\xde\xca\xfe\x06\x1d\x80\xff"[i % 8];
}

static void add_each_byte(void)
{
    for (size_t i = 0; i < 256; i++)
        packets[SIZE - 256 + i] = (uint8_t)i;
}

TEST(bits_that_repeat_are_packed_by_bits)
{
    make_bits();
    CHECK(comes_back());
    CHECK(says_bits && packed_size < SIZE * 3 / 4);
}

TEST(bytes_that_repeat_are_packed_by_bytes)
{
    make_bytes();
    CHECK(comes_back());
    CHECK(!says_bits && packed_size < 200);
}

TEST(each_byte_comes_back_either_way)
{
    make_bits();
    add_each_byte();
    CHECK(comes_back() && says_bits);
    make_bytes();
    add_each_byte();
    CHECK(comes_back() && !says_bits);
}

TEST(bits_that_are_not_six_are_refused)
{
    struct run_lines lines = { .packets = true, .by_bits = true, .unpacked_size = 2 };
    struct arena memory = { 0 };

    pack_begin(&state, packed, sizeof(packed));
    for (int i = 0; i < 5; i++)
        pack_add(&state, &(struct branch){ .from = TNT_BIT });
    pack_add(&state, &(struct branch){ .from = 7 });
    lines.size = pack_end(&state);
    lines.bytes = packed;
    CHECK(!packets_unpack(&memory, &lines));
    lines.by_bits = false; /* and bits at all where there are none */
    CHECK(!packets_unpack(&memory, &lines));
    arena_release(&memory);
}

/* Packets of a run in which a ring is left out.  The window lies at 0x5000. */
static struct branch decoded[8];

static size_t decode_all(bool by_ring, const struct pt_found *found, size_t count)
{
    static const struct workload empty;
    static struct log log;
    const struct loaded nowhere = { .own = &empty };
    struct run_lines lines = { .packets = true };
    struct decoding decoding = {
        .log = &log, .newest = &nowhere, .lines = &lines, .by_ring = by_ring
    };

    log.machine.caller.at.value = 0x5000;
    log.machine.window_size = 0x20;
    for (size_t i = 0; i < count; i++)
        take(&decoding, &found[i]);
    memcpy(decoded, lines.records, lines.record_count * sizeof(*decoded));
    free(lines.records);
    return lines.record_count;
}

static bool is(size_t i, uint64_t from, uint64_t to)
{
    return decoded[i].from == from && decoded[i].to == to;
}

static const struct pt_found between_rings[] = {
    { .what = PT_BEGIN, .from = PT_NOWHERE, .to = 0x5004 }, /* WRMSR turned it on  */
    { .what = PT_TAKEN, .from = 0x5006, .to = 0x1000 },
    { .what = PT_END, .from = 0x1002, .to = PT_NOWHERE },
    { .what = PT_BEGIN, .from = PT_NOWHERE, .to = 0x1010 },
    { .what = PT_END,
      .from = 0x1012,
      .to = 0x1020 }, /* an address that should not be there */
    { .what = PT_BEGIN, .from = PT_NOWHERE, .to = 0x1014 },
    { .what = PT_TAKEN, .from = 0x1016, .to = 0x5008 },
    { .what = PT_END, .from = 0x5010, .to = PT_NOWHERE }, /* WRMSR turned it off */
};

TEST(where_packets_stop_between_rings_is_one_end_of_a_branch)
{
    CHECK(decode_all(true, between_rings, 8) == 6);
    CHECK(is(0, 0x5006, 0x1000));
    CHECK(is(1, 0x1002, BRANCH_FILTERED));
    CHECK(is(2, BRANCH_FILTERED, 0x1010));
    CHECK(is(3, 0x1012, 0x1020));
    CHECK(is(4, BRANCH_FILTERED, 0x1014));
    CHECK(is(5, 0x1016, 0x5008));
}

TEST(where_packets_stop_of_themselves_is_no_branch)
{
    CHECK(decode_all(false, between_rings, 8) == 2); /* an SMI stops them, too */
    CHECK(is(0, 0x5006, 0x1000) && is(1, 0x1016, 0x5008));
}
