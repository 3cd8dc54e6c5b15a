/* untaken.h */
#include "untaken.h"

#include <stdlib.h>

#include "code.h"
#include "expected_trace.h"
#include "heap.h"
#include "hit.h"
#include "unconfirmed.h"
#include "visible.h"

struct stops {
    struct transfer *of;
    size_t count, capacity;
    uint64_t untaken; /* of them, after branches that are not taken            */
    uint64_t most;    /* such branches, those included that run while TF is clear */
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
    uint64_t untaken;
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
            with->untaken++;
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
    with->untaken = 0;
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
    stops.most = with.untaken;
    code_free(&code);
    return stops;
}

struct transfer_list untaken_stops(const struct log *log, const struct run *run,
                                   unsigned kinds, uint64_t iretq)
{
    const struct stops stops = stops_of(log, run, kinds, iretq);

    return list_of(stops.of, 0, stops.untaken ? stops.count : 0);
}

static uint64_t lost_of(const struct log *log, const struct run *run, unsigned kinds,
                        uint64_t count)
{
    const struct stops stops = stops_of(log, run, kinds, BRANCH_UNKNOWN);

    free(stops.of);
    if (count > stops.most)
        return UINT64_MAX;
    return count < stops.untaken ? stops.untaken - count : 0;
}

uint64_t untaken_lost(const struct log *log, const struct run *run, uint64_t count)
{
    const uint64_t of_all = lost_of(log, run, UNTAKEN_JCC | UNTAKEN_LOOPS, count);
    const uint64_t of_jcc = lost_of(log, run, UNTAKEN_JCC, count);

    return of_all < of_jcc ? of_all : of_jcc;
}

/*
 * The kernel knows that there may be such stops, and repeats no run for one that lacks one
 * of them.  Or each of its tries differs at the first one, and shows no hit.
 */
uint64_t untaken_may_lack(const struct rule_run *run, uint64_t at)
{
    return hit_traps_max(run, at) +
           (run->hits.smis_are_counted ? 0 : hit_smis_ever(run) - 1) +
           rule_applies("step-in-guest", &run->place);
}

unsigned untaken_kinds(const struct log *log, const struct run *run)
{
    const struct rule_run place = rule_run_of(log, run);
    const uint64_t lost = run->right ? untaken_may_lack(&place, 1) : 0;
    unsigned has = 0;

    for (unsigned kind = UNTAKEN_JCC; kind <= UNTAKEN_LOOPS; kind <<= 1) {
        const struct stops stops = stops_of(log, run, kind, BRANCH_UNKNOWN);

        free(stops.of);
        has |= stops.untaken > lost ? kind : 0;
    }
    return has;
}
