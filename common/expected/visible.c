/*
 * Removes from an expected trace what a method cannot record.
 */
#include "visible.h"

#define CALL_LENGTH 5 /* of a relative call in 64-bit code without prefixes */

/* A mark: how an instruction changed what single-stepping sees. */
static void take_mark(struct visible *visible, const struct transfer *mark)
{
    visible->tf_clear = mark->kind == KIND_TF_CLEARED || mark->kind == KIND_TF_MASKED;
    visible->unstopped = BRANCH_UNKNOWN;
    if (mark->kind == KIND_TF_SET || mark->kind == KIND_TF_HELD)
        visible->unstopped = mark->to;
    if (mark->kind == KIND_TF_MASKED)
        visible->masked = mark->from;
    visible->loaded = mark->kind == KIND_TF_LOADED;
}

/*
 * True if stepping sees this transfer.  An event that resumes where it struck had a stop
 * before that instruction; any other IRET returns to an instruction before which nothing
 * stopped.
 */
static bool stepping_sees(struct visible *visible, const struct transfer *transfer)
{
    uint64_t unstopped = visible->unstopped;

    if (visible->tf_clear)
        return false;
    visible->unstopped = BRANCH_UNKNOWN;
    if (transfer->kind == KIND_INT || transfer->kind == KIND_EXC) {
        if (visible->in_handler++ == 0) {
            bool stopped = transfer->kind == KIND_EXC && transfer->from != unstopped;

            visible->struck = stopped ? transfer->from : BRANCH_UNKNOWN;
        }
        return false;
    }
    if (visible->in_handler > 0) {
        if (transfer->kind == KIND_IRET && --visible->in_handler == 0)
            visible->unstopped =
                transfer->to == visible->struck ? BRANCH_UNKNOWN : transfer->to;
        return false;
    }
    return !visible->method->every_insn || transfer->from != unstopped ||
           unstopped == BRANCH_UNKNOWN;
}

/* The ring in which the instruction at this address runs. */
static unsigned ring_at(const struct visible *visible, uint64_t address)
{
    const struct workload *workload = visible->record_filter.workload;

    return workload ? ring_of(workload, address - visible->record_filter.at) : 0;
}

static bool ring_is_left_out(const struct visible *visible, uint64_t address)
{
    unsigned ring = ring_at(visible, address);

    return visible->record_filter.left_out &
           LEAVES_OUT(ring == 0 ? FILTER_KERNEL : FILTER_USER);
}

static bool rings_are_left_out(const struct visible *visible, const struct transfer *t)
{
    bool from = ring_is_left_out(visible, t->from), to = ring_is_left_out(visible, t->to);

    switch (visible->record_filter.decides) {
    case RING_LEFT:
        return from;
    case RING_ENTERED:
        return to;
    default:
        return from && to;
    }
}

static bool left_out(const struct visible *visible, const struct transfer *t)
{
    return rings_are_left_out(visible, t) ||
           visible->record_filter.left_out & filter_of_kind(t->kind);
}

static void hide_end(const struct visible *visible, uint64_t *end)
{
    if (visible->record_filter.hides_ends && *end != BRANCH_UNKNOWN &&
        ring_is_left_out(visible, *end))
        *end = BRANCH_FILTERED;
}

static void visible_rewind(struct source *source)
{
    struct visible *visible = (struct visible *)source;

    visible->of->rewind(visible->of);
    visible->seen = 0;
    visible->in_handler = 0;
    visible->tf_clear = visible->loaded = visible->over = false;
    visible->unstopped = visible->struck = BRANCH_UNKNOWN;
    visible->calls.top = visible->calls.count = visible->calls.given = 0;
    visible->calls.filled = false;
}

/*
 * VM entry that injects a #DB changes no bit of DEBUGCTL, and its delivery is recorded (SDM
 * vol. 3C, "Event Injection", of 2026).  A filter takes it for a far branch.
 */
static bool sees_db(struct visible *visible, const struct transfer *db)
{
    const struct transfer entry = { db->from, db->to, KIND_EXC };

    visible->over = visible->method->ends_at_db && !visible->record_filter.db_recorded;
    return visible->record_filter.db_recorded && !left_out(visible, &entry);
}

/* True if the method has a record of this transfer. */
static bool sees(struct visible *visible, const struct transfer *transfer)
{
    if (kind_is_mark(transfer->kind)) {
        take_mark(visible, transfer);
        return false;
    }
    if (visible->method->silent)
        return false;
    if (transfer->kind == KIND_DB && !visible->method->packets)
        return sees_db(visible, transfer);
    return !visible->over && !left_out(visible, transfer) &&
           (!visible->method->blind_handlers || stepping_sees(visible, transfer));
}

