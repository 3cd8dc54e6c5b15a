// LINK: workloads everybranch
/*
 * With bodies of at most 4 records all that can come can be tried: every sequence of so
 * many records that are of so many kinds.
 */
#include "fold.h"
#undef FOLD_REACH
#define FOLD_REACH 4

#include "common/fold.c"
#include "tools/log/unfold.c"

#include "tools/log/refold.c"

#include "test.h"

#define LENGTH_MAX 20

static struct branch records[LENGTH_MAX];
static size_t count, given;

static bool next_of_array(struct records *source, struct branch *out)
{
    (void)source;
    if (given < count)
        *out = records[given];
    return given++ < count;
}

static bool folds_as_in_an_array(void)
{
    static struct unfold unfold = { .records = { .next = next_of_array } };
    static struct refold refold;
    struct branch record;
    struct fold got, want;
    size_t at = 0;

    given = 0;
    refold_of(&refold, &unfold);
    while (refold_next(&refold, &record, &got)) {
        at += fold_next(records, count, at, &want);
        if (got.again != want.again || got.times != want.times ||
            (!got.again && !branch_same(&record, &records[at - want.times])))
            return false;
    }
    return at == count;
}

/* The number's digits, as many as the sequence is long. */
static void sequence(unsigned long number, unsigned long kinds)
{
    for (size_t i = 0; i < count; i++, number /= kinds)
        records[i].from = number % kinds;
}

static void all_of(size_t length, unsigned long kinds)
{
    unsigned long sequences = 1;

    count = length;
    for (size_t i = 1; i < length; i++) /* the last one is always of the first kind */
        sequences *= kinds;
    for (unsigned long i = 0; i < sequences; i++) {
        sequence(i, kinds);
        CHECK(folds_as_in_an_array());
    }
}

TEST(all_of_two_kinds)
{
    all_of(LENGTH_MAX, 2);
}

TEST(all_of_three_kinds)
{
    all_of(12, 3);
}
