/*
 * Each range runs in the innermost frame; the transfer that ended it enters or leaves
 * frames.
 */
#include "calltree.h"

#include <stdlib.h>

#include "addresses.h"
#include "heap.h"
#include "symbols.h"

const char *const frame_words[FRAME_KINDS] = {
    [FRAME_CALLED] = "called",   [FRAME_JUMPED] = "jumped to",
    [FRAME_HANDLER] = "handler", [FRAME_SYSTEM] = "system call",
    [FRAME_UNKNOWN] = "unknown",
};

struct calltree {
    struct walk *walk;
    struct addresses entries;  /* of functions     */
    struct call_frame *frames; /* from the outside */
    size_t depth, capacity;
    struct range range; /* the newest       */
    uint64_t insns;     /* of the run so far */
    void (*take)(void *to, const struct call *);
    void *to;
};

static const struct code_insn *insn_that_left(const struct calltree *tree,
                                              const struct transfer *by)
{
    return code_at(tree->walk->code, by->from);
}

/* True if these instructions are only a jump, which then leads to another function. */
static bool is_thunk(const struct calltree *tree, const struct range *range)
{
    const struct code_insn *first = code_at(tree->walk->code, range->first);

    return (range->by.kind == KIND_JMP || range->by.kind == KIND_IJMP) &&
           (range->insns == 1 || (range->insns == 2 && first && first->endbr));
}

/* First pass: where calls lead, and the jumps to which they led alone. */
static void find_entries(struct calltree *tree)
{
    uint64_t entry = tree->walk->run->workload->at;
    struct range range;

    addresses_add(&tree->entries, entry);
    walk_rewind(tree->walk);
    while (walk_next(tree->walk, &range)) {
        const struct code_insn *insn = insn_that_left(tree, &range.by);
        bool calls = insn && insn->calls && range.by.kind != KIND_EXC;

        if (range.gap == GAP_NONE && range.first == entry && is_thunk(tree, &range))
            calls = true;
        entry = BRANCH_UNKNOWN;
        if (calls && range.by.to != BRANCH_UNKNOWN) {
            entry = range.by.to;
            addresses_add(&tree->entries, entry);
        }
    }
    walk_rewind(tree->walk);
}

static struct call_frame *innermost(struct calltree *tree)
{
    return &tree->frames[tree->depth - 1];
}

/* Reports a step of the innermost frame, if there is one. */
static void report(struct calltree *tree, enum call_step step, bool unfinished)
{
    tree->take(tree->to, &(struct call){ .step = step,
                                         .depth = tree->depth ? tree->depth - 1 : 0,
                                         .frame = tree->depth ? innermost(tree) : NULL,
                                         .range = &tree->range,
                                         .insns = tree->insns,
                                         .unfinished = unfinished });
}

static void enter_frame(struct calltree *tree, struct call_frame frame)
{
    tree->frames = grow(tree->frames, &tree->capacity, tree->depth, sizeof(*tree->frames));
    frame.began = tree->insns;
    tree->frames[tree->depth++] = frame;
    report(tree, CALL_ENTERED, false);
}

static void enter(struct calltree *tree, enum frame_kind kind, const struct transfer *by,
                  uint64_t back)
{
    enter_frame(tree, (struct call_frame){ .kind = kind,
                                           .function = by->to,
                                           .first = by->to,
                                           .site = by->from,
                                           .back = back });
}

static void enter_unknown(struct calltree *tree, uint64_t first)
{
    enter_frame(tree, (struct call_frame){ .kind = FRAME_UNKNOWN,
                                           .function = BRANCH_UNKNOWN,
                                           .first = first,
                                           .site = BRANCH_UNKNOWN,
                                           .back = BRANCH_UNKNOWN });
}

/* Leaves the innermost frames until `depth` frames are left. */
static void leave(struct calltree *tree, size_t depth, bool unfinished)
{
    while (tree->depth > depth) {
        const struct call_frame left = *innermost(tree);

        report(tree, CALL_LEFT, unfinished);
        if (--tree->depth == 0)
            return;
        innermost(tree)->children += left.self + left.children;
        innermost(tree)->at_least |= left.at_least;
    }
}

/* Leaves the innermost frame that returns to `to`, and all frames inside it. */
static bool leave_to(struct calltree *tree, uint64_t to)
{
    size_t depth = tree->depth;

    if (to == tree->walk->log->machine.caller.back)
        depth = 1;
    else
        while (depth > 0 && tree->frames[depth - 1].back != to)
            depth--;
    if (depth == 0)
        return false;
    leave(tree, depth - 1, false);
    return true;
}

