#include "cfg.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"

/* Offsets where a block begins: somebody lands there, or comes back there. */
static void mark_leaders(const struct profile *p, bool *leads)
{
    const struct code_insn *insn;

    for (size_t i = 0; i < p->edge_count; i++) {
        const struct profile_edge *way = &p->edges[i];

        if (way->to < p->workload->size)
            leads[way->to] = true;
        if (way->kind == KIND_EXC && way->from < p->workload->size)
            leads[way->from] = true;
    }
    for (uint64_t at = 0; at < p->workload->size; at++) {
        insn = profile_insn(p, at);
        if (insn && insn->kind == KIND_JCC && insn->target < p->workload->size)
            leads[insn->target] = true;
        if (insn && (insn->kind != KIND_NONE || !p->passed[at]) &&
            profile_next(insn) < p->workload->size)
            leads[profile_next(insn)] = true;
    }
}

/* An instruction that no other runs on into also begins a block: the first one, if a ring
 * began there. */
static void mark_beginnings(const struct profile *p, bool *leads)
{
    bool *entered = zeroed(p->workload->size + 1, sizeof(*entered));

    for (uint64_t at = 0; at < p->workload->size; at++) {
        const struct code_insn *insn = profile_insn(p, at);

        if (insn && profile_next(insn) < p->workload->size)
            entered[profile_next(insn)] = true;
    }
    for (uint64_t at = 0; at < p->workload->size; at++)
        leads[at] |= !entered[at];
    free(entered);
}

static size_t add_block(struct cfg *cfg, struct cfg_block block)
{
    cfg->blocks = grow(cfg->blocks, &cfg->block_capacity, cfg->block_count, sizeof(block));
    cfg->blocks[cfg->block_count] = block;
    return cfg->block_count++;
}

static void add_ran(struct cfg *cfg, const bool *leads, uint64_t at)
{
    const struct profile *p = &cfg->profile;
    struct cfg_block block = { .place = CFG_RAN, .begin = at, .times = p->ran[at] };
    const struct code_insn *insn = profile_insn(p, at);

    do {
        block.insns++;
        block.last = insn->at;
        block.end = profile_next(insn);
        insn = profile_insn(p, block.end);
    } while (insn && !leads[block.end]);
    add_block(cfg, block);
}

/* Adds a block of which nothing ran, or nothing ran to its end. */
static void add_ghost(struct cfg *cfg, enum cfg_place place, uint64_t at)
{
    add_block(cfg,
              (struct cfg_block){ .place = place, .begin = at, .end = at, .last = at });
}

static bool struck_at(const struct profile *p, uint64_t at)
{
    for (size_t i = 0; i < p->edge_count; i++)
        if (p->edges[i].kind == KIND_EXC && p->edges[i].from == at)
            return true;
    return false;
}

static bool is_jcc_target(const struct profile *p, uint64_t at)
{
    for (uint64_t from = 0; from < p->workload->size; from++) {
        const struct code_insn *insn = profile_insn(p, from);

        if (insn && insn->kind == KIND_JCC &&
            (insn->target == at || profile_next(insn) == at))
            return true;
    }
    return false;
}

static void add_blocks(struct cfg *cfg)
{
    const struct profile *p = &cfg->profile;
    bool *leads = zeroed(p->workload->size + 1, sizeof(*leads));

    mark_leaders(p, leads);
    mark_beginnings(p, leads);
    for (uint64_t at = 0; at < p->workload->size; at++) {
        if (!leads[at])
            continue;
        if (p->ran[at])
            add_ran(cfg, leads, at);
        else if (struck_at(p, at))
            add_ghost(cfg, CFG_STRUCK, at);
        else if (is_jcc_target(p, at))
            add_ghost(cfg, CFG_NEVER, at);
    }
    free(leads);
}

/* The block that begins there; outside ones are made when they are first asked for. */
static size_t block_at(struct cfg *cfg, uint64_t at)
{
    enum cfg_place place = at == PROFILE_CALLER ? CFG_CALLER : CFG_ELSEWHERE;
    bool outside = at >= cfg->profile.workload->size;

    for (size_t i = 0; i < cfg->block_count; i++)
        if (outside ? cfg->blocks[i].place == place
                    : cfg->blocks[i].place < CFG_CALLER && cfg->blocks[i].begin == at)
            return i;
    if (!outside)
        place = CFG_NEVER;
    return add_block(
        cfg, (struct cfg_block){ .place = place, .begin = at, .end = at, .last = at });
}

static void add_edge(struct cfg *cfg, size_t from, uint64_t to, enum cfg_kind kind,
                     uint64_t times)
{
    struct cfg_edge edge = { from, block_at(cfg, to), kind, times };

    cfg->edges = grow(cfg->edges, &cfg->edge_capacity, cfg->edge_count, sizeof(edge));
    cfg->edges[cfg->edge_count++] = edge;
    if (kind != CFG_AFTER && times > cfg->most)
        cfg->most = times;
}

static enum cfg_kind kind_of(enum kind kind)
{
    switch (kind) {
    case KIND_CALL:
    case KIND_ICALL:
        return CFG_CALL;
    case KIND_RET:
        return CFG_RETURN;
    case KIND_INT:
    case KIND_EXC:
        return CFG_EVENT;
    case KIND_IRET:
        return CFG_BACK;
    default:
        return CFG_JUMP;
    }
}

/* SYSCALL and far calls are one kind with SYSRET and far jumps: the instruction tells. */
static enum cfg_kind kind_of_way(const struct profile *p, const struct profile_edge *way)
{
    const struct code_insn *insn = profile_insn(p, way->from);

