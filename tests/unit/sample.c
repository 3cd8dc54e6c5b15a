// LINK: common/expected/check.c common/expected/visible.c common/branch/decode.c
// LINK: common/facts/model.c common/branch/pack.c common/facts/info.c common/log/portable.c
// LINK: common/facts/filter.c common/base/text.c common/branch/workload.c
// LINK: common/expected/record_filter.c common/facts/pmu.c common/facts/method_facts.c
// LINK: common/expected/expected.c common/facts/skip_code.c
#include "common/expected/sample.c"

#include "test.h"

/* An expected trace: into 0x100, twice round a loop at 0x110, a fault at 0x118 and back,
 * out. */
static const struct transfer way[] = {
    { 0x10, 0x100, KIND_ICALL }, { 0x108, 0x110, KIND_JMP }, { 0x114, 0x110, KIND_JCC },
    { 0x114, 0x110, KIND_JCC },  { 0x118, 0x180, KIND_EXC }, { 0x188, 0x118, KIND_IRET },
    { 0x120, 0x12, KIND_RET },
};
#define WAY (sizeof way / sizeof way[0])

static struct {
    struct source source;
    size_t at;
} expected;

static bool next(struct source *source, struct transfer *out)
{
    (void)source;
    if (expected.at == WAY)
        return false;
    *out = way[expected.at++];
    return true;
}

static void rewind_expected(struct source *source)
{
    (void)source;
    expected.at = 0;
}

#define NEAR_KINDS \
    (COUNTS(KIND_JCC) | COUNTS(KIND_JMP) | COUNTS(KIND_ICALL) | COUNTS(KIND_RET))

static bool prompt = true;

static struct sample_result of(const struct branch *stops, size_t count, bool loaded,
                               uint64_t period)
{
    struct sampling how = {
        .counts = NEAR_KINDS, .countable = loaded, .prompt = prompt, .period = period
    };
    expected.source = (struct source){ next, rewind_expected };
    return sample_check(stops, count, &expected.source, &how);
}
#define OF(loaded, period, ...)                                                        \
    of((const struct branch[]){ __VA_ARGS__ },                                         \
       sizeof((const struct branch[]){ __VA_ARGS__ }) / sizeof(struct branch), loaded, \
       period)
#define AT(to)                \
    {                         \
        BRANCH_UNKNOWN, to, 0 \
    }
#define LATE(to, late)           \
    {                            \
        BRANCH_UNKNOWN, to, late \
    }

TEST(every_counted_branch_stops_at_its_target)
{
    struct sample_result found =
        OF(true, 1, AT(0x100), AT(0x110), AT(0x110), AT(0x110), AT(0x12));
    CHECK(!found.wrong && found.transfers == 5 && found.used == 5);
}

TEST(every_second_one_is_every_second_one)
{
    struct sample_result found = OF(true, 2, AT(0x110), AT(0x110));
    CHECK(!found.wrong && found.transfers == 5 && found.used == 4);
    CHECK(OF(true, 2, AT(0x100)).wrong);
}

TEST(a_stop_elsewhere_is_named_with_its_place)
{
    struct sample_result found = OF(true, 1, AT(0x100), AT(0x114));
    CHECK(found.wrong && !found.ended && found.index == 1 && found.got == 0x114);
    CHECK(found.number == 2 && found.after.from == 0x108 && found.after.to == 0x110);
}

TEST(what_if_holds_back_may_be_anywhere_before_the_next_that_counts)
{
    prompt = false;
    CHECK(!OF(true, 1, AT(0x100), AT(0x112)).wrong);
    CHECK(OF(true, 1, AT(0x100), AT(0x115)).wrong); /* after the next Jcc */
    CHECK(OF(true, 1, AT(0x100), AT(0x106)).wrong); /* before it          */
    CHECK(!OF(true, 4, AT(0x184)).wrong);           /* in the handler     */
    prompt = true;
    CHECK(OF(true, 1, AT(0x100), AT(0x112)).wrong);
}

TEST(more_stops_than_branches_are_too_many)
{
    struct sample_result found =
        OF(true, 1, AT(0x100), AT(0x110), AT(0x110), AT(0x110), AT(0x12), AT(0x12));
    CHECK(found.wrong && found.ended && found.index == 5 && found.number == 6);
}

TEST(a_late_stop_lies_in_the_line_that_its_count_tells)
{
    CHECK(!OF(true, 1, LATE(0x112, 1)).wrong); /* after the second  */
    CHECK(!OF(true, 1, LATE(0x110, 1)).wrong);
    CHECK(OF(true, 1, LATE(0x106, 1)).wrong);  /* before it         */
    CHECK(OF(true, 1, LATE(0x115, 1)).wrong);  /* after the next Jcc  */
    CHECK(!OF(true, 1, LATE(0x116, 3)).wrong); /* before the fault  */
    CHECK(!OF(true, 1, LATE(0x184, 3)).wrong); /* in its handler    */
    CHECK(!OF(true, 1, LATE(0x11c, 3)).wrong); /* after that        */
    CHECK(OF(true, 1, LATE(0x121, 3)).wrong);  /* after the return  */
    CHECK(OF(true, 1, LATE(0x12, 3)).wrong);   /* which would count */
}

TEST(what_is_late_moves_the_next_one)
{
    CHECK(!OF(true, 1, LATE(0x110, 2), AT(0x110), AT(0x12)).wrong);
    CHECK(OF(true, 1, LATE(0x110, 2), AT(0x12)).wrong);
}

TEST(what_no_truth_counts_lies_on_its_way_in_order)
{
    CHECK(!OF(false, 9, AT(0x104), AT(0x10c + 6), AT(0x184), AT(0x119), AT(0x12)).wrong);
    CHECK(!OF(false, 9, AT(0x180), AT(0x180)).wrong);
    struct sample_result found = OF(false, 9, AT(0x184), AT(0x104));
    CHECK(found.wrong && found.ended && found.index == 1 && found.got == 0x104);
    CHECK(OF(false, 9, AT(0x130)).wrong);
}

TEST(nothing_stops_before_the_call)
{
    CHECK(OF(false, 1, AT(0x10)).wrong);
}

TEST(the_expectation_has_the_transfers_that_overflow)
{
    const struct sampling how = { .counts = NEAR_KINDS, .countable = true, .period = 2 };
    struct sampled sampled;
    struct transfer t;
    expected.source = (struct source){ next, rewind_expected };
    sampled_of(&sampled, &expected.source, &how);
    CHECK(sampled.source.next(&sampled.source, &t) && t.from == 0x108);
    CHECK(sampled.source.next(&sampled.source, &t) && t.from == 0x114);
    CHECK(!sampled.source.next(&sampled.source, &t));
}
