/*
 * Pieces of a walk, counted: a trace goes the same few ways again and again, so that
 * memory grows with the ways and not with the trace.
 */
#pragma once

#include "walk.h"

struct tally_entry {
    uint64_t function, at, insns; /* what tells it from others: of a piece whose it is,
                                     where it begins and how much ran... */
    struct transfer by;           /* ...and what ended it                               */
    bool is_call;                 /* of a call: `at` is its site, by.to its target      */
    uint64_t times, cost;         /* times 0: nothing is here                           */
};
struct tally {
    struct tally_entry *at; /* in no order */
    size_t capacity, count; /* room: a power of two */
};

/* Once more what is like that, which took `cost`. */
void tally_add(struct tally *, const struct tally_entry *like, uint64_t cost);
void tally_free(struct tally *);
