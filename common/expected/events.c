/*
 * Finds where handlers begin and end in a workload's expected trace, and where POPF or MOV
 * SS prevents a stop, which is noted as if a handler were there.
 *
 * Stepping does not see handlers.  To read its stops, or to compare them with a method that
 * does see handlers, the transfers around each handler must be known.
 */
#include "events.h"

#include "count_of.h"

#define NESTED_MAX 8

static void note(struct events *events, const struct event *event)
{
    for (size_t i = 0; i < events->count; i++)
        if (events->at[i].from == event->from && events->at[i].entry == event->entry &&
            events->at[i].to == event->to)
            return;
    if (events->count < COUNT_OF(events->at))
        events->at[events->count++] = *event;
}

/* SYSCALL that masks TF and the SYSRET that loads it are one step: see struct events. */
static void note_leap(struct events *events, const struct transfer *t)
{
    struct leap *leap = &events->leaps[events->leap_count];

    if (t->kind == KIND_TF_MASKED) {
        events->masked = t->from;
    } else if (events->leap_count < COUNT_OF(events->leaps)) {
        *leap = (struct leap){ events->masked, t->from, t->to };
        events->leap_count++;
    }
}

/* Notes a pause of stepping as a handler between the two places. */
static void note_mark(struct events *events, struct event *pause, const struct transfer *t)
{
    if (t->kind == KIND_TF_MASKED || t->kind == KIND_TF_LOADED) {
        note_leap(events, t);
        return;
    }
    if (t->kind == KIND_TF_CLEARED)
        *pause = (struct event){ .kind = KIND_INT, .from = t->to };
    else if (t->kind == KIND_TF_HELD)
        *pause = (struct event){ .kind = KIND_INT, .from = t->from };
    pause->to = t->to;
    pause->entry = pause->iret = BRANCH_UNKNOWN;
    if (t->kind != KIND_TF_CLEARED)
        note(events, pause);
}

static void note_unseen(struct events *events, const struct transfer *t)
{
    for (size_t i = 0; i < events->unseen_count; i++)
        if (events->unseen[i].from == t->from && events->unseen[i].to == t->to)
            return;
    if (events->unseen_count < COUNT_OF(events->unseen))
        events->unseen[events->unseen_count++] = *t;
}

static bool has_events(const struct workload *workload)
{
    if (workload->stub_count > 0)
        return true;
    for (uint32_t i = 0; i < workload->rows; i++)
        if (kind_is_mark((enum kind)workload->expect[i].kind))
            return true;
    return false;
}

void events_of(struct events *events, const struct workload *workload, uint64_t at,
               uint64_t call, uint64_t back, bool tf_before)
{
    struct event open[NESTED_MAX], pause = { .kind = KIND_NONE };
    bool clear = false;
    size_t depth = 0;
    struct expected expected;
    struct transfer t;

    events->count = events->unseen_count = events->leap_count = 0;
    events->before_db = UINT64_MAX;
    if (!has_events(workload)) /* nothing that is packed has any */
        return;
    expected_of(&expected, workload, at, call, back, NULL);
    expected.tf_before = tf_before;
    for (uint64_t i = 0; expected.source.next(&expected.source, &t);
         i += !kind_is_mark(t.kind)) {
        if (t.kind == KIND_DB && events->before_db == UINT64_MAX)
            events->before_db = i;
        if (kind_is_mark(t.kind)) {
            note_mark(events, &pause, &t);
            clear = t.kind == KIND_TF_CLEARED || t.kind == KIND_TF_MASKED;
        } else if (clear) {
            note_unseen(events, &t);
        } else if ((t.kind == KIND_INT || t.kind == KIND_EXC) && depth < NESTED_MAX) {
            open[depth] = (struct event){
                .kind = t.kind, .from = t.from, .entry = t.to, .nested = depth > 0
            };
            depth++;
        } else if (t.kind == KIND_IRET && depth > 0) {
            open[--depth].iret = t.from;
            open[depth].to = t.to;
            note(events, &open[depth]);
        }
    }
}

const struct event *event_from(const struct events *events, uint64_t from)
{
    for (size_t i = 0; i < events->count; i++)
        if (events->at[i].from == from)
            return &events->at[i];
    return NULL;
}
