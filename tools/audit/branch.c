/*
 * Each record is compared with the instruction at its FROM.  Most branches come again, so
 * the answer for each pair of ends is kept.
 */
#include "audit.h"

#define SHIFT_MAX 15 /* bytes: the longest instruction                        */
#define CALL_MIN  2  /* bytes of the shortest CALL                            */

static bool is_code_at(struct audit *audit, uint64_t place)
{
    return place_is_code(&audit->images, place) && code_at(&audit->images.code, place);
}

/* True if a call ends right before that place. */
static bool is_after_call(struct audit *audit, uint64_t place)
{
    for (uint64_t length = CALL_MIN; length <= SHIFT_MAX; length++) {
        const struct code_insn *insn = code_at(&audit->images.code, place - length);

        if (insn && insn->length == length && insn->calls)
            return true;
    }
    return false;
}

/*
 * True if that is a byte inside an instruction, although its bytes are an instruction, too:
 * CD 80 in an immediate, or what follows a prefix.
 */
static bool is_inside(struct audit *audit, uint64_t place)
{
    const struct name *function = place_function(&audit->images, place);

    if (!function)
        return false;
    code_reach(&audit->images.code, function->begin, function->end);
    return code_is_inside(&audit->images.code, place);
}

/* True if the instruction surely leads to `to`: its target, or a return to after a call. */
static bool surely_leads(struct audit *audit, uint64_t at, uint64_t to)
{
    const struct code_insn *insn = code_at(&audit->images.code, at);

    if (!insn || !walk_can_lead(insn, to))
        return false;
    return insn->direct || (insn->kind == KIND_RET && is_after_call(audit, to));
}

/* The first branch after `from`, without one between, if it leads to `to`; else 0. */
static uint64_t fused_with(struct audit *audit, uint64_t from, uint64_t to)
{
    const struct code_insn *insn = code_at(&audit->images.code, from);

    if (!insn || insn->kind != KIND_NONE)
        return 0;
    while ((insn = code_at(&audit->images.code, code_next(insn))) &&
           insn->at - from <= SHIFT_MAX)
        if (insn->kind != KIND_NONE)
            return surely_leads(audit, insn->at, to) ? insn->at : 0;
    return 0;
}

/* How far from FROM the nearest branch is that leads to TO; 0: there is none. */
static int nearest(struct audit *audit, uint64_t from, uint64_t to)
{
    for (int shift = 1; shift <= SHIFT_MAX; shift++) {
        if (surely_leads(audit, from - (uint64_t)shift, to))
            return -shift;
        if (surely_leads(audit, from + (uint64_t)shift, to))
            return shift;
    }
    return 0;
}

/* Looks for the branch near a FROM that is not a branch to TO. */
static void find_branch(struct audit *audit, struct judged *out)
{
    uint64_t fused = fused_with(audit, out->from, out->to);
    int shift = nearest(audit, out->from, out->to);
    bool fuses = audit->model && audit->model->lbr.fuses;

    out->fit = BRANCH_BAD;
    if (fused && (fuses || shift > 0)) {
        out->flaw = FOUND_FUSED;
        out->shift = (int)(fused - out->from);
        return;
    }
    out->flaw = shift ? FOUND_SHIFTED : FOUND_NO_BRANCH;
    out->shift = shift;
    out->left = shift ? out->from + (uint64_t)(int64_t)shift : 0;
}

/* Judges a branch in the given files that ends in user mode. */
static void judge_in_code(struct audit *audit, struct judged *out)
{
    const struct code_insn *insn =
        is_inside(audit, out->from) ? NULL : code_at(&audit->images.code, out->from);

    out->kind = insn ? insn->kind : KIND_NONE;
    out->fit = BRANCH_GOOD;
    if (out->to == TRACED_UNNAMED) { /* perhaps into the kernel */
        out->fit = insn && insn->kind != KIND_NONE ? BRANCH_GOOD : BRANCH_EVENT;
        return;
    }
    if (!insn || insn->kind == KIND_NONE) {
        find_branch(audit, out);
        return;
    }
    if (insn->direct && !walk_can_lead(insn, out->to)) {
        find_branch(audit, out);
        if (out->flaw != FOUND_NO_BRANCH) /* FROM is wrong, and by chance a branch, too */
            return;
        out->flaw = FOUND_WRONG_TO;
        out->left = out->from;
        out->led = insn->target;
    } else if (place_is_code(&audit->images, out->to) && !is_code_at(audit, out->to)) {
        out->fit = BRANCH_BAD;
        out->flaw = FOUND_NO_CODE;
        out->led = 0;
    } else if (insn->kind == KIND_RET && place_is_code(&audit->images, out->to)) {
        out->returns_to_call = is_after_call(audit, out->to);
    }
}

