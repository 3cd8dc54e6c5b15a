/* expected_trace.h */
#include "expected_trace.h"

#include <stdlib.h>

#include "heap.h"

/* A program's trace, with the addresses of the log that asked last. */
struct unpacked {
    const struct workload *of;
    uint64_t where, call, back;
    struct transfer *at;
    uint64_t count;
    uint32_t kinds;
};

static void unpack_program(struct unpacked *out)
{
    static struct pack pack;
    struct expected expected;

    expected_of(&expected, out->of, out->where, out->call, out->back, &pack);
    for (out->count = 0; out->count < out->of->transfers &&
                         expected.source.next(&expected.source, &out->at[out->count]);)
        out->kinds |= 1u << out->at[out->count++].kind;
}

static const struct unpacked *unpacked_of(const struct log *log,
                                          const struct loaded *loaded)
{
    static struct unpacked *known;
    static size_t count, capacity;
    const struct workload *of = loaded->own;
    size_t i = 0;

    while (i < count && known[i].of != of)
        i++;
    if (i == count) {
        known = grow(known, &capacity, count, sizeof(*known));
        known[count++] =
            (struct unpacked){ .of = of,
                               .at = zeroed(of->transfers, sizeof(struct transfer)) };
    }
    if (!known[i].kinds || known[i].where != loaded->at ||
        known[i].call != log->machine.caller.call ||
        known[i].back != log->machine.caller.back) {
        known[i].where = loaded->at;
        known[i].call = log->machine.caller.call;
        known[i].back = log->machine.caller.back;
        unpack_program(&known[i]);
    }
    return &known[i];
}

struct source *expected_trace_of(struct expected_trace *out, const struct log *log,
                                 const struct loaded *loaded)
{
    if (loaded->own->packed) { /* never one that the log brought */
        const struct unpacked *unpacked = unpacked_of(log, loaded);

        out->kept = list_of(unpacked->at, 0, unpacked->count);
        out->kinds = unpacked->kinds;
        out->source = &out->kept.source;
    } else {
        expected_of(&out->rows, loaded->own, loaded->at, log->machine.caller.call,
                    log->machine.caller.back, NULL);
        out->kinds = 0;
        out->source = &out->rows.source;
    }
    return out->source;
}

/*
 * Runs and comparisons of one workload come one after the other, and a workload of loops is
 * long.  What a log brought along may be freed, and another one lie in its place.
 */
void events_in(struct events *events, const struct log *log, const struct run *run)
{
    static struct {
        const struct workload *of;
        uint64_t where, call, back;
        bool tf_before;
        struct events events;
    } last;
    const struct loaded *loaded = run->workload;
    const uint64_t call = log->machine.caller.call, back = log->machine.caller.back;
    const bool tf_before = run_has_tf_before(run);

    if (last.of != loaded->own || last.where != loaded->at || last.call != call ||
        last.back != back || last.tf_before != tf_before) {
        events_of(&last.events, loaded->own, loaded->at, call, back, tf_before);
        last.of = loaded->is_bundled || is_other_build(loaded) ? NULL : loaded->own;
        last.where = loaded->at;
        last.call = call;
        last.back = back;
        last.tf_before = tf_before;
    }
    *events = last.events;
}

bool is_all_visible(const struct expected_trace *expected,
                    const struct method_facts *method,
                    const struct record_filter *record_filter)
{
    const uint32_t handlers = 1u << KIND_INT | 1u << KIND_EXC | 1u << KIND_IRET;
    uint32_t unseen = 1u << KIND_DB;

    for (enum kind kind = 0; kind < KIND_COUNT; kind++)
        if (kind_is_mark(kind))
            unseen |= 1u << kind;
    if (method->blind_handlers)
        unseen |= handlers;
    return expected->kinds && !method->silent && !method->last_event &&
           !record_filter->left_out && !record_filter->call_stack &&
           !(expected->kinds & unseen);
}
