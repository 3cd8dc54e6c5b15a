/*
 * What comes next is the body before it once more, if there is one, or a run of one
 * record.  Longer looks ahead would save a line here and there and cost the kernel
 * time that it has not got.
 */
#include "fold.h"

#include <stdbool.h>

/* How many records from `at` on equal the one `period` before them. */
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