/* Judges one that ends in the kernel: by a system call, or an event at FROM. */
static void judge_into_kernel(struct audit *audit, struct judged *out)
{
    const struct code_insn *insn =
        is_inside(audit, out->from) ? NULL : code_at(&audit->images.code, out->from);
    bool calls = insn && (insn->kind == KIND_FAR || insn->kind == KIND_INT);

    out->kind = calls ? insn->kind : KIND_EXC;
    out->fit = calls ? BRANCH_GOOD : BRANCH_EVENT;
    if (!insn) {
        out->fit = BRANCH_BAD;
        out->flaw = FOUND_NO_BRANCH;
        out->left = 0;
    }
}

/* True if a transaction can have ended so: from an instruction to one. */
static bool may_abort(struct audit *audit, const struct judged *judged)
{
    return !is_inside(audit, judged->from) &&
           (!place_is_code(&audit->images, judged->to) ||
            (!is_inside(audit, judged->to) && is_code_at(audit, judged->to)));
}

void judge_branch(struct audit *audit, uint32_t pid, const struct traced_branch *branch,
                  struct judged *out)
{
    uint64_t from = maps_place(&audit->maps, pid, branch->from);
    uint64_t to = maps_place(&audit->maps, pid, branch->to);
    struct judged *kept = &audit->kept_branches[kept_slot(from, to)];

    if (kept->from != from || kept->to != to || !from) {
        *kept = (struct judged){ .from = from, .to = to, .left = from, .led = to };
        if (!place_is_code(&audit->images, from))
            kept->fit = BRANCH_OUTSIDE;
        else if (place_is_kernel(to))
            judge_into_kernel(audit, kept);
        else
            judge_in_code(audit, kept);
    }
    *out = *kept;
    out->branch = branch;
    if (branch->abort && out->fit != BRANCH_OUTSIDE && may_abort(audit, out))
        out->fit = BRANCH_ABORT;
}

/* Why a record is left out whose FROM is in none of the files. */
static enum left_out outside(const struct judged *judged)
{
    if (judged->from == UINT64_MAX)
        return LEFT_HIDDEN;
    if (place_is_kernel(judged->from))
        return LEFT_KERNEL;
    if (judged->from >> PLACE_SHIFT == PLACE_VDSO >> PLACE_SHIFT)
        return LEFT_VDSO;
    return judged->branch->from == TRACED_UNNAMED ? LEFT_UNNAMED : LEFT_ELSEWHERE;
}

static void count_outside(struct audit *audit, const struct judged *judged)
{
    uint64_t times = judged->branch->times;
    enum left_out why = outside(judged);

    add_up(&audit->left_out[why], times);
    maps_count_outside(&audit->maps, judged->from, times);
    if ((why == LEFT_KERNEL || why == LEFT_HIDDEN) && !place_is_kernel(judged->to))
        add_up(&audit->leaves_kernel, times);
}

/*
 * A stack keeps the records that end in a ring that is not filtered out.  BTS, whose
 * records are a stream, is said to keep those that begin there.
 */
static void check_ring(struct audit *audit, const struct judged *judged, size_t position)
{
    const struct recording *recording = &audit->recording;
    const bool from_kernel = place_is_kernel(judged->from);
    const bool to_kernel = place_is_kernel(judged->to);
    const bool by_from = audit->oldest_first && from_kernel != to_kernel;
    uint64_t times = judged->branch->times;
    enum flaw flaw;

    if (!recording->user_only && !recording->kernel_only)
        return;
    add_up(&audit->checked[RULE_RING], times);
    if (by_from)
        add_up(&audit->checked[RULE_BTS_RING], times);
    if ((by_from ? from_kernel : to_kernel) ? recording->kernel_only : recording->user_only)
        return;
    if (by_from)
        flaw = from_kernel ? FOUND_FROM_KERNEL : FOUND_FROM_USER;
    else
        flaw = to_kernel ? FOUND_KERNEL : FOUND_USER;
    found_branch(audit, flaw, judged, position, times);
}

