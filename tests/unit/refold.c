// LINK: workloads everybranch
#include "tools/log/refold.c"

#include "test.h"
#include "lines.h"

#define RECORDS_MAX 20000

static char text[RECORDS_MAX * 60];
static struct log log_of_one = { .bytes = text };
static struct loaded loaded = { .at = 0x5e010000 };
static struct run run;

static struct branch records[RECORDS_MAX];
static size_t count;

static void begin(void)
{
    loaded.own = &__start_workloads[0];
    run = (struct run){ .workload = &loaded, .method = method_named("bts") };
    log_of_one.length = 0;
    count = 0;
}

static void add_line(struct item item)
{
    line_of_item(&log_of_one, &run, &item);
}

/* One more line of the log, and what it stands for as far as there is room. */
static void add(struct item item)
{
    if (count + item_records(&item) > RECORDS_MAX)
        return;
    add_line(item);
    for (uint64_t i = 0; i < item_records(&item); i++, count++)
        records[count] = item.again ? records[count - item.again] : item.branch;
}

static struct branch letter(uint64_t n)
{
    return (struct branch){ 0x1000 + n, 0x2000 + n, 0 };
}

static void add_letter(uint64_t n, uint64_t times)
{
    add((struct item){ .branch = letter(n), .times = times });
}

static void add_again(size_t again, uint64_t times)
{
    add((struct item){ .again = (uint32_t)again, .times = times });
}

static struct unfold unfold;
static struct refold refold;

static void refold_run(void)
{
    unfold_of(&unfold, &log_of_one, &run);
    refold_of(&refold, &unfold);
}

/* The next fold is that one, in words; 0 of `again`: a record. */
static bool next_is(size_t again, uint64_t n, uint64_t times)
{
    struct branch record, want = letter(n);
    struct fold fold;

    return refold_next(&refold, &record, &fold) && fold.again == again &&
           fold.times == times && (again || branch_same(&record, &want));
}

static bool over(void)
{
    struct branch record;
    struct fold fold;

    return !refold_next(&refold, &record, &fold) && unfold_whole(&unfold);
}

/* The same as fold_next() gives in the array of all of them. */
static bool folds_as_in_an_array(void)
{
    struct branch record;
    struct fold got, want;

    refold_run();
    for (size_t at = 0; at < count;) {
        size_t covered = fold_next(records, count, at, &want);

        if (!refold_next(&refold, &record, &got) || got.again != want.again ||
            got.times != want.times || (!got.again && !branch_same(&record, &records[at])))
            return false;
        at += covered;
    }
    return over();
}

TEST(nothing_folds_to_nothing)
{
    begin();
    refold_run();
    CHECK(over());
}

/* Bodies that come again, cut short, in runs, in each other; lines fold some of it. */
static void random_lines(unsigned long long *random)
{
    unsigned long long letters = 1 + test_random(random) % 6;
    size_t lines = 1 + test_random(random) % 60;

    begin();
    for (size_t i = 0; i < lines; i++) {
        size_t back = 1 + test_random(random) % FOLD_REACH;
        uint64_t rounds = 1 + test_random(random) % (test_random(random) % 4 ? 4 : 300);

        switch (count < back ? 0 : test_random(random) % 4) {
        case 0:
            add_letter(test_random(random) % letters, rounds);
            break;
        case 1: /* what is folded in the log... */
            add_again(back, rounds);
            break;
        case 2: /* ...and what is not, to the middle of a body */
            for (uint64_t left = rounds * back - test_random(random) % back;
                 left > 0 && count < RECORDS_MAX; left--)
                add((struct item){ .branch = records[count - back], .times = 1 });
            break;
        default:
            add_letter(test_random(random) % letters, 1);
        }
    }
}

TEST(a_window_folds_like_an_array)
{
    unsigned long long random = 1;

    for (int round = 0; round < 1000; round++) {
        random_lines(&random);
        CHECK(folds_as_in_an_array());
    }
}

/* Of `period` letters, so many records. */
static void add_body(size_t period, size_t so_many)
{
    for (size_t i = 0; i < so_many; i++)
        add_letter(i % period, 1);
}

TEST(a_body_goes_on_over_the_end_of_the_window)
{
    for (size_t period = 2; period <= FOLD_REACH; period++) {
        size_t rounds = REFOLD_WINDOW / period * 3 + 7;

        begin();
        add_body(period, period * rounds);
        refold_run();
        for (size_t i = 0; i < period; i++)
            CHECK(next_is(0, i, 1));
        CHECK(next_is(period, 0, rounds - 1) && over());
    }
}

TEST(what_ends_anywhere_ends_as_in_an_array)
{
    for (size_t so_many = 1; so_many < 2 * REFOLD_WINDOW; so_many++)
        for (size_t period = 1; period <= FOLD_REACH + 1; period += 16) {
            begin();
            add_body(period, so_many);
            add_letter(period / 2, 2);
            CHECK(folds_as_in_an_array());
        }
}

/* More of them than are noted at a time, so that they are forgotten on the way. */
TEST(many_letters_fold_like_few)
{
    begin();
    for (uint64_t i = 0; count + FOLD_REACH < RECORDS_MAX; i++) {
        add_letter(i * i, 1 + i % 2);
        if (i % 5 == 0)
            add((struct item){ .branch = records[count - count % FOLD_REACH], .times = 1 });
        if (i % 3 == 0 && count > 7)
            add_again(1 + i % 7, 1 + i % 2);
    }
    CHECK(folds_as_in_an_array());
}

#define MANY (1ull << 32) /* as often as a line can say */

TEST(thousands_of_millions_are_counted)
{
    begin();
    add_letter(1, 1);
    add_letter(2, 1);
    add_line((struct item){ .branch = letter(3), .times = MANY });
    add_line((struct item){ .branch = letter(3), .times = MANY });
    add_line((struct item){ .branch = letter(4), .times = 1 });
    add_line((struct item){ .branch = letter(5), .times = 1 });
    add_line((struct item){ .again = 2, .times = MANY });
    add_line((struct item){ .again = 4, .times = MANY });
    add_line((struct item){ .branch = letter(4), .times = 1 });
    add_line((struct item){ .branch = letter(1), .times = 1 });
    refold_run();
    CHECK(next_is(0, 1, 1) && next_is(0, 2, 1) && next_is(0, 3, 2 * MANY));
    CHECK(next_is(0, 4, 1) && next_is(0, 5, 1) && next_is(2, 0, 3 * MANY));
    CHECK(next_is(0, 4, 1) && next_is(0, 1, 1) && over());
}

/* The log's body is two of ours, and half a one more. */
TEST(a_body_that_is_folded_otherwise_is_counted_in_ours)
{
    begin();
    for (int i = 0; i < 2; i++)
        for (uint64_t n = 1; n <= 3; n++)
            add_letter(n, 1);
    add_line((struct item){ .again = 6, .times = MANY });
    add_line((struct item){ .again = 3, .times = 1 });
    add_line((struct item){ .branch = letter(1), .times = 1 });
    add_line((struct item){ .branch = letter(7), .times = 1 });
    refold_run();
    for (uint64_t n = 1; n <= 3; n++)
        CHECK(next_is(0, n, 1));
    CHECK(next_is(3, 0, 2 * MANY + 2) && next_is(0, 1, 1) && next_is(0, 7, 1) && over());
}