static bool next_seen(struct visible *visible, struct transfer *out)
{
    while (visible->of->next(visible->of, out)) {
        bool seen = sees(visible, out);

        /* A method that stops at each instruction last stopped at the SYSCALL. */
        if (seen && visible->loaded && visible->method->every_insn)
            out->from = visible->masked;
        if (out->kind == KIND_DB) /* no manual says what FROM of an injected one is */
            out->from = BRANCH_UNKNOWN;
        if (!kind_is_mark(out->kind))
            visible->loaded = false;
        if (!seen)
            continue;
        hide_end(visible, &out->from);
        hide_end(visible, &out->to);
        return true;
    }
    return false;
}

static uint64_t call_capacity(const struct visible *visible)
{
    return visible->keep && visible->keep < CALL_STACK_MAX ? visible->keep : CALL_STACK_MAX;
}

/*
 * Call-stack mode.  A return takes the newest record away; a call to the instruction after
 * itself, which no return will match, makes none.  Records that an overrun pushed out do
 * not come back.  On processors where a return only moves the pointer, the record it passed
 * remains, and later looks older than all others.
 */
static void stack_calls(struct visible *visible)
{
    const struct transfer none = { 0, 0, KIND_NONE };
    uint64_t capacity = call_capacity(visible);
    struct transfer t, *at = visible->calls.at;

    for (uint64_t i = 0; i < capacity; i++)
        at[i] = none;
    while (next_seen(visible, &t)) {
        if (t.kind == KIND_RET) {
            if (visible->record_filter.empties)
                at[visible->calls.top] = none;
            visible->calls.top = (visible->calls.top + capacity - 1) % capacity;
        } else if (!(t.kind == KIND_CALL && t.to == t.from + CALL_LENGTH)) {
            visible->calls.top = (visible->calls.top + 1) % capacity;
            at[visible->calls.top] = t;
        }
    }
    while (visible->calls.count < capacity &&
           at[(visible->calls.top + capacity - visible->calls.count) % capacity].kind !=
               KIND_NONE)
        visible->calls.count++;
    visible->calls.filled = true;
}

/*
 * Finds the record before the last interrupt or exception; if an event strikes right after
 * another event, that record is the other event's.
 */
static void find_last_event(struct visible *visible)
{
    struct transfer newest = { 0, 0, KIND_NONE }, t;

    while (next_seen(visible, &t)) {
        bool event = t.kind == KIND_INT || t.kind == KIND_EXC;

        if (event && newest.kind != KIND_NONE) {
            visible->calls.at[0] = newest;
            visible->calls.count = 1;
        }
        newest = t;
    }
    if (visible->record_filter.ends_in_event && newest.kind != KIND_NONE) {
        visible->calls.at[0] = newest;
        visible->calls.count = 1;
    }
    visible->calls.filled = true;
}

static bool next_stacked(struct visible *visible, struct transfer *out)
{
    uint64_t capacity = call_capacity(visible);

    if (!visible->calls.filled && visible->method->last_event)
        find_last_event(visible);
    else if (!visible->calls.filled)
        stack_calls(visible);
    if (visible->calls.given == visible->calls.count)
        return false;
    visible->calls.given++;
    *out = visible->calls.at[(visible->calls.top + capacity + visible->calls.given -
                              visible->calls.count) %
                             capacity];
    return true;
}

static bool visible_next(struct source *source, struct transfer *out)
{
    struct visible *visible = (struct visible *)source;

    if (visible->record_filter.call_stack || visible->method->last_event)
        return next_stacked(visible, out);
    while (next_seen(visible, out))
        if (visible->seen++ >= visible->skip)
            return true;
    return false;
}

void visible_through(struct visible *visible, struct source *of,
                     const struct method_facts *method, uint64_t keep,
                     struct record_filter record_filter)
{
    struct transfer ignored;

    *visible = (struct visible){ .source = { visible_next, visible_rewind },
                                 .of = of,
                                 .method = method,
                                 .keep = keep,
                                 .record_filter = record_filter };
    visible_rewind(&visible->source);
    if (keep == 0 || record_filter.call_stack || method->last_event)
        return;
    while (visible_next(&visible->source, &ignored))
        ;
    visible->skip = visible->seen > keep ? visible->seen - keep : 0;
    visible_rewind(&visible->source);
}

void visible_of(struct visible *visible, struct source *of,
                const struct method_facts *method, uint64_t keep)
{
    visible_through(visible, of, method, keep, (struct record_filter){ 0 });
}

uint64_t visible_capacity(const struct method_facts *method, const struct model *model,
                          uint64_t capacity)
{
    const uint64_t depth = model ? model->lbr.depth : 0; /* 0: CPUID reports it */

    if (method->newest)
        return depth && depth < method->newest ? depth : method->newest;
    if (method->ring_lbr && depth)
        return depth;
    return method->ring_lbr || method->ring_buffer ? capacity : 0;
}
