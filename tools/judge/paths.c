/* paths.h */
#include "paths.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"

#define SLOTS_AT_FIRST 1024 /* a power of two, as always */

bool is_unstopped(const struct events *events, uint64_t at)
{
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->at[i];

        if (event->to == at && (event->kind == KIND_INT || event->from != at))
            return true;
    }
    return false;
}

static bool is_leap(const struct events *events, const struct transfer *t)
{
    for (size_t i = 0; i < events->leap_count; i++) {
        const struct leap *leap = &events->leaps[i];

        if (t->to == leap->to && (t->from == leap->syscall || t->from == leap->sysret))
            return true;
    }
    return false;
}

static bool is_unseen(const struct events *events, const struct transfer *t)
{
    for (size_t i = 0; i < events->unseen_count; i++)
        if (events->unseen[i].from == t->from && events->unseen[i].to == t->to)
            return true;
    return false;
}

static struct edge edge_of(const struct events *events, const struct transfer *t)
{
    struct edge edge = {
        .transfer = *t,
        .unseen = is_unseen(events, t),
        .unstopped = is_unstopped(events, t->from),
        .leap = is_leap(events, t),
    };

    for (size_t i = 0; i < events->count; i++) {
        edge.enters_handler |=
            events->at[i].from == t->from && events->at[i].entry == t->to;
        edge.ends_handler |= events->at[i].iret == t->from;
    }
    return edge;
}

static size_t slot_of(const struct edges *edges, const struct transfer *t)
{
    uint64_t mixed = (t->from * 0x9e3779b97f4a7c15ull ^ t->to) * 0xbf58476d1ce4e5b9ull;

    return (size_t)(mixed >> 32) & (edges->slot_count - 1);
}

/* Where the transfer is, or the empty slot where it belongs. */
static size_t find(const struct edges *edges, const struct transfer *t)
{
    size_t slot = slot_of(edges, t);

    while (edges->slots[slot]) {
        const struct transfer *known = &edges->of[edges->slots[slot] - 1].transfer;

        if (known->from == t->from && known->to == t->to && known->kind == t->kind)
            break;
        slot = (slot + 1) & (edges->slot_count - 1);
    }
    return slot;
}

static void enlarge(struct edges *edges)
{
    free(edges->slots);
    edges->slot_count *= 2;
    edges->slots = zeroed(edges->slot_count, sizeof(*edges->slots));
    for (size_t i = 0; i < edges->count; i++)
        edges->slots[find(edges, &edges->of[i].transfer)] = (uint32_t)i + 1;
}

static uint32_t number_of(struct edges *edges, const struct transfer *t)
{
    size_t slot = find(edges, t);
    struct edge *edge;

    if (edges->slots[slot])
        return edges->slots[slot] - 1;
    edges->of = grow(edges->of, &edges->capacity, edges->count, sizeof(*edges->of));
    edge = &edges->of[edges->count++];
    *edge = edge_of(edges->events, t);
    edges->have_events |= edge->enters_handler || edge->ends_handler || edge->unseen ||
                          edge->unstopped || edge->leap;
    edges->slots[slot] = (uint32_t)edges->count;
    if (2 * edges->count > edges->slot_count)
        enlarge(edges);
    return (uint32_t)edges->count - 1;
}

void edges_begin(struct edges *edges, const struct events *events)
{
    *edges = (struct edges){ .events = events, .slot_count = SLOTS_AT_FIRST };
    edges->slots = zeroed(SLOTS_AT_FIRST, sizeof(*edges->slots));
}

void edges_free(struct edges *edges)
{
    free(edges->of);
    free(edges->slots);
    *edges = (struct edges){ .count = 0 };
}

struct path path_of(struct edges *edges, struct source *source)
{
    struct path path = { .edges = NULL };
    size_t capacity = 0;
    struct transfer t;

    source->rewind(source);
    while (source->next(source, &t)) {
        path.edges = grow(path.edges, &capacity, path.end, sizeof(*path.edges));
        path.edges[path.end++] = number_of(edges, &t);
    }
    return path;
}

void path_free(struct path *path)
{
    free(path->edges);
    *path = (struct path){ .edges = NULL };
}

bool paths_same(const struct edges *edges, const struct path *a, const struct path *b)
{
    const uint64_t count = a->end - a->at;

    if (b->end - b->at != count)
        return false;
    if (count == 0)
        return true;
    if (memcmp(a->edges + a->at, b->edges + b->at, count * sizeof(*a->edges)) == 0)
        return true;
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t in_a = a->edges[a->at + i], in_b = b->edges[b->at + i];

        if (in_a != in_b &&
            !transfers_match(&edges->of[in_a].transfer, &edges->of[in_b].transfer))
            return false;
    }
    return true;
}

struct transfer_list path_list(const struct edges *edges, const struct path *path)
{
    struct transfer *all = zeroed(path->end, sizeof(*all));

    for (uint64_t i = 0; i < path->end; i++)
        all[i] = edges->of[path->edges[i]].transfer;
    return list_of(all, path->at, path->end);
}
