/*
 * Each piece runs in the innermost frame; the transfer that ended it enters or leaves
 * frames.
 */
#include "calltree.h"

#include <stdlib.h>

#include "heap.h"
#include "symbols.h"

const char *const frame_words[FRAME_KINDS] = {
    [FRAME_CALLED] = "called",   [FRAME_JUMPED] = "jumped to",
    [FRAME_HANDLER] = "handler", [FRAME_SYSTEM] = "system call",
    [FRAME_UNKNOWN] = "unknown",
};

static bool is_entry(struct calltree *tree, uint64_t address)
{
    size_t place = address % ENTRIES_ASKED;

    if (!tree->asked[place].known || tree->asked[place].at != address) {
        tree->asked[place].known = true;
        tree->asked[place].at = address;
        tree->asked[place].is_entry =
            addresses_have(&tree->entries, address) ||
            (tree->symbols && symbol_starts_function(tree->symbols, address));
    }
    return tree->asked[place].is_entry;
}

static const struct code_insn *insn_that_left(const struct calltree *tree,
                                              const struct transfer *by)
{
    return code_at(tree->walk->code, by->from);
}

/* True if these instructions are only a jump, which then leads to another function. */
static bool is_thunk(const struct calltree *tree, const struct piece *piece)
{
    const struct code_insn *first = code_at(tree->walk->code, piece->first);

    return (piece->by.kind == KIND_JMP || piece->by.kind == KIND_IJMP) &&
           (piece->insns == 1 || (piece->insns == 2 && first && first->endbr));
}

/* First pass: where calls lead, and the jumps to which they led alone. */
static void find_entries(struct calltree *tree)
{
    uint64_t entry = tree->walk->run->workload->at;
    struct piece piece;

    addresses_add(&tree->entries, entry);
    while (walk_next(tree->walk, &piece)) {
        const struct code_insn *insn = insn_that_left(tree, &piece.by);
        bool calls = insn && insn->calls && piece.by.kind != KIND_EXC;

        if (piece.gap == GAP_NONE && piece.first == entry && is_thunk(tree, &piece))
            calls = true;
        entry = BRANCH_UNKNOWN;
        if (calls && piece.by.to != BRANCH_UNKNOWN) {
            entry = piece.by.to;
            addresses_add(&tree->entries, entry);
        }
    }
    walk_rewind(tree->walk);
}

static struct call_frame *innermost(struct calltree *tree)
{
    return &tree->frames[tree->depth - 1];
}

static void enter(struct calltree *tree, enum frame_kind kind, const struct transfer *by,
                  uint64_t back)
{
    tree->next = (struct call_frame){
        .kind = kind, .function = by->to, .first = by->to, .site = by->from, .back = back
    };
    tree->enters = true;
}

static void enter_unknown(struct calltree *tree, uint64_t first)
{
    tree->next = (struct call_frame){ .kind = FRAME_UNKNOWN,
                                      .function = BRANCH_UNKNOWN,
                                      .first = first,
                                      .site = BRANCH_UNKNOWN,
                                      .back = BRANCH_UNKNOWN };
    tree->enters = true;
}

/* Leaves the innermost frame that returns to `to`, and all frames inside it. */
static bool leave_to(struct calltree *tree, uint64_t to)
{
    if (to == tree->walk->log->machine.back) {
        tree->to_leave = tree->depth;
        return true;
    }
    for (size_t i = tree->depth; i > 0; i--)
        if (tree->frames[i - 1].back == to) {
            tree->to_leave = tree->depth - (i - 1);
            return true;
        }
    return false;
}

/* Leaves the innermost frame of that kind, and all frames inside it. */
static bool leave_kind(struct calltree *tree, enum frame_kind kind)
{
    for (size_t i = tree->depth; i > 0; i--)
        if (tree->frames[i - 1].kind == kind) {
            tree->to_leave = tree->depth - (i - 1);
            return true;
        }
    return false;
}

/* Replaces the innermost frame by one of another function. */
static void replace(struct calltree *tree, const struct transfer *by)
{
    const struct call_frame *frame = innermost(tree);

    tree->to_leave = 1;
    enter(tree, FRAME_JUMPED, by, frame->back);
    if (frame->kind == FRAME_HANDLER || frame->kind == FRAME_SYSTEM)
        tree->next.kind = frame->kind;
}

static void jumped(struct calltree *tree)
{
    const struct piece *piece = &tree->piece;
    const struct call_frame *frame = innermost(tree);

    if (piece->by.kind == KIND_IJMP && piece->by.to == frame->back)
        tree->to_leave = 1; /* a return by other means: pop rcx, jmp rcx */
    else if (piece->by.to != frame->function && is_entry(tree, piece->by.to))
        replace(tree, &piece->by);
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
        tree->to_leave = 1;
        enter_unknown(tree, to);
    } else {
        replace(tree, &tree->piece.by);
    }
}

