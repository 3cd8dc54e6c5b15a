/*
 * Blocks folded into loops, and loops into loops: what comes several times in a row is
 * kept once, with a count.  Nothing is lost: unfolding gives the blocks in their order.
 *
 * As they come: what can fold with nothing any more is handed on, so memory grows with
 * the size of loops and not with the trace.
 */
#pragma once

#include "blocks.h"

#define NEST_REACH 256 /* the longest body, in blocks and loops */

struct node {
    uint64_t hash;
    struct block block; /* of a leaf                               */
    struct node *body;  /* NULL: a leaf; else `length` nodes...    */
    size_t length;
    uint64_t times; /* how often it ran                        */
};

struct nest {
    struct node *nodes; /* the newest ones, oldest first */
    size_t begin, end, capacity;
    void (*give)(void *to, const struct node *); /* in their order; valid in there */
    void *to;
};

void nest_begin(struct nest *, void (*give)(void *to, const struct node *), void *to);
void nest_add(struct nest *, const struct block *);
void nest_end(struct nest *); /* gives the rest */
