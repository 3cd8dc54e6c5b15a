/* whole.h */
#include "whole.h"

#include <stdlib.h>

#include "heap.h"

struct unpacked {
    const struct workload *of;
    uint64_t where, call, back; /* its addresses are of a log where it lay there */
    struct transfer *at;
    uint64_t count;
    uint32_t kinds;
};

static void unpack_all(struct unpacked *out)
{
    struct pack *unpack = zeroed(1, sizeof(*unpack));
    struct expected expected;

    expected_of(&expected, out->of, out->where, out->call, out->back, unpack);
    for (out->count = 0; out->count < out->of->transfers &&
                         expected.source.next(&expected.source, &out->at[out->count]);)
        out->kinds |= 1u << out->at[out->count++].kind;
    free(unpack);
}

/* There is one of each workload: that of the log that asked last. */
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
    if (!known[i].kinds || known[i].where != loaded->at || known[i].call != log->call ||
        known[i].back != log->back) {
        known[i].where = loaded->at;
        known[i].call = log->call;
        known[i].back = log->back;
        unpack_all(&known[i]);
    }
    return &known[i];
}

static bool whole_next(struct source *source, struct transfer *out)
{
    struct whole *whole = (struct whole *)source;

    if (whole->next >= whole->count)
        return false;
    *out = whole->at[whole->next++];
    return true;
}

static void whole_rewind(struct source *source)
{
    struct whole *whole = (struct whole *)source;

    whole->next = whole->skip;
}

bool whole_of(struct whole *whole, const struct log *log, const struct loaded *loaded)
{
    const struct unpacked *unpacked;

    if (loaded->is_bundled || !loaded->own->packed)
        return false;
    unpacked = unpacked_of(log, loaded);
    if (unpacked->count != loaded->own->transfers)
        return false; /* as it comes it ends there, too */
    *whole = (struct whole){ .source = { whole_next, whole_rewind },
                             .at = unpacked->at,
                             .count = unpacked->count,
                             .kinds = unpacked->kinds };
    return true;
}

bool whole_is_seen(const struct whole *whole, const struct method_facts *method,
                   const struct record_filter *record_filter)
{
    const uint32_t handlers = 1u << KIND_INT | 1u << KIND_EXC | 1u << KIND_IRET;
    uint32_t unseen = 1u << KIND_DB;

    for (enum kind kind = 0; kind < KIND_COUNT; kind++)
        if (kind_is_mark(kind))
            unseen |= 1u << kind;
    if (method->blind_handlers)
        unseen |= handlers;
    return !method->silent && !method->last_event && !record_filter->left_out &&
           !record_filter->call_stack && !(whole->kinds & unseen);
}
