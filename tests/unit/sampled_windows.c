// LINK: common/expected/check.c common/expected/visible.c common/branch/decode.c
// LINK: common/facts/model.c common/branch/pack.c common/facts/info.c common/log/portable.c
// LINK: common/facts/filter.c common/base/text.c common/branch/workload.c
// LINK: common/expected/record_filter.c common/facts/method_facts.c
// LINK: common/expected/expected.c common/facts/skip_code.c
#include "common/expected/sampled_windows.c"

#include "test.h"

/* An expected trace: in, a jump, four times round a loop, a call and its return, out. */
static const struct transfer way[] = {
    { 0x10, 0x100, KIND_ICALL },  { 0x108, 0x110, KIND_JMP }, { 0x114, 0x110, KIND_JCC },
    { 0x114, 0x110, KIND_JCC },   { 0x114, 0x110, KIND_JCC }, { 0x114, 0x110, KIND_JCC },
    { 0x118, 0x180, KIND_ICALL }, { 0x188, 0x11c, KIND_RET }, { 0x120, 0x12, KIND_RET },
};
#define IN    way[0]
#define JUMP  way[1]
#define ROUND way[2]
#define CALL  way[6]
#define BACK  way[7]
#define OUT   way[8]
#define GAP                                       \
    {                                             \
        BRANCH_MISSING, BRANCH_UNKNOWN, KIND_NONE \
    }

struct list {
    struct source source;
    const struct transfer *at;
    size_t count, given;
};

static bool next(struct source *source, struct transfer *out)
{
    struct list *list = (struct list *)source;

    if (list->given == list->count)
        return false;
    *out = list->at[list->given++];
    return true;
}

static void again(struct source *source)
{
    ((struct list *)source)->given = 0;
}

static struct sampled_result of(const struct transfer *got, size_t count)
{
    struct list records = { { next, again }, got, count, 0 };
    struct list expected = { { next, again }, way, sizeof way / sizeof way[0], 0 };

    return sampled_windows_check(&records.source, &expected.source, 3);
}
#define OF(...)                                  \
    of((const struct transfer[]){ __VA_ARGS__ }, \
       sizeof((const struct transfer[]){ __VA_ARGS__ }) / sizeof(struct transfer))

TEST(pieces_in_order_fit)
{
    struct sampled_result found = OF(JUMP, ROUND, ROUND, GAP, ROUND, CALL, BACK);

    CHECK(!found.wrong && found.pieces == 2 && found.full == 2 && found.rest == 0);
    found = OF(IN, JUMP, ROUND, GAP, OUT);
    CHECK(!found.wrong && found.pieces == 2 && found.full == 1 && found.rest == 1);
}

TEST(two_pieces_may_touch)
{
    CHECK(!OF(IN, JUMP, ROUND, GAP, ROUND, ROUND, ROUND, GAP, CALL, BACK, OUT).wrong);
}

TEST(no_record_is_no_piece)
{
    struct sampled_result found = of(way, 0);

    CHECK(!found.wrong && found.pieces == 0);
}

/* The finding about pieces of any size, as lbr-stream makes them. */
static struct sampled_result of_any_size(const struct transfer *got, size_t count)
{
    struct list records = { { next, again }, got, count, 0 };
    struct list expected = { { next, again }, way, sizeof way / sizeof way[0], 0 };

    return sampled_windows_check(&records.source, &expected.source, 0);
}

TEST(pieces_may_have_any_size)
{
    const struct transfer gap = GAP;
    const struct transfer right[] = { IN, gap, ROUND, ROUND, CALL, BACK, gap, OUT, gap };
    const struct transfer turned[] = { CALL, BACK, gap, JUMP, ROUND };

    CHECK(!of_any_size(right, sizeof right / sizeof right[0]).wrong);
    CHECK(of_any_size(turned, sizeof turned / sizeof turned[0]).wrong);
}

TEST(a_long_piece_is_looked_at_in_parts)
{
    struct transfer rounds[PIECE_MAX + 9];
    struct list expected = { { next, again }, rounds, PIECE_MAX + 9, 0 };
    struct list got = expected;

    for (size_t i = 0; i < PIECE_MAX + 8; i++)
        rounds[i] = ROUND;
    rounds[PIECE_MAX + 8] = OUT;
    CHECK(!sampled_windows_check(&got.source, &expected.source, 0).wrong);
    expected.count--;
    CHECK(sampled_windows_check(&got.source, &expected.source, 0).wrong);
}

TEST(two_pieces_never_overlap)
{
    struct sampled_result found = OF(ROUND, ROUND, ROUND, GAP, ROUND, ROUND, CALL);

    CHECK(found.wrong && found.pieces == 1 && found.number == 2 && found.index == 5);
    CHECK(found.got.from == 0x114 && found.want.from == 0x118);
}

TEST(pieces_out_of_order_are_wrong)
{
    struct sampled_result found = OF(CALL, BACK, OUT, GAP, IN);

    CHECK(found.wrong && found.nowhere && found.index == 4 && found.number == 1);
}

TEST(a_lost_record_is_where_most_fits)
{
    struct sampled_result found = OF(ROUND, BACK, OUT);

    CHECK(found.wrong && found.pieces == 0 && found.number == 2 && found.index == 1);
    CHECK(found.got.from == 0x188 && found.want.from == 0x114);
    found = OF(ROUND, CALL, OUT);
    CHECK(found.wrong && found.number == 3 && found.want.from == 0x188);
}

TEST(a_doubled_record_is_wrong)
{
    struct sampled_result found = OF(CALL, CALL, BACK);

    CHECK(found.wrong && found.number == 2 && found.got.from == 0x118);
    CHECK(found.want.from == 0x188);
}

TEST(a_record_after_the_end_is_wrong)
{
    struct sampled_result found = OF(BACK, OUT, OUT);

    CHECK(found.wrong && found.ended && found.number == 3 && found.index == 2);
}

TEST(a_wrong_end_is_wrong)
{
    CHECK(OF({ 0x109, 0x110, KIND_JMP }).wrong);
    CHECK(OF({ 0x108, 0x111, KIND_JMP }).wrong);
    CHECK(!OF({ 0x108, 0x110, KIND_JMP }).wrong);
}

TEST(a_short_piece_is_the_last)
{
    struct sampled_result found = OF(IN, JUMP, GAP, ROUND, ROUND, ROUND);

    CHECK(found.wrong && found.early && found.number == 2 && found.index == 1);
    CHECK(found.pieces == 0);
    CHECK(OF(GAP, IN).early);
    CHECK(OF(IN, JUMP, ROUND, GAP).early);
    CHECK(OF(IN, JUMP, ROUND, GAP, GAP, OUT).early);
}

TEST(a_long_piece_is_wrong)
{
    struct sampled_result found = OF(IN, JUMP, ROUND, ROUND);

    CHECK(found.wrong && found.too_long && found.index == 3);
}
