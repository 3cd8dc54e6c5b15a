/*
 * The records of a run as fold_next() folds them, however the log does, in memory that
 * does not grow with the run.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fold.h"
#include "unfold.h"

#define REFOLD_WINDOW (4 * FOLD_REACH)
#define REFOLD_SEEN   1024 /* twice as many as different records are noted */

/* Large: give it memory of its own. */
struct refold {
    struct unfold *unfold;
    uint64_t read, at; /* places in the trace without what was left out of it: behind the
                          newest record, and behind the last fold */
    struct refold_noted {
        struct branch record;
        uint64_t equals; /* bit p - 1: the record p before it is one */
    } window[REFOLD_WINDOW];
    struct refold_seen {
        struct branch record;
        uint64_t equals, end; /* of the newest one like it, and the place behind that */
    } seen[REFOLD_SEEN];
    size_t seen_count;
};
void refold_of(struct refold *, struct unfold *);
/* Fills in the next fold, and the record that stands there where it is none; false: none.
 */
bool refold_next(struct refold *, struct branch *, struct fold *);
