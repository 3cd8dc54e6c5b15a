/*
 * The records of a run, one after the other.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "branch.h"
#include "check.h"
#include "fold.h"
#include "items.h"
#include "pack.h"

struct unfold {
    struct records records;
    const struct log *log;
    const struct run *run;
    struct log_map map;
    struct items items;
    struct item item;         /* that gave the newest record         */
    struct pack pack;         /* of a packed one                     */
    struct pack_bytes source; /* ...the bytes of it, a line at a time */
    uint8_t bytes[LOG_LINE_MAX];
    uint64_t left; /* records of the item that are not given yet */
    uint64_t turn; /* of what is kept of them (recent.h)         */
    bool again;    /* they are taken from there                  */
    uint64_t total;
    bool broken; /* the next packed record is none, or none of the method */
    struct branch past[FOLD_REACH];
};
void unfold_of(struct unfold *, const struct log *, const struct run *);
bool unfold_whole(const struct unfold *); /* all were given */

/* The line of the log that holds the record with this index, from 0. */
size_t line_of_record(const struct log *, const struct run *, uint64_t index);

/*
 * Leaves out as many records as the fold still stands for, in whole bodies, if the newest
 * `behind` records came out of that fold, or run, too.  Returns how many those were.
 */
uint64_t unfold_pass(struct unfold *, uint64_t behind);

/*
 * Whether a packed run's records can all be unpacked; false: the log has a trouble.  What a
 * log was parsed to may still be broken there: who does not judge it asks.
 */
bool records_hold(const struct log *, const struct run *);
bool unfold_holds(const struct unfold *); /* the same, once no more records come */

/* A run as transfers: its records unfolded, and stops made branches by its code. */
struct got {
    struct unfold unfold;
    struct recorded recorded;
};
struct source *got_of(struct got *, const struct log *, const struct run *);