/* Checks the fields beside FROM and TO. */
static void check_fields(struct audit *audit, const struct judged *judged, size_t position)
{
    const struct model *model = audit->model;
    const struct info_form *form = model ? model->lbr.fields : NULL;
    uint64_t times = judged->branch->times, missed = judged->branch->missed;

    if (judged->fit == BRANCH_GOOD || judged->fit == BRANCH_EVENT) {
        add_up(&audit->of_kind[judged->kind], times);
        add_up(&audit->missed_of_kind[judged->kind], missed);
    }
    if (missed) {
        add_up(&audit->checked[RULE_MISPREDICTED], missed);
        if (model && model->lbr.depth > 1 &&
            !(form && form->words[INFO_MISPREDICTED].width))
            found_branch(audit, FOUND_MISSED_NO_FIELD, judged, position, missed);
        else if (judged->fit == BRANCH_GOOD &&
                 (judged->kind == KIND_JMP || judged->kind == KIND_CALL))
            found_branch(audit, FOUND_MISSED_DIRECT, judged, position, missed);
    }
    if (judged->branch->cycles) {
        add_up(&audit->checked[RULE_CYCLES], times);
        if (model && !(form && form->words[INFO_CYCLES].width))
            found_branch(audit, FOUND_CYCLES_NO_FIELD, judged, position, times);
    }
}

/* Counts the rules that apply to a record, and the one that it breaks. */
static void check_ends(struct audit *audit, const struct judged *judged, size_t position)
{
    uint64_t times = judged->branch->times;
    bool to_code = place_is_code(&audit->images, judged->to);
    bool is_direct =
        judged->kind == KIND_JCC || judged->kind == KIND_JMP || judged->kind == KIND_CALL;

    add_up(&audit->checked[RULE_FROM], times);
    if (is_direct && judged->to != TRACED_UNNAMED)
        add_up(&audit->checked[RULE_TARGET], times);
    else if (judged->kind != KIND_NONE && to_code)
        add_up(&audit->checked[RULE_PLACE], times);
    if (judged->kind == KIND_RET && judged->fit == BRANCH_GOOD && to_code) {
        add_up(&audit->checked[RULE_RETURN], times);
        if (!judged->returns_to_call)
            found_branch(audit, FOUND_RETURN, judged, position, times);
    }
    if (judged->fit == BRANCH_BAD)
        found_branch(audit, judged->flaw, judged, position, times);
    if (audit->recording.call_stack) {
        add_up(&audit->checked[RULE_CALLS], times);
        if (judged->kind != KIND_CALL && judged->kind != KIND_ICALL)
            found_branch(audit, FOUND_NO_CALL, judged, position, times);
    }
}

void count_branch(struct audit *audit, const struct judged *judged, size_t position)
{
    add_up(&audit->records, judged->branch->times);
    count_crossing(audit, judged);
    check_ring(audit, judged, position);
    check_fields(audit, judged, position);
    if (judged->fit == BRANCH_OUTSIDE)
        count_outside(audit, judged);
    else if (judged->fit == BRANCH_EVENT)
        add_up(&audit->left_out[LEFT_EVENTS], judged->branch->times);
    else if (judged->fit == BRANCH_ABORT)
        add_up(&audit->left_out[LEFT_ABORTS], judged->branch->times);
    else
        check_ends(audit, judged, position);
}

/* A stub of the procedure linkage table: an indirect jump, perhaps after ENDBR64. */
bool is_plt(struct audit *audit, uint64_t place)
{
    const struct code_insn *insn = code_at(&audit->images.code, place);

    if (insn && insn->endbr)
        insn = code_at(&audit->images.code, code_next(insn));
    return insn && insn->kind == KIND_IJMP;
}
