/*
 * Branches that were added up, and the straight code between them.
 *
 * The position of a record is lost, so a record that is there twice shows in another way:
 * the range from its TO to its own FROM, through which the code cannot run, and the branch
 * that leads back from there.  Each copy is a record, so a branch accounts for at most as
 * many ranges as it has records.  It may come after its range, so ranges wait for the end.
 */
#include "audit.h"

#include <stdlib.h>

#define EDGES_LEAST 1024 /* slots, a power of two */

static size_t slot_of(const struct added_edges *edges, uint64_t from, uint64_t to)
{
    return (from * 31 + to) * UINT64_C(0x9e3779b97f4a7c15) % edges->capacity;
}

/* The slot of an edge, which is free if `times` is 0.  There is a free one. */
static struct added_edge *find(const struct added_edges *edges, uint64_t from, uint64_t to)
{
    size_t slot = slot_of(edges, from, to);

    while (edges->at[slot].times &&
           (edges->at[slot].from != from || edges->at[slot].to != to))
        slot = (slot + 1) % edges->capacity;
    return &edges->at[slot];
}

/* Half of the slots stay free. */
static void make_space(struct added_edges *edges)
{
    struct added_edges larger = { .count = edges->count };

    if (2 * edges->count < edges->capacity)
        return;
    larger.capacity = edges->capacity ? 2 * edges->capacity : EDGES_LEAST;
    larger.at = zeroed(larger.capacity, sizeof(*larger.at));
    for (size_t i = 0; i < edges->capacity; i++)
        if (edges->at[i].times)
            *find(&larger, edges->at[i].from, edges->at[i].to) = edges->at[i];
    free(edges->at);
    edges->at = larger.at;
    edges->capacity = larger.capacity;
}

/* Keeps a branch that is right, if the code cannot run from its TO to its FROM. */
static void keep(struct audit *audit, const struct judged *judged)
{
    struct added_edges *edges = &audit->edges_kept;
    struct added_edge *edge;

    if (judged->fit != BRANCH_GOOD || !judged->branch->times ||
        straight_between(audit, judged->to, judged->from) != GAP_UNRECORDED)
        return;
    make_space(edges);
    edge = find(edges, judged->from, judged->to);
    edges->count += !edge->times;
    edge->from = judged->from;
    edge->to = judged->to;
    add_up(&edge->times, judged->branch->times);
}

void audit_edge(struct audit *audit, const struct traced_branch *branch)
{
    struct judged judged;

    audit->edges++;
    judge_branch(audit, 0, branch, &judged);
    count_branch(audit, &judged, 0);
    keep(audit, &judged);
}

void audit_straight(struct audit *audit, uint64_t first, uint64_t from, uint64_t times)
{
    const struct added_range range = {
        .first = first, .from = from, .times = times, .line = audit->line
    };
    const uint64_t begin = maps_place(&audit->maps, 0, first);
    const uint64_t end = maps_place(&audit->maps, 0, from);
    struct added_edges *edges = &audit->edges_kept;
    enum gap gap;

    audit->edges++;
    if (!place_is_code(&audit->images, begin) || !place_is_code(&audit->images, end))
        return;
    gap = straight_between(audit, begin, end);
    if (gap != GAP_NONE && gap != GAP_UNRECORDED)
        return;
    add_up(&audit->checked[RULE_STRAIGHT], times);
    if (gap == GAP_NONE)
        return;
    add_up(&audit->broken_pairs, times);
    edges->broken =
        grow(edges->broken, &edges->broken_capacity, edges->broken_count, sizeof(range));
    edges->broken[edges->broken_count++] = range;
}

/* Notes that flaw of the records around a range, this many times. */
static void note(struct audit *audit, enum flaw flaw, const struct added_range *range,
                 uint64_t times)
{
    const struct traced_branch branches[] = { { .from = range->from, .times = times },
                                              { .to = range->first, .times = times } };
    const struct judged newer = { .branch = &branches[0],
                                  .from = maps_place(&audit->maps, 0, range->from) };
    const struct judged older = { .branch = &branches[1],
                                  .to = maps_place(&audit->maps, 0, range->first) };

    if (times)
        found_pair(audit, flaw, &older, &newer, 0);
}

/* How many of the ranges the branch from their end to their beginning accounts for. */
static uint64_t take_copies(struct audit *audit, const struct added_range *range)
{
    struct added_edges *edges = &audit->edges_kept;
    struct added_edge *edge;
    uint64_t copies;

    if (!edges->count)
        return 0;
    edge = find(edges, maps_place(&audit->maps, 0, range->from),
                maps_place(&audit->maps, 0, range->first));
    copies =
        edge->times - edge->used < range->times ? edge->times - edge->used : range->times;
    edge->used += copies;
    return copies;
}

void audit_edges_end(struct audit *audit)
{
    const size_t line = audit->line;

    for (size_t i = 0; i < audit->edges_kept.broken_count; i++) {
        const struct added_range *range = &audit->edges_kept.broken[i];
        const uint64_t copies = take_copies(audit, range);

        audit->line = range->line;
        note(audit, FOUND_DOUBLED_ADDED, range, copies);
        note(audit, FOUND_LOST, range, range->times - copies);
    }
    audit->line = line;
}

void audit_edges_free(struct added_edges *edges)
{
    free(edges->at);
    free(edges->broken);
    *edges = (struct added_edges){ .count = 0 };
}
