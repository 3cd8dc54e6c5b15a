/*
 * Where handlers begin and end in the truth of a workload.
 *
 * Stepping does not see them, so what stands before and after them has to be known
 * when its stops are read, or held against a method that does see them.
 */
#include "tools.h"

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

void events_of(struct events *events, const struct log *log, const struct placed *placed)
{
    struct event open[NESTED_MAX];
    size_t depth = 0;
    struct truth truth;
    struct transfer t;

    events->count = 0;
    if (placed->own->stub_count == 0) /* all that is packed, too */
        return;
    truth_of(&truth, placed->own, placed->at, log->call, log->back, NULL);
    while (truth.source.next(&truth.source, &t)) {
        if ((t.kind == KIND_INT || t.kind == KIND_EXC) && depth < NESTED_MAX) {
            open[depth++] = (struct event){ .kind = t.kind, .from = t.from, .entry = t.to };
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
