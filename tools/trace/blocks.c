/*
 * The first pass finds where branches lead; the second cuts the ranges there.
 */
#include "blocks.h"

void blocks_of(struct blocks *blocks, struct walk *walk)
{
    struct range range;

    *blocks = (struct blocks){ .walk = walk };
    walk_rewind(walk);
    while (walk_next(walk, &range))
        addresses_add(&blocks->leaders, range.first);
    walk_rewind(walk);
}

static bool next_range(struct blocks *blocks)
{
    if (!walk_next(blocks->walk, &blocks->range))
        return false;
    blocks->at = blocks->range.first;
    blocks->left = blocks->range.insns;
    blocks->begun = false;
    return true;
}

/* Makes one block of a range of which no instruction is known. */
static struct block bare(const struct range *range)
{
    return (struct block){
        .first = range->first, .last = range->last, .by = range->by, .gap = range->gap
    };
}

bool blocks_next(struct blocks *blocks, struct block *out)
{
    const struct range *range = &blocks->range;

    if (blocks->left == 0) {
        if (!next_range(blocks))
            return false;
        if (blocks->left == 0) {
            *out = bare(range);
            return true;
        }
    }
    *out = (struct block){ .first = blocks->at,
                           .by = { BRANCH_UNKNOWN, BRANCH_UNKNOWN, KIND_NONE },
                           .gap = blocks->begun ? GAP_NONE : range->gap };
    do {
        out->last = blocks->at;
        out->insns++;
        blocks->at = code_next(code_at(blocks->walk->code, blocks->at));
    } while (--blocks->left && !addresses_have(&blocks->leaders, blocks->at));
    blocks->begun = true;
    out->goes_on = blocks->left > 0;
    if (!out->goes_on)
        out->by = range->by;
    return true;
}

void blocks_free(struct blocks *blocks)
{
    addresses_free(&blocks->leaders);
}