/* Leaves the innermost frame of that kind, and all frames inside it. */
static bool leave_kind(struct calltree *tree, enum frame_kind kind)
{
    for (size_t i = tree->depth; i > 0; i--)
        if (tree->frames[i - 1].kind == kind) {
            leave(tree, i - 1, false);
            return true;
        }
    return false;
}

/* Replaces the innermost frame by one of another function. */
static void replace(struct calltree *tree, const struct transfer *by)
{
    const struct call_frame frame = *innermost(tree);
    const bool stays = frame.kind == FRAME_HANDLER || frame.kind == FRAME_SYSTEM;

    leave(tree, tree->depth - 1, false);
    enter(tree, stays ? frame.kind : FRAME_JUMPED, by, frame.back);
}

static void jumped(struct calltree *tree)
{
    const struct transfer *by = &tree->range.by;
    const struct call_frame *frame = innermost(tree);

    if (by->kind == KIND_IJMP && by->to == frame->back)
        leave(tree, tree->depth - 1, false); /* returns by other means: pop rcx, jmp rcx */
    else if (by->to != frame->function && addresses_have(&tree->entries, by->to))
        replace(tree, by);
}

/*
 * A return to a place that no frame expects: after a gap its frame is unknown; elsewhere
 * it is a jump.
 */
static void returned(struct calltree *tree, uint64_t to)
{
    if (leave_to(tree, to))
        return;
    if (innermost(tree)->kind == FRAME_UNKNOWN) {
        leave(tree, tree->depth - 1, false);
        enter_unknown(tree, to);
    } else {
        replace(tree, &tree->range.by);
    }
}

static void left_by_event(struct calltree *tree, uint64_t back)
{
    enter(tree, FRAME_HANDLER, &tree->range.by, back);
}

/* Leaves code whose bytes are not known: by a handler's return, or in any other way. */
static void left_unseen_code(struct calltree *tree)
{
    uint64_t to = tree->range.by.to;

    if (!leave_to(tree, to) && !leave_kind(tree, FRAME_HANDLER) &&
        addresses_have(&tree->entries, to))
        replace(tree, &tree->range.by);
}

static void branched(struct calltree *tree, const struct code_insn *insn)
{
    const struct transfer *by = &tree->range.by;

    if (insn->calls)
        enter(tree, insn->system ? FRAME_SYSTEM : FRAME_CALLED, by, code_next(insn));
    else if (insn->system && leave_kind(tree, FRAME_SYSTEM))
        return;
    else if (insn->returns)
        returned(tree, by->to);
    else
        jumped(tree);
}

/* Enters and leaves frames by the transfer that ended the range. */
static void follow(struct calltree *tree)
{
    const struct transfer *by = &tree->range.by;
    const struct code_insn *insn = insn_that_left(tree, by);

    if (by->to == BRANCH_UNKNOWN)
        return;
    if (by->kind == KIND_EXC)
        left_by_event(tree, by->from);
    else if (!insn)
        left_unseen_code(tree);
    else if (by->kind == KIND_INT)
        left_by_event(tree, code_next(insn));
    else if (by->kind != KIND_IRET)
        branched(tree, insn);
    else if (!leave_kind(tree, FRAME_HANDLER)) /* made by hand */
        returned(tree, by->to);
}

static void take_gap(struct calltree *tree)
{
    if (tree->depth > 0)
        innermost(tree)->at_least = true;
    report(tree, CALL_GAP, false);
}

static void take_range(struct calltree *tree)
{
    const struct range *range = &tree->range;
    struct call_frame *frame = innermost(tree);

    frame->self += range->insns;
    frame->at_least |= range->gap == GAP_NO_CODE;
    tree->insns += range->insns;
    report(tree, CALL_RAN, false);
    follow(tree);
}

void calltree_walk(struct walk *walk, const struct symbols *symbols,
                   void (*take)(void *to, const struct call *), void *to)
{
    struct calltree tree = { .walk = walk, .take = take, .to = to };
    const struct range *range = &tree.range;
    const uint64_t back = walk->log->machine.caller.back;
    bool came_back = false;

    if (symbols)
        symbols_functions(symbols, &tree.entries);
    find_entries(&tree);
    while (walk_next(walk, &tree.range)) {
        const bool gap = range->gap != GAP_NONE && range->gap != GAP_NO_CODE;

        came_back = range->first == back;
        if (gap)
            take_gap(&tree);
        if (came_back || range->gap == GAP_NEWER) /* nothing runs */
            continue;
        if (tree.depth == 0 && !gap)
            enter(&tree, FRAME_CALLED, &range->came, back);
        else if (tree.depth == 0 || (gap && innermost(&tree)->kind != FRAME_UNKNOWN))
            enter_unknown(&tree, range->first);
        take_range(&tree);
    }
    leave(&tree, 0, !came_back);
    addresses_free(&tree.entries);
    free(tree.frames);
}
