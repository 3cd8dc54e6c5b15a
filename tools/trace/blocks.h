/*
 * The ranges of a run, cut at every place that another range leads to, so that repeated
 * code begins and ends the same way each time.
 */
#pragma once

#include "addresses.h"
#include "walk.h"

struct block {
    uint64_t first, last, insns; /* as of a range                                      */
    struct transfer by;          /* KIND_NONE in the middle of a range, or if unknown  */
    bool goes_on;                /* the next block is the next instruction             */
    enum gap gap;
};

struct blocks {
    struct walk *walk;
    struct addresses leaders;
    struct range range; /* of which `left` instructions from `at` are not given */
    uint64_t at, left;
    bool begun; /* something of the range was given */
};

void blocks_of(struct blocks *, struct walk *); /* which is rewound and must outlive them */
bool blocks_next(struct blocks *, struct block *);
void blocks_free(struct blocks *);
