/*
 * Folding: a trace in few lines, without loss.
 *
 * Two repeats are taken out: the same record several times in a row, and the last
 * few records (a loop's body) several times again.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "branch.h"

#define FOLD_REACH 64 /* the longest body that is recognised, in records */

struct fold {
    size_t again;   /* 0: records[at] comes `times` times;                      */
    uint64_t times; /* else: the last `again` records come `times` times more   */
};

/*
 * How the records from `at` on are best written next.  `back`, which only saves time, has
 * for each record how far back the newest one is that may equal it, 0 if that is more than
 * FOLD_REACH; NULL: nobody has looked.  Returns how many records
 * that covers (at least 1).  Unfolding the results of successive calls yields the
 * records exactly.
 */
size_t fold_next(const struct branch *records, const uint8_t *back, size_t count, size_t at,
                 struct fold *out);
