/*
 * The truth seen through a method: what is left of it.
 */
#include "view.h"

#define CALL_LENGTH 5 /* of a relative call in 64-bit code without prefixes */

/* A mark: what an instruction did to who steps. */
static void take_mark(struct view *view, const struct transfer *mark)
{
    view->tf_clear = mark->kind == KIND_TF_CLEARED || mark->kind == KIND_TF_MASKED;
    view->unstopped = BRANCH_UNKNOWN;
    if (mark->kind == KIND_TF_SET || mark->kind == KIND_TF_HELD)
        view->unstopped = mark->to;
    if (mark->kind == KIND_TF_MASKED)
        view->masked = mark->from;
    view->loaded = mark->kind == KIND_TF_LOADED;
}

/*
 * Whether stepping sees this transfer.  An event that resumes where it struck
 * leaves the stop before that instruction in place; any other IRET returns to one
 * before which nothing stopped.
 */
static bool stepping_sees(struct view *view, const struct transfer *transfer)
{
    uint64_t unstopped = view->unstopped;

    if (view->tf_clear)
        return false;
    view->unstopped = BRANCH_UNKNOWN;
    if (transfer->kind == KIND_INT || transfer->kind == KIND_EXC) {
        if (view->in_handler++ == 0) {
            bool stopped = transfer->kind == KIND_EXC && transfer->from != unstopped;

            view->struck = stopped ? transfer->from : BRANCH_UNKNOWN;
        }
        return false;
    }
    if (view->in_handler > 0) {
        if (transfer->kind == KIND_IRET && --view->in_handler == 0)
            view->unstopped = transfer->to == view->struck ? BRANCH_UNKNOWN : transfer->to;
        return false;
    }
    return !view->method->every_insn || transfer->from != unstopped ||
           unstopped == BRANCH_UNKNOWN;
}

/* The ring in which the instruction at this address runs. */
static unsigned ring_at(const struct view *view, uint64_t address)
{
    const struct workload *workload = view->sieve.workload;
    uint64_t offset = address - view->sieve.at;

    if (!workload || offset >= workload->size)
        return 0;
    return part_of(workload, offset)->flags & PART_RING3 ? 3 : 0;
}

static bool ring_is_left_out(const struct view *view, uint64_t address)
{
    unsigned ring = ring_at(view, address);

    return view->sieve.left_out & LEAVES_OUT(ring == 0 ? FILTER_KERNEL : FILTER_USER);
}

static bool left_out(const struct view *view, const struct transfer *t)
{
    return ring_is_left_out(view, view->sieve.entered ? t->to : t->from) ||
           view->sieve.left_out & filter_of_kind(t->kind);
}

static void view_rewind(struct source *source)
{
    struct view *view = (struct view *)source;

    view->of->rewind(view->of);
    view->seen = 0;
    view->in_handler = 0;
    view->tf_clear = view->loaded = view->over = false;
    view->unstopped = view->struck = BRANCH_UNKNOWN;
    view->calls.top = view->calls.count = view->calls.given = 0;
    view->calls.filled = false;
}

/*
 * VM entry that injects a #DB changes no bit of DEBUGCTL, and its delivery is recorded (SDM
 * vol. 3C, "Event Injection", of 2026).  A filter takes it for a far branch.
 */
static bool sees_db(struct view *view, const struct transfer *db)
{
    const struct transfer entry = { db->from, db->to, KIND_EXC };

    view->over = view->method->ends_at_db && !view->sieve.db_recorded;
    return view->sieve.db_recorded && !left_out(view, &entry);
}

/* Whether a record is left of this transfer. */
static bool sees(struct view *view, const struct transfer *transfer)
{
    if (kind_is_mark(transfer->kind)) {
        take_mark(view, transfer);
        return false;
    }
    if (view->method->silent)
        return false;
    if (transfer->kind == KIND_DB)
        return sees_db(view, transfer);
    return !view->over && !left_out(view, transfer) &&
           (!view->method->blind_handlers || stepping_sees(view, transfer));
}

