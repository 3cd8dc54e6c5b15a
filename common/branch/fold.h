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
 * Finds how the records from `at` on are best written next, and returns how many of them
 * that covers (at least 1).  Unfolding the results of successive calls yields the records
 * exactly. `back` only saves time: back[i] is the distance from record i to the nearest
 * earlier record that may equal it, 0 if none is within FOLD_REACH; NULL: it was not
 * computed.
 */
size_t fold_next(const struct branch *records, const uint8_t *back, size_t count, size_t at,
                 struct fold *out);