static void left_by_event(struct calltree *tree, uint64_t back)
{
    enter(tree, FRAME_HANDLER, &tree->piece.by, back);
}

/* Leaves code whose bytes are not known: by a handler's return, or in any other way. */
static void left_unseen_code(struct calltree *tree)
{
    uint64_t to = tree->piece.by.to;

    if (!leave_to(tree, to) && !leave_kind(tree, FRAME_HANDLER) && is_entry(tree, to))
        replace(tree, &tree->piece.by);
}

static void branched(struct calltree *tree, const struct code_insn *insn)
{
    const struct transfer *by = &tree->piece.by;

    if (insn->calls)
        enter(tree, insn->system ? FRAME_SYSTEM : FRAME_CALLED, by, code_next(insn));
    else if (insn->system && leave_kind(tree, FRAME_SYSTEM))
        return;
    else if (insn->returns)
        returned(tree, by->to);
    else
        jumped(tree);
}

/* Enters and leaves frames by the transfer that ended the piece. */
static void follow(struct calltree *tree)
{
    const struct transfer *by = &tree->piece.by;
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

/* Takes the next piece, and reports what comes before it. */
static void take_piece(struct calltree *tree)
{
    const struct piece *piece = &tree->piece;

    if (!walk_next(tree->walk, &tree->piece)) {
        tree->ended = true;
        return;
    }
    tree->gaps = piece->gap != GAP_NONE && piece->gap != GAP_NO_CODE;
    tree->came_back = piece->first == tree->walk->log->machine.back;
    tree->runs = piece->gap != GAP_NEWER && !tree->came_back;
    if (tree->depth == 0 && !tree->gaps && !tree->came_back)
        enter(tree, FRAME_CALLED, &piece->came, tree->walk->log->machine.back);
    else if (tree->runs && (tree->depth == 0 || tree->gaps) &&
             (tree->depth == 0 || innermost(tree)->kind != FRAME_UNKNOWN))
        enter_unknown(tree, piece->first);
}

static struct call step_of(const struct calltree *tree, enum call_step step, size_t depth)
{
    static const struct call_frame none; /* before the first one is entered */

    return (struct call){ .step = step,
                          .depth = depth,
                          .frame = depth < tree->depth ? &tree->frames[depth] : &none,
                          .piece = &tree->piece,
                          .insns = tree->insns,
                          .transfers = tree->transfers };
}

static struct call give_entered(struct calltree *tree)
{
    tree->frames = grow(tree->frames, &tree->capacity, tree->depth, sizeof(*tree->frames));
    tree->next.began = tree->insns;
    tree->frames[tree->depth++] = tree->next;
    tree->enters = false;
    return step_of(tree, CALL_ENTERED, tree->depth - 1);
}

static struct call give_left(struct calltree *tree)
{
    struct call call = step_of(tree, CALL_LEFT, tree->depth - 1);

    call.unfinished = tree->ended && !tree->came_back;
    tree->depth--;
    if (tree->depth > 0) {
        innermost(tree)->children += call.frame->self + call.frame->children;
        innermost(tree)->at_least |= call.frame->at_least;
    }
    return call;
}

static struct call give_gap(struct calltree *tree)
{
    tree->gaps = false;
    if (tree->depth > 0)
        innermost(tree)->at_least = true;
    return step_of(tree, CALL_GAP, tree->depth ? tree->depth - 1 : 0);
}

static struct call give_ran(struct calltree *tree)
{
    struct call_frame *frame = innermost(tree);

    tree->runs = false;
    frame->self += tree->piece.insns;
    frame->at_least |= tree->piece.gap == GAP_NO_CODE;
    tree->insns += tree->piece.insns;
    tree->transfers += tree->piece.by.to != BRANCH_UNKNOWN;
    follow(tree);
    return step_of(tree, CALL_RAN, tree->depth - 1);
}

bool calltree_next(struct calltree *tree, struct call *out)
{
    while (!tree->to_leave && !tree->enters && !tree->runs && !tree->gaps && !tree->ended)
        take_piece(tree);
    if (tree->to_leave > 0) {
        tree->to_leave--;
        *out = give_left(tree);
    } else if (tree->gaps) {
        *out = give_gap(tree);
    } else if (tree->enters) {
        *out = give_entered(tree);
    } else if (tree->runs) {
        *out = give_ran(tree);
    } else if (tree->ended && tree->depth > 0) {
        *out = give_left(tree);
    } else {
        return false;
    }
    return true;
}

void calltree_of(struct calltree *tree, struct walk *walk, const struct symbols *symbols)
{
    *tree = (struct calltree){ .walk = walk, .symbols = symbols };
    walk_rewind(walk);
    find_entries(tree);
}

void calltree_free(struct calltree *tree)
{
    addresses_free(&tree->entries);
    free(tree->frames);
}