    if (way->kind != KIND_FAR || !insn)
        return kind_of(way->kind);
    if (insn->calls)
        return CFG_CALL;
    return insn->returns ? CFG_RETURN : CFG_JUMP;
}

/* Returns the index of the first edge from an offset; edges are sorted. */
static size_t edges_from(const struct profile *p, uint64_t from)
{
    size_t low = 0, high = p->edge_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (p->edges[middle].from < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * Adds the transfers from there: of the instruction itself, or of an event that struck
 * before it.
 */
static void add_ways(struct cfg *cfg, size_t block, uint64_t from, bool events)
{
    const struct profile *p = &cfg->profile;

    for (size_t i = edges_from(p, from); i < p->edge_count && p->edges[i].from == from;
         i++) {
        const struct profile_edge *way = &p->edges[i];

        if ((way->kind == KIND_EXC) == events && way->kind != KIND_JCC)
            add_edge(cfg, block, way->to, kind_of_way(p, way), way->times);
    }
}

static void add_edges_of(struct cfg *cfg, size_t number)
{
    const struct cfg_block block = cfg->blocks[number];
    const struct profile *p = &cfg->profile;
    const uint64_t last = block.last, next = block.end;
    const struct code_insn *insn = profile_insn(p, last);

    add_ways(cfg, number, block.begin, true);
    if (block.place != CFG_RAN)
        return;
    if (insn->kind == KIND_JCC) {
        add_edge(cfg, number, insn->target, CFG_TAKEN, p->taken[last]);
        add_edge(cfg, number, next, CFG_NOT_TAKEN, p->passed[last]);
    } else if (p->passed[last]) {
        add_edge(cfg, number, next, CFG_NEXT, p->passed[last]);
    }
    add_ways(cfg, number, last, false);
    if ((insn->calls || insn->kind == KIND_INT) && profile_insn(p, next))
        add_edge(cfg, number, next, CFG_AFTER, p->ran[next]);
}

static void add_edges(struct cfg *cfg)
{
    size_t inside = cfg->block_count;

    for (size_t i = 0; i < inside; i++)
        add_edges_of(cfg, i);
    /* The edges from outside: the window's call, and transfers back from elsewhere. */
    for (size_t i = 0; i < cfg->profile.edge_count; i++) {
        const struct profile_edge *way = &cfg->profile.edges[i];

        if (way->from >= cfg->profile.workload->size && way->from != BRANCH_UNKNOWN)
            add_edge(cfg, block_at(cfg, way->from), way->to, kind_of(way->kind),
                     way->times);
    }
}

/* Functions. */

#define NO_FUNCTION SIZE_MAX

/* True if the edge leads to the function that it comes from. */
static bool stays(const struct cfg_edge *edge)
{
    return edge->kind == CFG_NEXT || edge->kind == CFG_TAKEN ||
           edge->kind == CFG_NOT_TAKEN || edge->kind == CFG_JUMP || edge->kind == CFG_AFTER;
}

static size_t first_edge(const struct cfg *cfg, size_t block)
{
    size_t i = 0;

    while (i < cfg->edge_count && cfg->edges[i].from != block)
        i++;
    return i;
}

/*
 * Gives the function all that can be reached from its entry without a call, unless
 * another function has it.
 */
static void fill(struct cfg *cfg, size_t entry)
{
    size_t *waiting = zeroed(cfg->block_count + 1, sizeof(*waiting)), count = 0;

    waiting[count++] = entry;
    cfg->blocks[entry].function = entry;
    while (count > 0) {
        size_t block = waiting[--count];

        for (size_t i = first_edge(cfg, block);
             i < cfg->edge_count && cfg->edges[i].from == block; i++) {
            size_t to = cfg->edges[i].to;

            if (!stays(&cfg->edges[i]) || cfg->blocks[to].place >= CFG_CALLER ||
                cfg->blocks[to].function != NO_FUNCTION)
                continue;
            cfg->blocks[to].function = entry;
            waiting[count++] = to;
        }
    }
    free(waiting);
}

static void find_functions(struct cfg *cfg)
{
    bool *entries = zeroed(cfg->block_count + 1, sizeof(*entries));

    for (size_t i = 0; i < cfg->block_count; i++)
        cfg->blocks[i].function = NO_FUNCTION;
    for (size_t i = 0; i < cfg->edge_count; i++)
        if (cfg->edges[i].kind == CFG_CALL || cfg->edges[i].kind == CFG_EVENT)
            entries[cfg->edges[i].to] = cfg->blocks[cfg->edges[i].to].place < CFG_CALLER;
    /* Entries first: what jumps to one of them is another function's tail call. */
    for (size_t i = 0; i < cfg->block_count; i++)
        if (entries[i])
            cfg->blocks[i].function = i;
    for (size_t i = 0; i < cfg->block_count; i++)
        if (entries[i])
            fill(cfg, i);
    for (size_t i = 0; i < cfg->block_count; i++)
        if (cfg->blocks[i].function == NO_FUNCTION)
            fill(cfg, i);
    free(entries);
}

static int in_order(const void *a, const void *b)
{
    const struct cfg_edge *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (int)x->kind - (int)y->kind;
}

void cfg_of(struct cfg *cfg)
{
    *cfg = (struct cfg){ .profile = cfg->profile, .whole = true };
    for (enum gap gap = GAP_OLDER; gap < GAPS; gap++)
        cfg->whole &= cfg->profile.gaps[gap] == 0;
    add_blocks(cfg);
    add_edges(cfg);
    if (cfg->edge_count)
        qsort(cfg->edges, cfg->edge_count, sizeof(*cfg->edges), in_order);
    find_functions(cfg);
}

void cfg_free(struct cfg *cfg)
{
    profile_free(&cfg->profile);
    free(cfg->blocks);
    free(cfg->edges);
}
