// LINK: workloads everybranch
#include "tools/log/pt_stream.c"

#include "test.h"

/*
 * The packets are written by hand, from the tables of SDM vol. 3C, "Intel Processor Trace",
 * "Packet Definitions".  The code lies at 0x1000.
 */
static const uint8_t code[] = {
    0x90,                         /* 00 nop                                       */
    0xe8, 0x0a, 0x00, 0x00, 0x00, /* 01 call 10                                   */
    0xeb, 0x01,                   /* 06 jmp 09                                    */
    0x90,                         /* 08 nop                                       */
    0xff, 0xd0,                   /* 09 call rax                                  */
    0xc3,                         /* 0b ret: where its call was is in no trace    */
    0x90, 0x90, 0x90, 0x90,       /* 0c nop                                       */
    0x39, 0xd8,                   /* 10 cmp eax, ebx                              */
    0x75, 0xfc,                   /* 12 jne 10                                    */
    0x74, 0x00,                   /* 14 je 16, which is the next instruction      */
    0xc3,                         /* 16 ret                                       */
    0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, /* 17 nop               */
    0x90,                                                 /* 20 nop               */
    0x0f, 0x30,                                           /* 21 wrmsr             */
    0x48, 0xcf,                                           /* 23 iretq             */
    0xeb, 0xfe,                                           /* 25 jmp 25            */
};
#define AT(offset)       (UINT64_C(0x1000) + (offset))
#define AT_BYTES(offset) (offset), 0x10 /* of an address: the lowest 2 */

#define PSB                                                                             \
    0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, \
        0x02, 0x82
#define MODE_64     0x99, 0x01 /* MODE.Exec: CS.L = 1, CS.D = 0 */
#define PSBEND      0x02, 0x23
#define PGE(offset) 0x31, AT_BYTES(offset) /* TIP.PGE, 16 bits of address */
#define TIP(offset) 0x2d, AT_BYTES(offset)
#define FUP(offset) 0x3d, AT_BYTES(offset)
#define PGD         0x01 /* TIP.PGD without an address */
#define PGD_IP(at)  0x21, AT_BYTES(at)
#define OVF         0x02, 0xf3
#define BEGIN       PSB, MODE_64, PSBEND, PGE(0x00)

/* A short TNT packet: the stop bit, the bits with the oldest first, and a 0. */
#define TNT_11011 0x76
#define TNT_001   0x12
#define TNT_01    0x0a
#define TNT_000   0x10

static struct pt_found found[32], last;
static size_t count;

static size_t read_code_here(void *of, uint64_t at, uint8_t *out, size_t size)
{
    uint64_t offset = at - 0x1000;

    (void)of;
    if (offset >= sizeof(code))
        return 0;
    if (size > sizeof(code) - offset)
        size = sizeof(code) - (size_t)offset;
    memcpy(out, code + offset, size);
    return size;
}

static void keep(void *of, const struct pt_found *one)
{
    (void)of;
    last = *one;
    if (count < sizeof(found) / sizeof(*found))
        found[count++] = *one;
}

static const struct pt_user user = { .read = read_code_here, .found = keep };

static bool is(size_t i, enum pt_what what, uint64_t from, uint64_t to)
{
    if (i < count && found[i].what == what && found[i].from == from && found[i].to == to)
        return true;
    if (i < count)
        printf("# %d: %d 0x%llx -> 0x%llx %s\n", (int)i, found[i].what,
               (unsigned long long)found[i].from, (unsigned long long)found[i].to,
               found[i].why ? found[i].why : "");
    return false;
}

#define WALK(...)                                        \
    do {                                                 \
        static const uint8_t bytes_[] = { __VA_ARGS__ }; \
        count = 0;                                       \
        CHECK(pt_walk(bytes_, sizeof(bytes_), &user));   \
    } while (0)

TEST(a_walk_has_every_branch_in_order_and_those_not_taken)
{
    WALK(BEGIN, TNT_11011, TIP(0x10), TNT_001, TIP(0x20), FUP(0x21), TIP(0x23), TIP(0x21),
         FUP(0x21), PGD);
    CHECK(count == 16);
    CHECK(is(0, PT_BEGIN, PT_NOWHERE, AT(0x00)));
    CHECK(is(1, PT_TAKEN, AT(0x01), AT(0x10)));
    CHECK(is(2, PT_TAKEN, AT(0x12), AT(0x10)));
    CHECK(is(3, PT_TAKEN, AT(0x12), AT(0x10)));
    CHECK(is(4, PT_NOT_TAKEN, AT(0x12), AT(0x14)));
    CHECK(is(5, PT_TAKEN, AT(0x14), AT(0x16)));
    CHECK(is(6, PT_TAKEN, AT(0x16), AT(0x06))); /* the return that was compressed */
    CHECK(is(7, PT_TAKEN, AT(0x06), AT(0x09)));
    CHECK(is(8, PT_TAKEN, AT(0x09), AT(0x10)));
    CHECK(is(9, PT_NOT_TAKEN, AT(0x12), AT(0x14)));
    CHECK(is(10, PT_NOT_TAKEN, AT(0x14), AT(0x16)));
    CHECK(is(11, PT_TAKEN, AT(0x16), AT(0x0b)));
    CHECK(is(12, PT_TAKEN, AT(0x0b), AT(0x20))); /* the return that was not */
    CHECK(is(13, PT_EVENT, AT(0x21), AT(0x23)));
    CHECK(is(14, PT_TAKEN, AT(0x23), AT(0x21)));
    CHECK(is(15, PT_END, AT(0x21), PT_NOWHERE));
}

