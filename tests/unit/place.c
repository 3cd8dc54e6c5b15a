// LINK: workloads everybranch
#include "tools/log/place.c"

#include <stdlib.h>

#include "test.h"
#include "common/base/count_of.h"

#define AT(offset) (0x10000u + (offset))

static const struct taken expected[] = {
    { .kind = KIND_ICALL,
      .from = CALLER,
      .to = 0,
      .from_label = "",
      .to_label = ".start_of_longs" },
    { .kind = KIND_JMP, .from = 0, .to = 9, .from_label = ".jump", .to_label = ".top" },
    { .kind = KIND_RET, .from = 9, .to = CALLER, .from_label = ".done", .to_label = "" },
};
static const struct workload own = {
    .name = "own", .size = 0x1000, .expect = expected, .rows = COUNT_OF(expected)
};
static struct log_map map = { .workload = &own,
                              .workload_at = AT(0),
                              .call = 0x5e001200,
                              .back = 0x5e001202,
                              .image_at = 0x5e000000,
                              .image_size = 0x40000 };
static struct place_words words;

static bool says(uint64_t address, enum log_end end)
{
    char *want = place_text(&map, address, end);
    bool same = span_is(place_word(&words, address, end), want);

    if (!same)
        printf("# want %s\n", want);
    free(want);
    return same;
}

/* All that a place can be, and others that are kept at the same spot. */
static const uint64_t addresses[] = {
    AT(0),
    AT(9),
    AT(0x10),
    AT(PLACES_SAID),
    AT(2 * PLACES_SAID),
    0x5e001200,
    0x5e001202,
    0x5e000000,
    0x5e000000 + PLACES_SAID,
    0,
    PLACES_SAID,
    0x7fffffffffffffff,
    BRANCH_UNKNOWN,
    BRANCH_MISSING,
};

TEST(words_that_are_kept_are_those_that_are_made)
{
    place_words_of(&words, &map);
    for (int times = 0; times < 3; times++)
        for (size_t i = 0; i < COUNT_OF(addresses); i++) {
            CHECK(says(addresses[i], LOG_FROM) && says(addresses[i], LOG_FROM));
            CHECK(says(addresses[i], LOG_TO) && says(addresses[i], LOG_TO));
        }
}

TEST(both_ends_live_side_by_side)
{
    struct span from, to;

    place_words_of(&words, &map);
    from = place_word(&words, 0x7fffffffffffffff, LOG_FROM);
    to = place_word(&words, AT(0), LOG_TO);
    CHECK(span_is(from, "0x7fffffffffffffff"));
    CHECK(span_is(to, ".start_of_longs"));
}

TEST(another_map_has_other_words)
{
    place_words_of(&words, &map);
    CHECK(says(AT(9), LOG_TO) && says(AT(0x10), LOG_TO));
    map.workload_at += 9;
    place_words_of(&words, &map);
    CHECK(says(AT(9), LOG_TO) && says(AT(0x10), LOG_TO));
    map.workload_at -= 9;
}
