/*
 * Call chains, summed up: calls with the same chain from the window are one entry.
 */
#pragma once

#include "calltree.h"

/* A chain of calls is a node and all above it. */
struct chain {
    size_t above, below, last, beside; /* below: the first, last: the newest; 0: none */
    size_t depth;                      /* 1: what the window called, 0: the run       */
    uint64_t function;
    enum frame_kind kind;
    uint64_t times, self, children; /* instructions of its own, and of what it called */
    bool at_least;
};

struct chains {
    struct chain *at; /* in the order in which they came; the first one is the run */
    size_t count, capacity;
    size_t *path; /* the chain of each depth that is open */
    size_t path_capacity;
    bool gaps;
};

void chains_of(struct chains *, struct walk *, const struct symbols *);
void chains_free(struct chains *);
