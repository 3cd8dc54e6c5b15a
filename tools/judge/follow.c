/*
 * Checks that each stop of `step` follows from the one before.
 *
 * The branches alone would not show that a stop in straight code is missing.  The
 * lengths of instructions come from Zydis.
 */
#include "judge_parts.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>

#include "code.h"
#include "decode.h"
#include "expected_trace.h"
#include "heap.h"
#include "rounds.h"
#include "unconfirmed.h"

#define CHAIN_MAX 7 /* events that strike one after the other with no stop between */

static size_t insn_length(const struct workload *workload, uint64_t offset)
{
    ZydisDecodedInstruction insn;

    return code_decode(workload, offset, &insn) ? insn.length : 0;
}

/* An instruction, as decoded at an offset. */
struct known {
    struct insn branch;
    uint8_t length; /* 0: not looked at yet */
    struct counts counts;
};

struct way {
    const struct log *log;
    const struct run *run;
    const struct events *events;
    struct known *known; /* by offset */
    uint64_t at, size;
};

static const struct known *know(struct way *way, uint64_t address)
{
    uint64_t offset = address - way->at;
    const struct workload *own = way->run->workload->own;
    struct known *known;

    if (offset >= way->size)
        return NULL;
    known = &way->known[offset];
    if (known->length == 0) {
        known->length = (uint8_t)insn_length(own, offset);
        known->counts = counts_of(own, offset);
        decode_of(own, way->at, address, &known->branch);
    }
    return known->length ? known : NULL;
}

/* True if the instruction at `from`, undisturbed, leads to `to`. */
static bool leads(const struct known *known, uint64_t from, uint64_t to)
{
    uint64_t next = from + known->length;

    switch (known->branch.kind) {
    case KIND_NONE:
        return to == next || (to == from && known->counts.repeats);
    case KIND_JCC:
        return to == next || to == known->branch.target;
    case KIND_JMP:
    case KIND_CALL:
        return to == known->branch.target;
    case KIND_INT: /* INTO goes on where it finds OF clear */
        return known->branch.opcode == OPCODE_INTO && to == next;
    default: /* where an indirect branch goes is the expected trace's to say */
        return true;
    }
}

/*
 * leads(), allowing for events: after one comes the instruction to which IRET returns.  Of
 * two that begin at the same place, either may have come.
 */
static bool follows(struct way *way, uint64_t from, uint64_t to, int chain)
{
    const struct known *known = know(way, from);
    const struct event *event = event_from(way->events, from);

    /* Where POPF or MOV SS takes effect there is no stop at all. */
    bool paused = event && event->entry == BRANCH_UNKNOWN;

    if (!paused && known && leads(known, from, to))
        return true;
    for (size_t i = 0; i < way->events->count && chain < CHAIN_MAX; i++) {
        event = &way->events->at[i];
        if (event->from == from && event->to != from &&
            follows(way, event->to, to, chain + 1))
            return true;
    }
    return false;
}

/* True if one instruction, whose stop is lost, leads from the one to the other. */
static bool follows_but_one(struct way *way, uint64_t from, uint64_t to)
{
    for (uint64_t at = way->at; at < way->at + way->size; at++)
        if (follows(way, from, at, 0) && follows(way, at, to, 0))
            return true;
    return false;
}

static char *gap(const struct way *way, uint64_t index, uint64_t from, uint64_t to)
{
    struct log_map map = map_of(way->log, way->run->workload);

    return format_text("stop %llu: %s cannot directly follow %s: a stop between them is "
                       "missing (lost)",
                       (unsigned long long)index + 1,
                       scratch_take(place_text(&map, to, LOG_TO)),
                       scratch_take(place_text(&map, from, LOG_TO)));
}

/* A branch to the next instruction: the addresses cannot say whether it was taken. */
static bool flag_missing(struct way *way, const struct branch *stop)
{
    const struct known *known = know(way, stop->to);

    return known && known->branch.kind == KIND_JCC && !stop->info &&
           known->branch.target == stop->to + known->length;
}

static char *flag_wanted(const struct way *way, uint64_t index, uint64_t at)
{
    struct log_map map = map_of(way->log, way->run->workload);
    const char *place = scratch_take(place_text(&map, at, LOG_TO));

    return format_text("stop %llu: %s branches to the next instruction, want taken or "
                       "not-taken",
                       (unsigned long long)index + 1, place);
}

/* Rounds of the instruction at a stop; a handler that ran there may have changed the count.
 */
static char *wrong_rounds(struct way *way, struct rounds *rounds, uint64_t index,
                          uint64_t from, uint64_t to)
{
    const struct known *known = know(way, from);
    char *why = NULL, *found;

    if (!known || event_from(way->events, from))
        rounds_lost(rounds);
    found = known ? rounds_after(rounds, &known->counts, from == to) : NULL;
    if (found)
        why = format_text("stop %llu: %s", (unsigned long long)index + 1, found);
    free(found);
    return why;
}

/* What the lost instruction did to the count is not known. */
static char *after_lost(struct rounds *rounds)
{
    rounds_lost(rounds);
    rounds->stops = 0;
    return NULL;
}

/* Returns NULL, or what is wrong with a stop; *where is then its line. */
static char *follow_all(struct way *way, struct rounds *rounds, size_t *where,
                        bool *our_fault)
{
    const struct run_records stops = run_records(way->log, way->run);
    char *why = NULL;

    for (uint64_t i = 0; i < stops.count && !why; i++) {
        const struct branch *now = &stops.at[i], *before = i > 0 ? now - 1 : NULL;

        if (before && before->to == way->log->machine.caller.back)
            why = format_text("stop %llu: after the return to the caller (extra)",
                              (unsigned long long)i + 1);
        else if (before && !follows(way, before->to, now->to, 0))
            why = rounds->may_lose && follows_but_one(way, before->to, now->to) &&
                          rounds_lose_one(rounds)
                      ? after_lost(rounds)
                      : gap(way, i, before->to, now->to);
        else if (before)
            why = wrong_rounds(way, rounds, i, before->to, now->to);
        if (!why && flag_missing(way, now)) {
            *our_fault = true;
            why = flag_wanted(way, i, now->to);
        }
        if (why)
            *where = line_of_record(way->run, i);
    }
    return why;
}

char *follow_steps(const struct log *log, const struct run *run,
                   const struct events *events, size_t *where, bool *our_fault,
                   struct rounds *rounds)
{
    struct way way = {
        log, run, events, NULL, run->workload->at, run->workload->own->size
    };
    char *why;

    way.known = calloc(way.size + 1, sizeof(*way.known));
    if (!way.known)
        return format_text("out of memory");
    *our_fault = false;
    why = follow_all(&way, rounds, where, our_fault);
    free(way.known);
    return why;
}

bool judge_steps(const struct log *log, struct run *run)
{
    struct rounds rounds = { .run = run, .may_lose = rule_is_of_run("step-in-guest", run) };
    struct events events;
    size_t where = run->line;
    bool our_fault;
    char *why;

    events_in(&events, log, run);
    why = follow_steps(log, run, &events, &where, &our_fault, &rounds);
    run->ended_early = rounds.ended_early;
    if (!why && rounds.fewer)
        run_found(run, ALLOWED, rounds.fewer, run->end_line,
                  format_text("a repeated instruction stopped fewer times than its count"));
    if (!why && rounds.lost)
        run_found(run, ALLOWED, "step-in-guest", run->end_line,
                  format_text("one stop is missing (lost)"));
    return !run_broke(run, our_fault ? "log-flag" : "step-follows", where, why);
}