static bool next_seen(struct view *view, struct transfer *out)
{
    while (view->of->next(view->of, out)) {
        bool seen = sees(view, out);

        /* Who stops at each instruction last stopped at the SYSCALL. */
        if (seen && view->loaded && view->method->every_insn)
            out->from = view->masked;
        if (out->kind == KIND_DB) /* no manual says what FROM of an injected one is */
            out->from = BRANCH_UNKNOWN;
        if (seen && view->sieve.hides_from && ring_is_left_out(view, out->from))
            out->from = BRANCH_FILTERED;
        if (!kind_is_mark(out->kind))
            view->loaded = false;
        if (seen)
            return true;
    }
    return false;
}

static uint64_t call_room(const struct view *view)
{
    return view->keep && view->keep < CALL_STACK_MAX ? view->keep : CALL_STACK_MAX;
}

/*
 * A return takes the newest record away, and a call to the instruction behind it, which
 * no return will match, leaves none.  What an overrun pushed out does not come back; but
 * where a return only moves the pointer, what it passed by is still there, and then
 * stands behind the pointer as if it were older than all others.
 */
static void stack_calls(struct view *view)
{
    const struct transfer none = { 0, 0, KIND_NONE };
    uint64_t room = call_room(view);
    struct transfer t, *at = view->calls.at;

    for (uint64_t i = 0; i < room; i++)
        at[i] = none;
    while (next_seen(view, &t)) {
        if (t.kind == KIND_RET) {
            if (view->sieve.empties)
                at[view->calls.top] = none;
            view->calls.top = (view->calls.top + room - 1) % room;
        } else if (!(t.kind == KIND_CALL && t.to == t.from + CALL_LENGTH)) {
            view->calls.top = (view->calls.top + 1) % room;
            at[view->calls.top] = t;
        }
    }
    while (view->calls.count < room &&
           at[(view->calls.top + room - view->calls.count) % room].kind != KIND_NONE)
        view->calls.count++;
    view->calls.filled = true;
}

/*
 * Of all records the one before the last interrupt or exception; where one event strikes
 * right behind another, that is the other's.
 */
static void find_last_event(struct view *view)
{
    struct transfer newest = { 0, 0, KIND_NONE }, t;

    while (next_seen(view, &t)) {
        bool event = t.kind == KIND_INT || t.kind == KIND_EXC;

        if (event && newest.kind != KIND_NONE) {
            view->calls.at[0] = newest;
            view->calls.count = 1;
        }
        newest = t;
    }
    view->calls.filled = true;
}

static bool next_stacked(struct view *view, struct transfer *out)
{
    uint64_t room = call_room(view);

    if (!view->calls.filled && view->method->last_event)
        find_last_event(view);
    else if (!view->calls.filled)
        stack_calls(view);
    if (view->calls.given == view->calls.count)
        return false;
    view->calls.given++;
    *out = view->calls
               .at[(view->calls.top + room + view->calls.given - view->calls.count) % room];
    return true;
}

static bool view_next(struct source *source, struct transfer *out)
{
    struct view *view = (struct view *)source;

    if (view->sieve.call_stack || view->method->last_event)
        return next_stacked(view, out);
    while (next_seen(view, out))
        if (view->seen++ >= view->skip)
            return true;
    return false;
}

void view_through(struct view *view, struct source *of, const struct method_view *method,
                  uint64_t keep, struct sieve sieve)
{
    struct transfer ignored;

    *view = (struct view){ .source = { view_next, view_rewind },
                           .of = of,
                           .method = method,
                           .keep = keep,
                           .sieve = sieve };
    view_rewind(&view->source);
    if (keep == 0 || sieve.call_stack || method->last_event)
        return;
    while (view_next(&view->source, &ignored))
        ;
    view->skip = view->seen > keep ? view->seen - keep : 0;
    view_rewind(&view->source);
}

void view_of(struct view *view, struct source *of, const struct method_view *method,
             uint64_t keep)
{
    view_through(view, of, method, keep, (struct sieve){ 0 });
}

uint64_t view_keep(const struct method_view *method, const struct model *model,
                   uint64_t room)
{
    if (method->newest)
        return method->newest;
    if (method->ring_lbr && model && model->lbr.depth)
        return model->lbr.depth;
    return method->ring_lbr || method->ring_buffer ? room : 0;
}
