/*
 * The first pass finds where branches lead; the second cuts the pieces there.
 */
#include "blocks.h"

void blocks_of(struct blocks *blocks, struct walk *walk)
{
    struct piece piece;

    *blocks = (struct blocks){ .walk = walk };
    walk_rewind(walk);
    while (walk_next(walk, &piece))
        addresses_add(&blocks->leaders, piece.first);
    walk_rewind(walk);
}

static bool next_piece(struct blocks *blocks)
{
    if (!walk_next(blocks->walk, &blocks->piece))
        return false;
    blocks->at = blocks->piece.first;
    blocks->left = blocks->piece.insns;
    blocks->begun = false;
    return true;
}

/* Makes one block of a piece of which no instruction is known. */
static struct block bare(const struct piece *piece)
{
    return (struct block){
        .first = piece->first, .last = piece->last, .by = piece->by, .gap = piece->gap
    };
}

bool blocks_next(struct blocks *blocks, struct block *out)
{
    const struct piece *piece = &blocks->piece;

    if (blocks->left == 0) {
        if (!next_piece(blocks))
            return false;
        if (blocks->left == 0) {
            *out = bare(piece);
            return true;
        }
    }
    *out = (struct block){ .first = blocks->at,
                           .by = { BRANCH_UNKNOWN, BRANCH_UNKNOWN, KIND_NONE },
                           .gap = blocks->begun ? GAP_NONE : piece->gap };
    do {
        out->last = blocks->at;
        out->insns++;
        blocks->at = code_next(code_at(blocks->walk->code, blocks->at));
    } while (--blocks->left && !addresses_have(&blocks->leaders, blocks->at));
    blocks->begun = true;
    out->goes_on = blocks->left > 0;
    if (!out->goes_on)
        out->by = piece->by;
    return true;
}

void blocks_free(struct blocks *blocks)
{
    addresses_free(&blocks->leaders);
}
