/*
 * Each frame that is entered is looked for among those below the one it is entered from.
 */
#include "chains.h"

#include <stdlib.h>

#include "heap.h"

static size_t add(struct chains *chains, size_t above, const struct call_frame *frame)
{
    const size_t number = chains->count++;
    struct chain *parent;

    chains->at = grow(chains->at, &chains->capacity, number, sizeof(*chains->at));
    parent = &chains->at[above];
    chains->at[number] = (struct chain){ .above = above,
                                         .depth = parent->depth + 1,
                                         .function = frame->function,
                                         .kind = frame->kind };
    if (parent->last)
        chains->at[parent->last].beside = number;
    else
        parent->below = number;
    parent->last = number;
    return number;
}

static size_t below(struct chains *chains, size_t above, const struct call_frame *frame)
{
    for (size_t i = chains->at[above].below; i; i = chains->at[i].beside)
        if (chains->at[i].function == frame->function && chains->at[i].kind == frame->kind)
            return i;
    return add(chains, above, frame);
}

static void enter(struct chains *chains, const struct call *call)
{
    const size_t depth = call->depth + 1; /* no frame in between is left out */

    chains->path = grow(chains->path, &chains->path_capacity, depth, sizeof(*chains->path));
    chains->path[depth] = below(chains, chains->path[depth - 1], call->frame);
}

static void leave(struct chain *chain, const struct call_frame *frame)
{
    chain->times++;
    chain->children += frame->children;
    chain->at_least |= frame->at_least;
}

static void take(void *to, const struct call *call)
{
    struct chains *chains = to;

    switch (call->step) {
    case CALL_ENTERED:
        enter(chains, call);
        break;
    case CALL_RAN:
        chains->at[chains->path[call->depth + 1]].self += call->range->insns;
        break;
    case CALL_LEFT:
        leave(&chains->at[chains->path[call->depth + 1]], call->frame);
        break;
    case CALL_GAP:
        chains->gaps = true;
        break;
    }
}

void chains_of(struct chains *chains, struct walk *walk, const struct symbols *symbols)
{
    *chains = (struct chains){ .count = 1 };
    chains->at = grow(NULL, &chains->capacity, 0, sizeof(*chains->at));
    chains->at[0] = (struct chain){ .function = BRANCH_UNKNOWN };
    chains->path = grow(NULL, &chains->path_capacity, 0, sizeof(*chains->path));
    chains->path[0] = 0;
    calltree_walk(walk, symbols, take, chains);
}

void chains_free(struct chains *chains)
{
    free(chains->at);
    free(chains->path);
}
