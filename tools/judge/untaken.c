/* untaken.h */
#include "untaken.h"

#include <stdlib.h>

#include "code.h"
#include "expected_trace.h"
#include "heap.h"

struct stops {
    struct transfer *of;
    size_t count, capacity, untaken;
};

static void add(struct stops *stops, uint64_t from, uint64_t to)
{
    stops->of = grow(stops->of, &stops->capacity, stops->count, sizeof(*stops->of));
    stops->of[stops->count++] = (struct transfer){ from, to, KIND_JCC };
}

/* LOOPNE, LOOPE, LOOP and JrCXZ; in a longer Jcc this byte is the sign of the displacement.
 */
static unsigned kind_of(const struct loaded *loaded, const struct code_insn *insn)
{
    const uint8_t opcode = loaded->own->code[code_next(insn) - 2 - loaded->at];

    return opcode >= 0xe0 && opcode <= 0xe3 ? UNTAKEN_LOOPS : UNTAKEN_JCC;
}

struct transfer_list untaken_stops(const struct log *log, const struct run *run,
                                   unsigned kinds, uint64_t iretq)
{
    const bool bare = !(run->method->needs & NEEDS(FACILITY_LBR));
    struct expected_trace expected;
    struct source *all = expected_trace_of(&expected, log, run->workload);
    struct stops stops = { .count = 0 };
    struct events events;
    struct code code;
    struct transfer t;
    uint64_t at = BRANCH_UNKNOWN, before;
    bool is_plain;

    events_in(&events, log, run);
    is_plain = !events.count && events.before_db == UINT64_MAX;
    code_of(&code, log);
    all->rewind(all);
    while (is_plain && all->next(all, &t)) {
        const struct code_insn *insn;

        is_plain = !kind_is_mark(t.kind);
        for (before = at; at < t.from && (insn = code_at(&code, at)); at = code_next(insn))
            if (insn->kind == KIND_JCC && kinds & kind_of(run->workload, insn)) {
                add(&stops, bare ? BRANCH_UNKNOWN : iretq, bare ? code_next(insn) : before);
                before = code_next(insn);
                stops.untaken++;
            }
        add(&stops, bare ? BRANCH_UNKNOWN : t.from, t.to);
        at = t.to;
    }
    code_free(&code);
    if (!is_plain || !stops.untaken)
        stops.count = 0;
    return list_of(stops.of, 0, stops.count);
}