/* As where only one ring is traced: by IRETQ to another and back, then by an event. */
TEST(packets_stop_at_a_far_branch_or_an_event_and_go_on_elsewhere)
{
    WALK(BEGIN, TNT_01, TIP(0x23), PGD, PGE(0x06), TIP(0x20), FUP(0x21), PGD, PGE(0x20),
         FUP(0x21), PGD_IP(0x08));
    CHECK(count == 12);
    CHECK(is(3, PT_TAKEN, AT(0x14), AT(0x16)));
    CHECK(is(4, PT_TAKEN, AT(0x16), AT(0x23)));
    CHECK(is(5, PT_END, AT(0x23), PT_NOWHERE)); /* the IRETQ, which has no FUP */
    CHECK(is(6, PT_BEGIN, PT_NOWHERE, AT(0x06)));
    CHECK(is(7, PT_TAKEN, AT(0x06), AT(0x09)));
    CHECK(is(8, PT_TAKEN, AT(0x09), AT(0x20)));
    CHECK(is(9, PT_END, AT(0x21), PT_NOWHERE)); /* nothing at 21 ran */
    CHECK(is(10, PT_BEGIN, PT_NOWHERE, AT(0x20)));
    CHECK(is(11, PT_END, AT(0x21), AT(0x08)));
}

TEST(a_return_with_the_bit_not_taken_does_not_fit)
{
    WALK(BEGIN, TNT_11011, TIP(0x10), TNT_000, TIP(0x20), PGD);
    CHECK(count > 0 && found[count - 1].what == PT_WRONG && found[count - 1].why);
    for (size_t i = 0; i < count; i++)
        CHECK(found[i].what != PT_END);
}

TEST(after_packets_that_do_not_fit_the_next_boundary_is_read)
{
    WALK(BEGIN, TIP(0x10), PGD, BEGIN, TNT_11011, TIP(0x0b), TIP(0x21), PGD);
    CHECK(count > 2 && found[count - 1].what == PT_END);
    CHECK(is(count - 2, PT_TAKEN, AT(0x0b), AT(0x21)));
}

TEST(a_circle_without_a_packet_has_an_end)
{
    WALK(PSB, MODE_64, PSBEND, PGE(0x25), TIP(0x10), PGD);
    CHECK(last.what == PT_WRONG);
    CHECK_TEXT(last.why, "the code runs in a circle that needs no packet");
}

TEST(an_overflow_is_reported_where_the_trace_goes_on)
{
    WALK(BEGIN, TNT_11011, OVF, FUP(0x14), 0x04 /* TNT: 0 */, TIP(0x21), PGD);
    CHECK(is(count - 4, PT_OVERFLOW, PT_NOWHERE, AT(0x14)));
    CHECK(is(count - 3, PT_NOT_TAKEN, AT(0x14), AT(0x16)));
    CHECK(is(count - 2, PT_TAKEN, AT(0x16), AT(0x21)));
}

TEST(a_branch_to_where_no_code_is_given_is_the_last_one)
{
    WALK(BEGIN, TNT_11011, TIP(0x80), TNT_001, PGD);
    CHECK(is(count - 2, PT_TAKEN, AT(0x09), AT(0x80)));
    CHECK(is(count - 1, PT_NO_CODE, PT_NOWHERE, AT(0x80)));
}

TEST(packets_are_counted_without_code)
{
    static const uint8_t
        bytes[] = { 0x77, BEGIN,     TNT_11011, TIP(0x10), TNT_001, 0x00,
                    OVF,  FUP(0x14), PGD,       0x02,      0x99 /* no packet */ };
    static const uint8_t none[] = { 0x00, 0x00, 0x02, 0x82 };
    struct pt_packets packets = pt_count(bytes, sizeof(bytes));

    CHECK(packets.psbs == 1 && packets.skipped == 1 && packets.padding == 1);
    CHECK(packets.packets == 4 + 6);
    CHECK(packets.taken == 5 && packets.not_taken == 3 && packets.targets == 1);
    CHECK(packets.overflows == 1);
    CHECK(packets.wrong == 1 && packets.wrong_at == sizeof(bytes) - 2);
    packets = pt_count(none, sizeof(none));
    CHECK(packets.psbs == 0 && packets.skipped == sizeof(none));
    CHECK(!pt_walk(none, sizeof(none), &user));
}
