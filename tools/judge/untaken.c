/* untaken.h */
#include "untaken.h"

#include <stdlib.h>

#include "code.h"
#include "expected_trace.h"
#include "heap.h"
#include "visible.h"

struct stops {
    struct transfer *of;
    size_t count, capacity;
    uint64_t untaken; /* of them, after branches that are not taken */
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

/* The expected trace with the branches of these kinds that are not taken, without FROM. */
struct with_untaken {
    struct source source;
    struct source *all;
    struct code *code;
    const struct loaded *loaded;
    unsigned kinds;
    struct transfer next; /* of `all`, before which there may be such branches */
    bool has_next;
    uint64_t at;            /* where the straight code goes on that leads to it  */
    struct transfer newest; /* that an LBR stack would hold                      */
};

static bool with_untaken_next(struct source *source, struct transfer *out)
{
    struct with_untaken *with = (struct with_untaken *)source;
    const struct code_insn *insn;

    if (!with->has_next && !with->all->next(with->all, &with->next))
        return false;
    with->has_next = true;
    while (with->at < with->next.from && (insn = code_at(with->code, with->at))) {
        with->at = code_next(insn);
        if (insn->kind == KIND_JCC && with->kinds & kind_of(with->loaded, insn)) {
            *out = (struct transfer){ BRANCH_UNKNOWN, with->at, KIND_JCC };
            return true;
        }
    }
    with->has_next = false;
    *out = with->next;
    if (!kind_is_mark(out->kind)) {
        with->newest = *out;
        with->at = out->to;
    }
    return true;
}

static void with_untaken_rewind(struct source *source)
{
    struct with_untaken *with = (struct with_untaken *)source;

    with->all->rewind(with->all);
    with->has_next = false;
    with->at = BRANCH_UNKNOWN;
}

static struct stops stops_of(const struct log *log, const struct run *run, unsigned kinds,
                             uint64_t iretq)
{
    const bool bare = !(run->method->needs & NEEDS(FACILITY_LBR));
    struct expected_trace expected;
    struct code code;
    struct with_untaken with = { .source = { with_untaken_next, with_untaken_rewind },
                                 .all = expected_trace_of(&expected, log, run->workload),
                                 .code = &code,
                                 .loaded = run->workload,
                                 .kinds = kinds };
    struct stops stops = { .count = 0 };
    struct visible visible;
    struct transfer t;

    expected.rows.tf_before = run_has_tf_before(run);
    code_of(&code, log);
    visible_through(&visible, &with.source, run->method, 0, run_record_filter(run));
    while (visible.source.next(&visible.source, &t)) {
        stops.untaken += t.from == BRANCH_UNKNOWN;
        if (bare)
            add(&stops, BRANCH_UNKNOWN, t.to);
        else
            add(&stops, with.newest.from, with.newest.to);
        with.newest = (struct transfer){ iretq, t.to, KIND_IRET };
    }
    code_free(&code);
    return stops;
}

struct transfer_list untaken_stops(const struct log *log, const struct run *run,
                                   unsigned kinds, uint64_t iretq)
{
    const struct stops stops = stops_of(log, run, kinds, iretq);

    return list_of(stops.of, 0, stops.untaken ? stops.count : 0);
}
