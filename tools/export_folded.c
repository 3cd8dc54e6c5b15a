/*
 * Folded stacks: a line "outer;inner COUNT" for each chain of calls, with the instructions
 * that ran in the innermost function, as flamegraph.pl and speedscope take them.
 */
#include "export.h"

#include <stdlib.h>

/* A chain of calls is a node and all above it. */
struct node {
    size_t above, below, beside; /* 0: none; node 0 is the run */
    struct frame frame;
    uint64_t insns;
};

struct chains {
    struct node *nodes;
    size_t count, room;
    size_t *at; /* the node of each depth */
    size_t depths;
};

static size_t add_node(struct chains *chains, size_t above, const struct frame *frame)
{
    struct node node = { .above = above, .frame = *frame };

    if (chains->count)
        node.beside = chains->nodes[above].below;
    chains->nodes = more_room(chains->nodes, &chains->room, chains->count, sizeof(node));
    chains->nodes[chains->count] = node;
    if (chains->count)
        chains->nodes[above].below = chains->count;
    return chains->count++;
}

static size_t node_below(struct chains *chains, size_t above, const struct frame *frame)
{
    for (size_t i = chains->nodes[above].below; i; i = chains->nodes[i].beside)
        if (chains->nodes[i].frame.function == frame->function &&
            chains->nodes[i].frame.kind == frame->kind)
            return i;
    return add_node(chains, above, frame);
}

static void take(struct chains *chains, const struct call *call)
{
    if (call->step == CALL_ENTERED) {
        chains->at =
            more_room(chains->at, &chains->depths, call->depth + 1, sizeof(*chains->at));
        chains->at[call->depth + 1] =
            node_below(chains, chains->at[call->depth], &call->frame);
    } else if (call->step == CALL_RAN) {
        chains->nodes[chains->at[call->depth + 1]].insns += call->piece.insns;
    }
}

static void put_chain(struct export *e, const struct chains *chains, size_t node)
{
    char buffer[256];

    if (node == 0) {
        fprintf(e->out, "%s_by_%s", e->run->workload->own->name, e->run->method->name);
        return;
    }
    put_chain(e, chains, chains->nodes[node].above);
    fprintf(e->out, ";%s",
            export_function(e, &chains->nodes[node].frame, buffer, sizeof(buffer)));
}

static void nothing(struct export *e)
{
    (void)e;
}

static bool put_folded(struct export *e)
{
    struct chains chains = { 0 };
    struct calltree tree;
    struct call call;

    add_node(&chains, 0, &(struct frame){ .function = BRANCH_UNKNOWN });
    chains.at = more_room(NULL, &chains.depths, 0, sizeof(*chains.at));
    chains.at[0] = 0;
    calltree_of(&tree, &e->walk, e->symbols);
    while (calltree_next(&tree, &call))
        take(&chains, &call);
    calltree_free(&tree);
    for (size_t i = 0; i < chains.count; i++) {
        if (!chains.nodes[i].insns)
            continue;
        put_chain(e, &chains, i);
        fprintf(e->out, " %llu\n", (unsigned long long)chains.nodes[i].insns);
        e->clock += chains.nodes[i].insns;
    }
    free(chains.nodes);
    free(chains.at);
    return true;
}

const struct export_format export_folded = { "folded", nothing, put_folded, nothing,
                                             false };
