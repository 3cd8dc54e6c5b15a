/*
 * The next records are a repetition of the body before them, or else a run of one record.
 * Looking further ahead would save few lines and cost time that the kernel does not have.
 */
#include "fold.h"

#include <stdbool.h>

/* Counts the records from `at` on that equal the record `period` before them. */
static size_t matching(const struct branch *records, size_t count, size_t at, size_t period)
{
    size_t i = at;

    while (i < count && branch_same(&records[i], &records[i - period]))
        i++;
    return i - at;
}

size_t fold_next(const struct branch *records, size_t count, size_t at, struct fold *out)
{
    size_t best = 0;

    for (size_t period = 1; period <= FOLD_REACH && period <= at; period++) {
        size_t times;

        if (records[at - period].to != records[at].to) /* most periods end here */
            continue;
        /* A multiple of a period that matched cannot cover more. */
        if (best > 0 && period % out->again == 0)
            continue;
        times = matching(records, count, at, period) / period;
        if (times * period > best) {
            best = times * period;
            *out = (struct fold){ .again = period, .times = times };
        }
    }
    if (best > 0) /* no run is longer: a body that comes again holds the run */
        return best;
    out->again = 0;
    out->times = 1 + matching(records, count, at + 1, 1);
    return out->times;
}
