/*
 * A trace takes the same few paths repeatedly: each different piece of a walk is counted,
 * and its instructions are visited once.
 */
#include "profile.h"

#include <stdlib.h>

#include "heap.h"

/* The different pieces of a walk: a table by hash, which grows before it is half full. */

struct counted_piece {
    uint64_t at, insns; /* where it begins, and how much ran */
    struct transfer by; /* what ended it                     */
    uint64_t times;     /* 0: nothing is here                */
};
struct counted_pieces {
    struct counted_piece *at;
    size_t capacity, count; /* room: a power of two */
};

static bool same_piece(const struct counted_piece *a, const struct counted_piece *b)
{
    return a->at == b->at && a->insns == b->insns && a->by.from == b->by.from &&
           a->by.to == b->by.to && a->by.kind == b->by.kind;
}

static struct counted_piece *slot_of(const struct counted_pieces *pieces,
                                     const struct counted_piece *like)
{
    uint64_t mixed = (like->at * 31 + like->by.to) * 0x9e3779b97f4a7c15ull;
    size_t at;

    mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9ull + like->insns + like->by.from;
    for (at = mixed ^ mixed >> 32;; at++) {
        struct counted_piece *piece = &pieces->at[at & (pieces->capacity - 1)];

        if (!piece->times || same_piece(piece, like))
            return piece;
    }
}

static void enlarge(struct counted_pieces *pieces)
{
    struct counted_pieces larger = { .capacity =
                                         pieces->capacity ? 2 * pieces->capacity : 256,
                                     .count = pieces->count };

    larger.at = zeroed(larger.capacity, sizeof(*larger.at));
    for (size_t i = 0; i < pieces->capacity; i++)
        if (pieces->at[i].times)
            *slot_of(&larger, &pieces->at[i]) = pieces->at[i];
    free(pieces->at);
    *pieces = larger;
}

static void count_piece(struct counted_pieces *pieces, const struct piece *piece)
{
    const struct counted_piece like = { .at = piece->first,
                                        .insns = piece->insns,
                                        .by = piece->by };
    struct counted_piece *counted;

    if (2 * pieces->count >= pieces->capacity)
        enlarge(pieces);
    counted = slot_of(pieces, &like);
    if (!counted->times) {
        *counted = like;
        pieces->count++;
    }
    counted->times++;
}

/* Sums over the instructions of the pieces. */

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

/* Notes which edge was taken, unless the piece ends there and it is unknown. */
static void add_direction(const struct sum *sum, const struct code_insn *insn, bool last,
                          const struct counted_piece *piece)
{
    struct profile *p = sum->profile;
    uint64_t offset = insn->at - sum->at;
    bool branched = last && piece->by.from == insn->at;

    if (offset >= p->workload->size || (last && piece->by.from == BRANCH_UNKNOWN))
        return;
    if (!branched)
        p->passed[offset] += piece->times;
    else if (insn->kind == KIND_JCC)
        p->taken[offset] += piece->times;
}

static void add_counted(const struct sum *sum, const struct counted_piece *piece)
{
    const struct code_insn *insn;
    uint64_t at = piece->at;

    for (uint64_t i = 0; i < piece->insns && (insn = code_at(sum->walk->code, at)); i++) {
        add_insn(sum, insn, piece->times);
        add_direction(sum, insn, i + 1 == piece->insns, piece);
        at = code_next(insn);
    }
    add_way(sum, &piece->by, piece->times);
}

static void add_walk(struct profile *profile, struct walk *walk,
                     struct counted_pieces *pieces)
{
    struct piece piece;
    bool first = true;

    while (walk_next(walk, &piece)) {
        if (first && piece.came.to != BRANCH_UNKNOWN)
            count_piece(pieces,
                        &(struct piece){ .first = piece.came.to, .by = piece.came });
        first = false;
        profile->gaps[piece.gap]++;
        count_piece(pieces, &piece);
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
    struct counted_pieces pieces = { 0 };
    struct walk walk;
    struct sum sum = { profile, &walk, run->workload->at };

    walk_of(&walk, log, run);
    add_walk(profile, &walk, &pieces);
    for (size_t i = 0; i < pieces.capacity; i++)
        if (pieces.at[i].times)
            add_counted(&sum, &pieces.at[i]);
    profile->runs++;
    free(pieces.at);
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
