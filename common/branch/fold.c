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

/* The next longer period after which the record at `at` may come again; 0: there is none.
 */
static size_t longer(const struct branch *records, const uint8_t *back, size_t at,
                     size_t period)
{
    if (back) {
        size_t more = back[at - period];

        return more && period + more <= FOLD_REACH ? period + more : 0;
    }
    for (period++; period <= FOLD_REACH && period <= at; period++)
        if (records[at - period].to == records[at].to)
            return period;
    return 0;
}

size_t fold_next(const struct branch *records, const uint8_t *back, size_t count, size_t at,
                 struct fold *out)
{
    size_t best = 0;

    for (size_t period = longer(records, back, at, 0); period;
         period = longer(records, back, at, period)) {
        size_t least =
            best < period ? period : best + 1; /* records that a repeat must cover */
        size_t covered;

        if (least > count - at ||
            !branch_same(&records[at + least - 1], &records[at + least - 1 - period]))
            continue;
        /* A multiple of a period that matched cannot cover more. */
        if (best > 0 && period % out->again == 0)
            continue;
        covered = matching(records, count, at, period);
        covered -= covered % period;
        if (covered > best) {
            best = covered;
            *out = (struct fold){ .again = period, .times = covered / period };
        }
    }
    if (best > 0) /* no run is longer: a body that comes again holds the run */
        return best;
    out->again = 0;
    out->times = 1 + matching(records, count, at + 1, 1);
    return out->times;
}
