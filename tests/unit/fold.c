#include "common/branch/fold.c"

#include "test.h"

#define A       \
    {           \
        1, 2, 0 \
    }
#define B       \
    {           \
        3, 4, 0 \
    }
#define C       \
    {           \
        5, 6, 0 \
    }
#define D       \
    {           \
        5, 6, 1 \
    } /* the same ends, another flag */

#define FOLDS(...) const struct branch records[] = { __VA_ARGS__ }
#define COUNT      (sizeof(records) / sizeof(records[0]))

/* The folds of a sequence as text: "A x2, again 1 x3" with letters for records. */
static const char *folds(const struct branch *records, size_t count)
{
    static char line[200];
    char *end = line;
    struct fold fold;

    line[0] = '\0';
    for (size_t at = 0; at < count;) {
        size_t covered = fold_next(records, NULL, count, at, &fold);

        if (fold.again)
            end += sprintf(end, "again %zu x%d, ", fold.again, (int)fold.times);
        else
            end += sprintf(end, "%c x%d, ", (int)('A' + records[at].from / 2),
                           (int)fold.times);
        at += covered;
    }
    return line;
}

TEST(a_run_is_one_line)
{
    FOLDS(A, B, B, B, C);

    CHECK_TEXT(folds(records, COUNT), "A x1, B x3, C x1, ");
}

TEST(a_loop_body_is_taken_once)
{
    FOLDS(A, B, C, B, C, B, C, A);

    CHECK_TEXT(folds(records, COUNT), "A x1, B x1, C x1, again 2 x2, A x1, ");
}

TEST(a_body_with_a_run_in_it_is_counted_in_records)
{
    FOLDS(A, B, B, B, A, B, B, B, A, B, B, B);

    CHECK_TEXT(folds(records, COUNT), "A x1, B x3, again 4 x2, ");
}

TEST(part_of_a_body_is_no_repeat)
{
    FOLDS(A, B, C, A, B);

    CHECK_TEXT(folds(records, COUNT), "A x1, B x1, C x1, A x1, B x1, ");
}

TEST(records_that_differ_in_a_flag_are_not_equal)
{
    FOLDS(C, D, D, C);

    CHECK_TEXT(folds(records, COUNT), "C x1, C x2, C x1, ");
}

TEST(the_body_that_covers_most_is_taken)
{
    FOLDS(A, B, C, A, B, A, B, C, A, B, C);

    /* At the second A B C, "again 2" would be right too, for two records. */
    CHECK_TEXT(folds(records, COUNT), "A x1, B x1, C x1, A x1, B x1, again 5 x1, C x1, ");
}

TEST(a_body_of_one_is_shorter_than_the_record)
{
    FOLDS(A, B, A, B, B, B);

    CHECK_TEXT(folds(records, COUNT), "A x1, B x1, again 2 x1, again 1 x2, ");
}

/* Unfolds into `out` what a sequence of fold_next() says. */
static size_t unfolded(const struct branch *records, size_t count, struct branch *out)
{
    size_t total = 0;
    struct fold fold;

    for (size_t at = 0; at < count;) {
        size_t covered = fold_next(records, NULL, count, at, &fold);
        size_t stands_for = fold.again ? fold.again * fold.times : fold.times;

        if (covered != stands_for)
            return 0;
        for (size_t i = 0; i < stands_for; i++, total++)
            out[total] = fold.again ? out[total - fold.again] : records[at];
        at += covered;
    }
    return total;
}

TEST(unfolding_gives_the_records_back)
{
    static struct branch records[2000], out[2000];
    unsigned long long random = 1;

    for (int round = 0; round < 300; round++) {
        size_t count = 1 + test_random(&random) % 2000;
        unsigned long long letters = 1 + test_random(&random) % 3;

        for (size_t i = 0; i < count; i++) {
            size_t back = 1 + test_random(&random) % 70;

            /* Mostly copies from not far back, so that there is something to fold. */
            records[i] = test_random(&random) % 8 && back <= i
                             ? records[i - back]
                             : (struct branch){ test_random(&random) % letters, 7, 0 };
        }
        CHECK(unfolded(records, count, out) == count &&
              memcmp(records, out, count * sizeof(records[0])) == 0);
    }
}

/* `periods` bodies of `period` records, no two of a body alike. */
static size_t lines_for(size_t period, size_t periods)
{
    static struct branch records[100000];
    size_t lines = 0;
    struct fold fold;

    for (size_t i = 0; i < period * periods; i++)
        records[i] = (struct branch){ i % period, 0, 0 };
    for (size_t at = 0; at < period * periods; lines++)
        at += fold_next(records, NULL, period * periods, at, &fold);
    return lines;
}

TEST(a_body_of_64_is_recognised_and_no_longer_one)
{
    CHECK(lines_for(64, 100) == 65);
    CHECK(lines_for(65, 100) == 6500);
}

TEST(who_has_looked_back_finds_the_same_folds)
{
    static struct branch records[2000];
    static uint8_t back[2000];
    unsigned long long random = 1;
    struct fold a, b;

    for (size_t i = 0; i < 2000; i++) {
        size_t from = 1 + test_random(&random) % 70;

        records[i] = test_random(&random) % 8 && from <= i
                         ? records[i - from]
                         : (struct branch){ test_random(&random) % 3, 7, 0 };
        for (size_t d = FOLD_REACH; d > 0; d--)
            if (d <= i && branch_same(&records[i], &records[i - d]))
                back[i] = (uint8_t)d;
    }
    for (size_t at = 0, covered; at < 2000; at += covered) {
        covered = fold_next(records, NULL, 2000, at, &a);
        CHECK(fold_next(records, back, 2000, at, &b) == covered && a.again == b.again &&
              a.times == b.times);
    }
}
