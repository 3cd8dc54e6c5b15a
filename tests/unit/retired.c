// LINK: workloads everybranch
#include "tools/judge/retired.c"

#include "test.h"
#include "common/base/count_of.h"
#include "traced.h"

/* Assembled by hand; a handler at its end. */
static const uint8_t code[] = {
    0x90,       /* 00 nop   */
    0x74, 0x02, /* 01 je 05 */
    0x90,       /* 03 nop   */
    0x90,       /* 04 nop   */
    0xc3,       /* 05 ret   */
    0x48, 0xcf, /* 06 iretq */
};
static const struct stub stubs[] = { { 0x80, 0x06 } };

static struct retired of(const struct taken *expect, uint32_t rows)
{
    static struct traced t;

    traced(&t, "pmi", code, sizeof(code));
    t.own.stubs = stubs;
    t.own.stub_count = COUNT_OF(stubs);
    t.own.expect = expect;
    t.own.rows = rows;
    return retired_of(&t.log, &t.run);
}

TEST(code_runs_straight_between_two_transfers)
{
    static const struct taken way[] = {
        { .from = CALLER, .to = 0x00, .kind = KIND_ICALL, .times = 1 },
        { .from = 0x05, .to = CALLER, .kind = KIND_RET, .times = 1 },
    };
    struct retired all = of(way, COUNT_OF(way));

    CHECK(all.known && all.insns == 5 && all.not_taken == 1 && all.branches == 2);
}

TEST(what_is_struck_before_it_runs_retires_once)
{
    static const struct taken way[] = {
        { .from = CALLER, .to = 0x00, .kind = KIND_ICALL, .times = 1 },
        { .from = 0x03, .to = 0x06, .kind = KIND_EXC, .times = 1 },
        { .from = 0x06, .to = 0x03, .kind = KIND_IRET, .times = 1 },
        { .from = 0x05, .to = CALLER, .kind = KIND_RET, .times = 1 },
    };
    struct retired all = of(way, COUNT_OF(way));

    CHECK(all.known && all.insns == 6 && all.not_taken == 1 && all.branches == 3);
}

TEST(a_struck_jcc_is_taken_or_not_after_the_handler_alone)
{
    static const struct taken taken[] = {
        { .from = CALLER, .to = 0x00, .kind = KIND_ICALL, .times = 1 },
        { .from = 0x01, .to = 0x06, .kind = KIND_EXC, .times = 1 },
        { .from = 0x06, .to = 0x01, .kind = KIND_IRET, .times = 1 },
        { .from = 0x01, .to = 0x05, .kind = KIND_JCC, .times = 1 },
        { .from = 0x05, .to = CALLER, .kind = KIND_RET, .times = 1 },
    };
    static const struct taken passed[] = {
        { .from = CALLER, .to = 0x00, .kind = KIND_ICALL, .times = 1 },
        { .from = 0x01, .to = 0x06, .kind = KIND_EXC, .times = 1 },
        { .from = 0x06, .to = 0x01, .kind = KIND_IRET, .times = 1 },
        { .from = 0x05, .to = CALLER, .kind = KIND_RET, .times = 1 },
    };
    struct retired all = of(taken, COUNT_OF(taken));

    CHECK(all.known && all.insns == 4 && all.not_taken == 0 && all.branches == 3);
    all = of(passed, COUNT_OF(passed));
    CHECK(all.known && all.insns == 6 && all.not_taken == 1 && all.branches == 3);
}
