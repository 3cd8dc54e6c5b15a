/*
 * Callgrind's profile format, for callgrind_annotate and KCachegrind: the cost of each
 * instruction of each function, calls with their inclusive cost, and jumps.
 *
 * A tail call counts as a call from the jump by the function to which control returns.
 */
#include <stdio.h>
#include <stdlib.h>

#include "export.h"
#include "heap.h"
#include "tally.h"

/* Adds what ran in a function, and what it called. */
static void take(struct tally *tally, const struct calltree *tree, const struct call *call)
{
    const struct frame *frame = call->frame;

    if (call->step == CALL_RAN)
        tally_add(tally,
                  &(struct tally_entry){ .function = frame->function,
                                         .at = call->piece->first,
                                         .insns = call->piece->insns,
                                         .by = call->piece->by },
                  call->piece->insns);
    else if (call->step == CALL_LEFT && call->depth > 0)
        tally_add(tally,
                  &(struct tally_entry){ .is_call = true,
                                         .function = tree->frames[call->depth - 1].function,
                                         .at = frame->site,
                                         .by = { .to = frame->function } },
                  frame->self + frame->children);
}

/* A line of the file, or a line with its continuation. */
enum kind_of_line { RAN, JUMP, COND, CALLED };
struct cost {
    uint64_t function, at, to;
    enum kind_of_line kind;
    uint64_t times, cost; /* times: of jumps and calls; cost: instructions */
};
struct costs {
    struct cost *at;
    size_t count, capacity;
};

static void put(struct costs *costs, struct cost cost)
{
    costs->at = grow(costs->at, &costs->capacity, costs->count, sizeof(cost));
    costs->at[costs->count++] = cost;
}

static void spread(struct export *e, struct costs *costs, const struct tally_entry *entry)
{
    const struct code_insn *insn;
    uint64_t at = entry->at, times = entry->times, f = entry->function;

    for (uint64_t i = 0; i < entry->insns && (insn = code_at(&e->code, at)); i++) {
        bool left = entry->by.from == at && entry->by.kind != KIND_EXC;

        put(costs, (struct cost){ f, at, 0, RAN, 0, times });
        if (insn->kind == KIND_JCC)
            put(costs, (struct cost){ f, at, insn->target, COND, left ? times : 0, times });
        else if (left && (entry->by.kind == KIND_JMP || entry->by.kind == KIND_IJMP))
            put(costs, (struct cost){ f, at, entry->by.to, JUMP, times, times });
        at = code_next(insn);
    }
}

static int in_order(const void *a, const void *b)
{
    const struct cost *x = a, *y = b;

    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static void merge(struct costs *costs)
{
    size_t count = 0;

    if (costs->count)
        qsort(costs->at, costs->count, sizeof(*costs->at), in_order);
    for (size_t i = 0; i < costs->count; i++) {
        if (count && in_order(&costs->at[count - 1], &costs->at[i]) == 0) {
            costs->at[count - 1].times += costs->at[i].times;
            costs->at[count - 1].cost += costs->at[i].cost;
        } else {
            costs->at[count++] = costs->at[i];
        }
    }
    costs->count = count;
}

static const char *name_of(struct export *e, uint64_t function)
{
    return function == BRANCH_UNKNOWN ? "[unknown]" : export_name(e, function)->text;
}

/* Names the source file, if an ELF file says it, or else the workload. */
static void put_file(struct export *e, const char *key, uint64_t function)
{
    struct symbol_line line = { 0 };

    if (function != BRANCH_UNKNOWN)
        line = symbol_line_at(e->symbols, function);
    fprintf(e->out, "%s=%s\n", key, line.file ? line.file : e->run->workload->own->name);
}

static void put_position(struct export *e, uint64_t at)
{
    struct symbol_line line = { 0 };

    if (at != BRANCH_UNKNOWN)
        line = symbol_line_at(e->symbols, at);
    fprintf(e->out, "0x%llx %d", at == BRANCH_UNKNOWN ? 0ull : (unsigned long long)at,
            line.file ? line.line : 0);
}

static void put_line(struct export *e, const struct cost *cost)
{
    if (cost->kind == COND)
        fprintf(e->out, "jcnd=%llu/%llu ", (unsigned long long)cost->times,
                (unsigned long long)cost->cost);
    if (cost->kind == JUMP)
        fprintf(e->out, "jump=%llu ", (unsigned long long)cost->times);
    if (cost->kind == CALLED) {
        put_file(e, "cfi", cost->to);
        fprintf(e->out, "cfn=%s\ncalls=%llu ", name_of(e, cost->to),
                (unsigned long long)cost->times);
    }
    if (cost->kind != RAN) {
        put_position(e, cost->to);
        putc('\n', e->out);
    }
    put_position(e, cost->at);
    if (cost->kind == RAN || cost->kind == CALLED)
        fprintf(e->out, " %llu", (unsigned long long)cost->cost);
    putc('\n', e->out);
}

static void put_costs(struct export *e, const struct costs *costs)
{
    for (size_t i = 0; i < costs->count; i++) {
        const struct cost *cost = &costs->at[i];

        if (i == 0 || cost->function != cost[-1].function) {
            fputs("\n", e->out);
            put_file(e, "fl", cost->function);
            fprintf(e->out, "fn=%s\n", name_of(e, cost->function));
        }
        put_line(e, cost);
    }
}

static void begin(struct export *e)
{
    fprintf(e->out,
            "# callgrind format\nversion: 1\ncreator: everybranch\ncmd: %s\n"
            "positions: instr line\nevents: Ir\nob=%s\n",
            e->log->name, EXPORT_IMAGE);
}

static bool put_run(struct export *e)
{
    struct tally tally = { 0 };
    struct costs costs = { 0 };
    struct calltree tree;
    struct call call;

    calltree_of(&tree, &e->walk, e->symbols);
    while (calltree_next(&tree, &call))
        take(&tally, &tree, &call);
    e->clock += tree.insns;
    calltree_free(&tree);
    for (size_t i = 0; i < tally.capacity; i++) {
        const struct tally_entry *entry = &tally.at[i];

        if (entry->times && !entry->is_call)
            spread(e, &costs, entry);
        else if (entry->times)
            put(&costs, (struct cost){ entry->function, entry->at, entry->by.to, CALLED,
                                       entry->times, entry->cost });
    }
    merge(&costs);
    put_costs(e, &costs);
    tally_free(&tally);
    free(costs.at);
    return true;
}

static void end(struct export *e)
{
    fprintf(e->out, "\ntotals: %llu\n", (unsigned long long)e->clock);
}

const struct export_format export_callgrind = { "callgrind", begin, put_run, end, false };
