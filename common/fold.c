/*
 * What comes next is either a run of one record or the body before it once more;
 * whichever covers more is written.  Longer looks ahead would save a line here and
 * there and cost the kernel time that it has not got.
 */
#include "fold.h"

#include <stdbool.h>

static bool equal(const struct branch *a, const struct branch *b)
{
    return a->from == b->from && a->to == b->to && a->info == b->info;
}

/* How many records from `at` on equal the one `period` before them. */
static size_t matching(const struct branch *records, size_t count, size_t at, size_t period)
{
    size_t i = at;

    while (i < count && equal(&records[i], &records[i - period]))
        i++;
    return i - at;
}

size_t fold_next(const struct branch *records, size_t count, size_t at, struct fold *out)
{
    size_t covered = 1 + matching(records, count, at + 1, 1);

    *out = (struct fold){ .times = covered };
    for (size_t period = 1; period <= FOLD_REACH && period <= at; period++) {
        /* A multiple of a period that matched cannot cover more. */
        if (out->again && period % out->again == 0)
            continue;
        size_t times = matching(records, count, at, period) / period;

        /* On a tie `again` wins: its line is the shorter one. */
        if (times > 0 && times * period >= covered &&
            (!out->again || times * period > covered)) {
            covered = times * period;
            *out = (struct fold){ .again = period, .times = times };
        }
    }
    return covered;
}
