/*
 * Counts the pieces of a walk.  A trace takes the same few paths repeatedly, so memory
 * grows with the number of different pieces and not with the trace.
 */
#pragma once

#include "walk.h"

struct tally_entry {
    uint64_t function, at, insns; /* what tells it from others: of a piece whose it is,
                                     where it begins and how much ran... */
    struct transfer by;           /* the transfer that ended it                         */
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
