/*
 * A trace takes the same few paths repeatedly: each different range of a walk is counted,
 * and its instructions are visited once.
 */
#include "profile.h"

#include <stdlib.h>

#include "heap.h"

/* The different ranges of a walk: a table by hash, which grows before it is half full. */

struct counted_range {
    uint64_t at, insns; /* where it begins, and how much ran */
    struct transfer by; /* what ended it                     */
    uint64_t times;     /* 0: nothing is here                */
};
struct counted_ranges {
    struct counted_range *at;
    size_t capacity, count; /* room: a power of two */
};

static bool same_range(const struct counted_range *a, const struct counted_range *b)
{
    return a->at == b->at && a->insns == b->insns && a->by.from == b->by.from &&
           a->by.to == b->by.to && a->by.kind == b->by.kind;
}

static struct counted_range *slot_of(const struct counted_ranges *ranges,
                                     const struct counted_range *like)
{
    uint64_t mixed = (like->at * 31 + like->by.to) * 0x9e3779b97f4a7c15ull;
    size_t at;

    mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9ull + like->insns + like->by.from;
    for (at = mixed ^ mixed >> 32;; at++) {
        struct counted_range *range = &ranges->at[at & (ranges->capacity - 1)];

        if (!range->times || same_range(range, like))
            return range;
    }
}

static void enlarge(struct counted_ranges *ranges)
{
    struct counted_ranges larger = { .capacity =
                                         ranges->capacity ? 2 * ranges->capacity : 256,
                                     .count = ranges->count };

    larger.at = zeroed(larger.capacity, sizeof(*larger.at));
    for (size_t i = 0; i < ranges->capacity; i++)
        if (ranges->at[i].times)
            *slot_of(&larger, &ranges->at[i]) = ranges->at[i];
    free(ranges->at);
    *ranges = larger;
}

static void count_range(struct counted_ranges *ranges, const struct range *range)
{
    const struct counted_range like = { .at = range->first,
                                        .insns = range->insns,
                                        .by = range->by };
    struct counted_range *counted;

    if (2 * ranges->count >= ranges->capacity)
        enlarge(ranges);
    counted = slot_of(ranges, &like);
    if (!counted->times) {
        *counted = like;
        ranges->count++;
    }
    counted->times++;
}

/* Sums over the instructions of the ranges. */

struct sum {
    struct profile *profile;
    const struct walk *walk;
    uint64_t at; /* where the workload lay */
};

static uint64_t end_of(const struct sum *sum, uint64_t address, uint64_t caller)
{
    if (address == BRANCH_UNKNOWN || address == BRANCH_MISSING)
        return BRANCH_UNKNOWN;
    if (address - sum->at < sum->profile->workload->size)
        return address - sum->at;
    return address == caller ? PROFILE_CALLER : PROFILE_ELSEWHERE;
}

static void add_way(const struct sum *sum, const struct transfer *by, uint64_t times)
{
    struct profile *p = sum->profile;
    struct profile_edge way = { end_of(sum, by->from, sum->walk->log->machine.caller.call),
                                end_of(sum, by->to, sum->walk->log->machine.caller.back),
                                by->kind, times };

    if (by->to == BRANCH_UNKNOWN)
        return;
    p->edges = grow(p->edges, &p->edge_capacity, p->edge_count, sizeof(way));
    p->edges[p->edge_count++] = way;
    p->transfers += times;
}

static void add_insn(const struct sum *sum, const struct code_insn *insn, uint64_t times)
{
    struct profile *p = sum->profile;
    uint64_t offset = insn->at - sum->at;

    p->insns += times;
    if (offset >= p->workload->size)
        return;
    p->ran[offset] += times;
    p->insns_at[offset] = *insn;
    p->insns_at[offset].at = offset;
    p->insns_at[offset].target = insn->target - sum->at;
}

/* Notes which edge was taken, unless the range ends there and it is unknown. */
static void add_direction(const struct sum *sum, const struct code_insn *insn, bool last,
                          const struct counted_range *range)
{
    struct profile *p = sum->profile;
    uint64_t offset = insn->at - sum->at;
    bool branched = last && range->by.from == insn->at;

    if (offset >= p->workload->size || (last && range->by.from == BRANCH_UNKNOWN))
        return;
    if (!branched)
        p->passed[offset] += range->times;
    else if (insn->kind == KIND_JCC)
        p->taken[offset] += range->times;
}

static void add_counted(const struct sum *sum, const struct counted_range *range)
{
    const struct code_insn *insn;
    uint64_t at = range->at;

    for (uint64_t i = 0; i < range->insns && (insn = code_at(sum->walk->code, at)); i++) {
        add_insn(sum, insn, range->times);
        add_direction(sum, insn, i + 1 == range->insns, range);
        at = code_next(insn);
    }
    add_way(sum, &range->by, range->times);
}

static void add_walk(struct profile *profile, struct walk *walk,
                     struct counted_ranges *ranges)
{
    struct range range;
    bool first = true;

    while (walk_next(walk, &range)) {
        if (first && range.came.to != BRANCH_UNKNOWN)
            count_range(ranges,
                        &(struct range){ .first = range.came.to, .by = range.came });
        first = false;
        profile->gaps[range.gap]++;
        count_range(ranges, &range);
    }
}

void profile_begin(struct profile *profile, const struct workload *workload)
{
    *profile = (struct profile){ .workload = workload };
    profile->ran = zeroed(workload->size + 1, sizeof(uint64_t));
    profile->taken = zeroed(workload->size + 1, sizeof(uint64_t));
    profile->passed = zeroed(workload->size + 1, sizeof(uint64_t));
    profile->insns_at = zeroed(workload->size + 1, sizeof(*profile->insns_at));
}

void profile_add(struct profile *profile, const struct log *log, const struct run *run)
{
    struct counted_ranges ranges = { 0 };
    struct walk walk;
    struct sum sum = { profile, &walk, run->workload->at };

    walk_of(&walk, log, run);
    add_walk(profile, &walk, &ranges);
    for (size_t i = 0; i < ranges.capacity; i++)
        if (ranges.at[i].times)
            add_counted(&sum, &ranges.at[i]);
    profile->runs++;
    free(ranges.at);
    walk_free(&walk);
}

static int in_order(const void *a, const void *b)
{
    const struct profile_edge *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (int)x->kind - (int)y->kind;
}

void profile_end(struct profile *profile)
{
    size_t count = 0;

    if (profile->edge_count)
        qsort(profile->edges, profile->edge_count, sizeof(*profile->edges), in_order);
    for (size_t i = 0; i < profile->edge_count; i++) {
        if (count && in_order(&profile->edges[count - 1], &profile->edges[i]) == 0)
            profile->edges[count - 1].times += profile->edges[i].times;
        else
            profile->edges[count++] = profile->edges[i];
    }
    profile->edge_count = count;
}

void profile_of(struct profile *profile, const struct log *log, const struct run *run)
{
    profile_begin(profile, run->workload->own);
    profile_add(profile, log, run);
    profile_end(profile);
}

void profile_free(struct profile *profile)
{
    free(profile->ran);
    free(profile->taken);
    free(profile->passed);
    free(profile->insns_at);
    free(profile->edges);
}

const struct code_insn *profile_insn(const struct profile *profile, uint64_t offset)
{
    return offset < profile->workload->size && profile->ran[offset]
               ? &profile->insns_at[offset]
               : NULL;
}
