#include "common/branch/fold.c"

#include "rows.h"

/* A letter is a record; D has the ends of C and another flag. */
static struct branch of_letter(char letter)
{
    uint64_t number = letter == 'D' ? 2 : (uint64_t)(letter - 'A');

    return (struct branch){ 2 * number + 1, 2 * number + 2, letter == 'D' };
}

/* folds RECORDS = LETTERxTIMES of a run, again:RECORDSxTIMES of a body */
VERB(folds)
{
    struct branch records[40];
    struct fold fold;
    const char *letters = row_word();
    size_t count = 0;

    for (; letters[count]; count++)
        records[count] = of_letter(letters[count]);
    for (size_t at = 0; at < count;) {
        size_t covered = fold_next(records, NULL, count, at, &fold);

        if (fold.again)
            row_say("again:%dx%d ", (int)fold.again, (int)fold.times);
        else
            row_say("%cx%d ", letters[at], (int)fold.times);
        at += covered;
    }
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
