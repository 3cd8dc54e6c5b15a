// LINK: workloads everybranch
#include "tools/log/recent.c"

#include <stdlib.h>

#include "lines.h"
#include "parse.h"
#include "test.h"

#define BYTES_ROOM (1u << 20)
#define PIECE      1000 /* records at a time */

static uint8_t bytes[BYTES_ROOM];
static struct pack packing;
static struct log log_of_two;
static struct loaded loaded = { .at = 0x5e010000 };
static struct unfold one, other, again;

/* The nth record of a run: a loop of so many different ones. */
static struct branch nth(uint64_t n, uint64_t different)
{
    return (struct branch){ 0x7000000000 + n % different * 16, 0x7000000000, 0 };
}

static struct run packed_run(uint64_t records, uint64_t different)
{
    struct run run = { .workload = &loaded, .method = method_named("bts") };
    struct branch record;

    pack_begin(&packing, bytes, sizeof(bytes));
    for (uint64_t i = 0; i < records; i++) {
        record = nth(i, different);
        pack_add(&packing, &record);
    }
    lines_of_packed(&log_of_two, &run, bytes, pack_end(&packing), records);
    return run;
}

static void begin(void)
{
    loaded.own = own_workload((struct span){ "loop", strlen("loop") });
    recent_free(log_of_two.recent);
    free(log_of_two.bytes);
    log_of_two = (struct log){ .bytes = zeroed(2, BYTES_ROOM),
                               .recent = zeroed(1, sizeof(struct recent)) };
}

/* Whether the next `count` records are right, the first of them number `from`. */
static bool gives(struct unfold *unfold, uint64_t from, uint64_t count, uint64_t different)
{
    struct branch got, want;

    for (uint64_t i = from; i < from + count; i++) {
        want = nth(i, different);
        if (!unfold->records.next(&unfold->records, &got) ||
            memcmp(&got, &want, sizeof(got)) != 0)
            return false;
    }
    return true;
}

static bool ends(struct unfold *unfold)
{
    struct branch got;

    return !unfold->records.next(&unfold->records, &got) && unfold_whole(unfold);
}

TEST(what_was_unpacked_is_there_once_more)
{
    struct run run;

    begin();
    run = packed_run(3 * PIECE, 7);
    for (int times = 0; times < 3; times++) {
        unfold_of(&one, &log_of_two, &run);
        CHECK(gives(&one, 0, 3 * PIECE, 7) && ends(&one));
        CHECK(one.again == (times > 0));
    }
}

TEST(what_was_not_read_to_its_end_is_not)
{
    struct run run;

    begin();
    run = packed_run(3 * PIECE, 7);
    unfold_of(&one, &log_of_two, &run);
    CHECK(gives(&one, 0, PIECE, 7));
    unfold_of(&other, &log_of_two, &run);
    CHECK(gives(&other, 0, 3 * PIECE, 7) && ends(&other) && !other.again);
}

/* Each takes the place of the other's records. */
TEST(two_that_are_read_side_by_side_do_not_mix)
{
    struct run first, second;

    begin();
    first = packed_run(3 * PIECE, 7);
    second = packed_run(3 * PIECE, 900);
    unfold_of(&one, &log_of_two, &first);
    unfold_of(&other, &log_of_two, &second);
    for (uint64_t at = 0; at < 3 * PIECE; at += PIECE) {
        CHECK(gives(&one, at, PIECE, 7));
        CHECK(gives(&other, at, PIECE, 900));
    }
    CHECK(ends(&one) && ends(&other));
}

TEST(one_that_loses_its_place_goes_on_where_it_was)
{
    struct run first, second;

    begin();
    first = packed_run(3 * PIECE, 7);
    second = packed_run(3 * PIECE, 900);
    unfold_of(&one, &log_of_two, &first);
    CHECK(gives(&one, 0, 3 * PIECE, 7) && ends(&one));
    unfold_of(&again, &log_of_two, &first);
    CHECK(gives(&again, 0, PIECE, 7) && again.again);
    unfold_of(&other, &log_of_two, &second);
    CHECK(gives(&other, 0, 1, 900));
    CHECK(gives(&again, PIECE, 2 * PIECE, 7) && !again.again && ends(&again));
    CHECK(gives(&other, 1, 3 * PIECE - 1, 900) && ends(&other));
}

TEST(more_different_ones_than_are_remembered_come_all_the_same)
{
    const uint64_t different = PACK_KNOWN_MAX + 1;
    struct run run;

    begin();
    run = packed_run(2 * different, different);
    for (int times = 0; times < 2; times++) {
        unfold_of(&one, &log_of_two, &run);
        CHECK(gives(&one, 0, 2 * different, different) && ends(&one) && !one.again);
    }
}

TEST(more_than_there_is_room_for_are_not_kept)
{
    struct run run;

    begin();
    run = packed_run(RECENT_MAX + 1, 7);
    for (int times = 0; times < 2; times++) {
        unfold_of(&one, &log_of_two, &run);
        CHECK(gives(&one, 0, RECENT_MAX + 1, 7) && ends(&one) && !one.again);
        CHECK(log_of_two.recent->capacity <= RECENT_MAX);
    }
}

/* The third field of a record of BTS is 0. */
TEST(none_of_the_method_ends_them)
{
    struct branch record = nth(0, 1);
    struct run run = { .workload = &loaded, .method = method_named("bts") };

    begin();
    pack_begin(&packing, bytes, sizeof(bytes));
    pack_add(&packing, &record);
    record.info = 1;
    pack_add(&packing, &record);
    lines_of_packed(&log_of_two, &run, bytes, pack_end(&packing), 2);
    for (int times = 0; times < 2; times++) {
        unfold_of(&one, &log_of_two, &run);
        CHECK(gives(&one, 0, 1, 1) && !gives(&one, 0, 1, 1) && !unfold_whole(&one));
        CHECK(!one.again);
    }
    CHECK(!records_hold(&log_of_two, &run) && log_of_two.log_error);
    free(log_of_two.log_error);
}

/* The same bytes may be none of another method's records. */
TEST(another_method_asks_for_itself)
{
    struct run run, stops;

    begin();
    run = packed_run(PIECE, 7);
    stops = run;
    stops.method = method_named("step");
    unfold_of(&one, &log_of_two, &run);
    CHECK(gives(&one, 0, PIECE, 7) && ends(&one));
    unfold_of(&other, &log_of_two, &stops);
    CHECK(!gives(&other, 0, 1, 7) && !unfold_whole(&other) && !other.again);
}

TEST(bytes_that_are_left_are_noticed)
{
    struct branch record = nth(0, 1);
    struct run run = { .workload = &loaded, .method = method_named("bts") };

    begin();
    pack_begin(&packing, bytes, sizeof(bytes));
    pack_add(&packing, &record);
    lines_of_packed(&log_of_two, &run, bytes, pack_end(&packing) + 1, 1);
    unfold_of(&one, &log_of_two, &run);
    CHECK(gives(&one, 0, 1, 1) && !unfold_whole(&one) &&
          !one.records.next(&one.records, &record));
    CHECK(!records_hold(&log_of_two, &run) && log_of_two.log_error);
    free(log_of_two.log_error);
}
