/*
 * The run that gaps.c judges, while it is looked at; and what its parts ask each other.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "beyond.h"
#include "filter.h"
#include "parsed.h"
#include "rule.h"
#include "transfers.h"

/* What the gaps of a stream show beside the segments that they part. */
struct gap_facts {
    uint64_t all;
    uint64_t inner;    /* that an interrupt found: all but one at the end */
    uint64_t followed; /* gaps that a record follows */
    uint64_t shortest; /* records of the shortest segment before a gap, or after   */
    uint64_t lacking;  /* records of an LBR stack that segments after a gap lack   */
    uint64_t of_iretq; /* stacks in which there was no room for the IRETQ          */
    size_t line;       /* of the gap beside the shortest segment                   */
};

struct gaps {
    const struct log *log;
    struct run *run;
    struct transfer_list got, want;  /* got: with the gaps                             */
    uint64_t held, segments, copies; /* copies: segments that end with one */
    bool may_be_copy;                /* the newest record of the segment before */
    uint64_t placed;                 /* where in `want` that segment is */
    uint64_t index;                  /* of the first record of the segment               */
    uint64_t disputed;               /* records for which rules account */
    uint64_t without;                /* entries of events that all stacks lack */
    const struct rule *at_random;    /* that accounts for one wrong record, or NULL... */
    const char *how;                 /* ...in words                                    */
    uint64_t uncounted;     /* missing ones that the run's counter does not count */
    uint64_t beside;        /* such branches in the stacks, in the room of others */
    uint64_t of_handlers;   /* records that were taken out; and the ends of each hit */
    uint64_t of_periods;    /* branches before a gap whose places they took     */
    struct gap_facts facts; /* with the records of handlers, which are in the stack */
    struct beyond_result result;
};

/* gaps_placed.c: returns the expected trace as the run's method sees it through a filter.
 */
struct transfer_list gaps_wanted(const struct gaps *, const struct record_filter *);

/* Places all segments in `want`; if they fit nowhere, also by each other ring that BTS may
 * filter by, and without the entries of all events.  False: they fit in no way. */
bool gaps_place(struct gaps *);

/* gaps_stack.c: returns how many branches in `want`, from one index to before another, the
 * run's counter does not count: it does not see their loss. */
uint64_t gaps_uncounted(const struct gaps *, uint64_t from, uint64_t to);

/* Returns how many records of the workload an interrupt finds in a full
 * stack: its own entry is none, where there is one, nor is a copy of that. */
uint64_t stack_left(const struct run *);

/* Return how many entries branches on the wrong path used of all stacks, and at most of
 * one: half of it.  Since version 3 the log has their number. */
uint64_t wrong_path_of(const struct log *, const struct run *);
uint64_t wrong_path_max(const struct log *, const struct run *);

struct gap_facts gap_facts_of(const struct log *, const struct run *);
bool begins_with_gap(const struct gaps *); /* the oldest records were gone at once */

/* True if they held too little, or there are too many gaps; the run has what is wrong. */
bool gaps_hold_too_little(struct gaps *);
