/*
 * Checks that each stop of `step` follows from the one before.
 *
 * The branches alone would not show that a stop in straight code is missing.  The
 * lengths of instructions come from Zydis.
 */
#include "judge_parts.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>

#include "beyond.h"
#include "code.h"
#include "decode.h"
#include "expected_trace.h"
#include "heap.h"
#include "hit.h"
#include "retired.h"
#include "saturate.h"
#include "rounds.h"
#include "unconfirmed.h"

#define POPF      0x9d
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

/* The stops at which a rule disputes one branch, from the one before it on. */
struct disputed_stops {
    uint64_t first, last;
    bool used;
};

struct way {
    const struct log *log;
    const struct run *run;
    const struct events *events;
    struct known *known; /* by offset */
    uint64_t at, size;
    struct disputed_stops *disputed;
    size_t disputed_count;
    bool right;       /* no branch is lost or disputed                            */
    uint64_t struck;  /* stops so far at a REP that an interrupt strikes...       */
    size_t late;      /* ...and the line of one that has too many; 0: none        */
    size_t unstepped; /* the line of the stop after a POPF that made none; 0: none */
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

/* True if the workload ever completes the instruction at `from`: no event strikes there. */
static bool is_completed(const struct way *way, uint64_t from)
{
    struct expected_trace expected;
    struct source *trace = expected_trace_of(&expected, way->log, way->run->workload);
    uint64_t at = UINT64_MAX;
    struct transfer t;

    for (; trace->next(trace, &t); at = t.to) {
        const bool is_event = t.kind == KIND_INT || t.kind == KIND_EXC;

        if (at <= from && (from < t.from || (from == t.from && !is_event)))
            return true;
    }
    return false;
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

    if (!paused && known && leads(known, from, to) && (!event || is_completed(way, from)))
        return true;
    for (size_t i = 0; i < way->events->count && chain < CHAIN_MAX; i++) {
        event = &way->events->at[i];
        if (event->from == from && event->to != from &&
            follows(way, event->to, to, chain + 1))
            return true;
    }
    return false;
}

/* True if a branch leads there. */
static bool takes_branch(struct way *way, uint64_t from, uint64_t to)
{
    const struct known *known = know(way, from);

    return known && known->branch.kind != KIND_NONE && !event_from(way->events, from) &&
           to != from + known->length;
}

/* True if the expected trace has this branch, or the code alone says where it goes. */
static bool is_expected(struct way *way, uint64_t from, uint64_t to)
{
    const struct known *known = know(way, from);
    const uint32_t direct = COUNTS(KIND_NONE) | COUNTS(KIND_JCC) | COUNTS(KIND_JMP) |
                            COUNTS(KIND_CALL) | COUNTS(KIND_INT);
    struct expected_trace expected;
    struct source *trace;
    struct transfer t;

    if (!known || direct >> known->branch.kind & 1 || event_from(way->events, from))
        return true;
    trace = expected_trace_of(&expected, way->log, way->run->workload);
    while (trace->next(trace, &t))
        if (t.from == from && t.to == to)
            return true;
    return false;
}

/*
 * True if one instruction, whose stop is lost, leads from the one to the other.  If no
 * branch is lost, none leads to it or from it.
 */
static bool follows_but_one(struct way *way, uint64_t from, uint64_t to)
{
    for (uint64_t at = way->at; at < way->at + way->size; at++)
        if (follows(way, from, at, 0) && follows(way, at, to, 0) &&
            is_expected(way, at, to) &&
            !(way->right && (takes_branch(way, from, at) || takes_branch(way, at, to))))
            return true;
    return false;
}

/* True if only the stop after a POPF that clears TF is missing: the rule step-popf. */
static bool follows_popf(struct way *way, uint64_t from, uint64_t to)
{
    const struct known *known = know(way, from);
    const uint64_t after = known ? from + known->length : 0;
    const struct event *pause = known ? event_from(way->events, after) : NULL;

    return pause && pause->entry == BRANCH_UNKNOWN &&
           way->run->workload->own->code[after - 1 - way->at] == POPF &&
           follows(way, after, to, 0);
}

/* True if this is no stop of the workload: the next one follows the one before. */
static bool is_disputed_stop(struct way *way, const struct run_records *stops, uint64_t i)
{
    const uint64_t before = stops->at[i - 1].to;

    return i + 1 < stops->count && follows(way, before, stops->at[i + 1].to, 0);
}

/*
 * A rule that disputes a branch may account for one stop there that is extra or lost.  The
 * stops beside it must follow from each other: `*skip` is set if this one has no part in
 * that.
 */
static bool is_disputed(struct way *way, const struct run_records *stops, uint64_t i,
                        bool *skip)
{
    const uint64_t now = stops->at[i].to;

    for (size_t k = 0; k < way->disputed_count; k++) {
        struct disputed_stops *at = &way->disputed[k];

        if (at->used || i < at->first || i > at->last)
            continue;
        at->used = true;
        *skip = is_disputed_stop(way, stops, i);
        return *skip || follows_but_one(way, stops->at[i - 1].to, now) ||
               (i >= 2 && follows(way, stops->at[i - 2].to, now, 0));
    }
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
static bool needs_flag(struct way *way, uint64_t at)
{
    const struct known *known = know(way, at);

    return known && known->branch.kind == KIND_JCC &&
           known->branch.target == at + known->length;
}

static char *flag_wanted(const struct way *way, uint64_t index, uint64_t at)
{
    struct log_map map = map_of(way->log, way->run->workload);
    const char *place = scratch_take(place_text(&map, at, LOG_TO));

    return format_text("stop %llu: %s branches to the next instruction, want taken or "
                       "not-taken",
                       (unsigned long long)index + 1, place);
}

/*
 * An interrupt that a workload sends to itself arrives within this many iterations of a REP
 * (chosen for silicon; on emulators it arrives at once, but one emulator traps once more).
 * The image's handlers then leave that REP one iteration.
 */
#define LATE_ROUNDS 64

static void count_struck(struct way *way, uint64_t index, bool again)
{
    const struct rule_place place = rule_place_of(way->run);
    const uint64_t late = !place.emulated  ? LATE_ROUNDS
                          : place.platform ? place.platform->rep_traps_at_zero
                                           : 0;

    way->struck++;
    if (!again && way->struck > late + 1 && !way->late)
        way->late = line_of_record(way->run, index);
    if (!again)
        way->struck = 0;
}

/* The timer of the APIC strikes at any time: its count, and its MSR, which ECX names. */
#define APIC_TIMER_COUNT   0x380
#define X2APIC_TIMER_COUNT 0x838

static bool strikes_at_once(const struct way *way)
{
    const struct workload *own = way->run->workload->own;
    ZydisDecodedInstruction insn;

    for (uint64_t offset = 0; offset < own->size; offset++)
        if (code_decode(own, offset, &insn) &&
            (insn.raw.disp.value == APIC_TIMER_COUNT ||
             (uint32_t)insn.raw.imm[0].value.u == X2APIC_TIMER_COUNT))
            return false;
    return own->flags & WORKLOAD_APIC && !way->run->workload->is_bundled;
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
    if (known && known->counts.repeats && event_from(way->events, from))
        count_struck(way, index, from == to);
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

/* How many stops are lost at an end: none, one, or more. */
#define LOST_MORE 2

static uint64_t lost_at_end(struct way *way, uint64_t from, uint64_t to, bool there)
{
    return there ? 0 : follows(way, from, to, 0) ? 1 : LOST_MORE;
}

/* The stops at the beginning and at the return, if they are lost. */
static uint64_t lost_ends(struct way *way, const struct run_records *stops)
{
    const uint64_t back = way->log->machine.caller.back;
    uint64_t first, last;

    if (!stops->count)
        return UINT64_MAX;
    first = stops->at[0].to;
    last = stops->at[stops->count - 1].to;
    first = lost_at_end(way, way->at, first, first == way->at);
    last = lost_at_end(way, last, back, last == back);
    return first == LOST_MORE || last == LOST_MORE ? UINT64_MAX : first + last;
}

/* Returns NULL, or what is wrong with a stop; *where is then its line. */
static char *follow_all(struct way *way, struct rounds *rounds, size_t *where,
                        bool *our_fault)
{
    const struct run_records stops = run_records(way->log, way->run);
    char *why = NULL;

    if (rounds->may_lose && !rounds_lose(rounds, lost_ends(way, &stops)))
        return format_text("the first stop and the last one are lost, or more (lost)");

    for (uint64_t i = 0; i < stops.count && !why; i++) {
        const struct branch *now = &stops.at[i], *before = i > 0 ? now - 1 : NULL;
        bool skip = false;

        if (before && before->to == way->log->machine.caller.back)
            why = format_text("stop %llu: after the return to the caller (extra)",
                              (unsigned long long)i + 1);
        else if (before && !follows(way, before->to, now->to, 0) &&
                 is_disputed(way, &stops, i, &skip))
            rounds_lost(rounds);
        else if (before && !follows(way, before->to, now->to, 0) &&
                 follows_popf(way, before->to, now->to))
            way->unstepped = line_of_record(way->run, i);
        else if (before && !follows(way, before->to, now->to, 0))
            why = rounds->may_lose && follows_but_one(way, before->to, now->to) &&
                          rounds_lose(rounds, 1)
                      ? after_lost(rounds)
                      : gap(way, i, before->to, now->to);
        else if (before)
            why = wrong_rounds(way, rounds, i, before->to, now->to);
        if (!why && !now->info && needs_flag(way, now->to)) {
            *our_fault = true;
            why = flag_wanted(way, i, now->to);
        }
        if (why)
            *where = line_of_record(way->run, i);
        i += skip;
    }
    return why;
}

static struct way way_of(const struct log *log, const struct run *run,
                         const struct events *events)
{
    const uint64_t size = run->workload->own->size;

    return (struct way){ .log = log,
                         .run = run,
                         .events = events,
                         .known = zeroed(size + 1, sizeof(struct known)),
                         .at = run->workload->at,
                         .size = size };
}

char *follow_steps(const struct log *log, const struct run *run,
                   const struct events *events, size_t *where, bool *our_fault,
                   struct rounds *rounds)
{
    struct way way = way_of(log, run, events);
    char *why;

    *our_fault = false;
    why = follow_all(&way, rounds, where, our_fault);
    free(way.known);
    return why;
}

/* The stops of each disputed branch; both lists are in order. */
static void find_disputed(struct way *way, const struct disputed *disputed)
{
    struct recorded got;
    struct source *branches = transfers_of(&got, way->log, way->run);
    struct transfer ignored;
    uint64_t branch = 0, last = 0;

    way->disputed = zeroed(disputed->count + 1, sizeof(*way->disputed));
    way->disputed_count = disputed->count;
    for (size_t k = 0; k < disputed->count; k++) {
        if (k > 0 && disputed->at[k] == disputed->at[k - 1]) {
            way->disputed[k] = way->disputed[k - 1];
            continue;
        }
        for (; branch < disputed->at[k] && branches->next(branches, &ignored); branch++)
            last = got.taken - 1;
        way->disputed[k].first = last ? last : 1;
        if (branches->next(branches, &ignored)) {
            branch++;
            last = got.taken - 1;
        } else {
            last = way->run->records;
        }
        way->disputed[k].last = last;
    }
}

/* The record, from 1, at which the newest try differed; right: its branches do not. */
static uint64_t try_differs_at(const struct run *run, bool right)
{
    const struct tries *tries = &run->ran.tries;

    return right ? run->records + 1 : tries->count ? tries->differed[tries->count - 1] : 0;
}

/* True if the instruction at this place begins with a prefix, as a repeated one does. */
static bool has_prefix(const struct way *way, uint64_t at)
{
    const uint64_t offset = at - way->at;
    const unsigned code = offset < way->size ? way->run->workload->own->code[offset] : 0;

    return code == 0xf2 || code == 0xf3 || code == 0x66 || code == 0x67;
}

/* Returns how many instructions have no stop after them, although each has one where no
 * event strikes.  A repeated one stops at one place again. */
static uint64_t lost_stops(const struct way *way)
{
    const struct run_records stops = run_records(way->log, way->run);
    const struct retired all = retired_of(way->log, way->run);
    struct expected_trace expected;
    struct source *trace = expected_trace_of(&expected, way->log, way->run->workload);
    struct transfer t;
    uint64_t got = 0;

    while (trace->next(trace, &t))
        if (kind_is_mark(t.kind))
            return 0;
    if (!all.known || way->events->count || way->events->before_db != UINT64_MAX)
        return 0;
    for (uint64_t i = 0; i < stops.count; i++)
        got += i == 0 || stops.at[i].to != stops.at[i - 1].to ||
               !has_prefix(way, stops.at[i].to);
    return saturated_less(1 + all.insns, got);
}

bool judge_steps(const struct log *log, struct run *run, const struct disputed *disputed,
                 bool right)
{
    const struct rule_run hit = rule_run_of(log, run);
    const uint64_t at = try_differs_at(run, right && !hit_found(run));
    const bool in_guest = rule_is_of_run("step-in-guest", run);
    const uint64_t may_lose = hit_traps_max(&hit, at) + in_guest;
    struct rounds rounds = { .run = run, .may_lose = may_lose };
    struct events events;
    struct way way;
    size_t where = run->line;
    bool our_fault = false;
    char *why;

    events_in(&events, log, run);
    way = way_of(log, run, &events);
    way.right = right && disputed && !disputed->count && !lacks_stops(run);
    if (disputed && !rounds.may_lose) /* which is one stop in all */
        find_disputed(&way, disputed);
    why = follow_all(&way, &rounds, &where, &our_fault);
    if (!why && lacks_stops(run) && lost_stops(&way) > may_lose)
        why =
            format_text("%llu stops are missing, want at most %llu (lost)",
                        (unsigned long long)lost_stops(&way), (unsigned long long)may_lose);
    if (!why && way.late && strikes_at_once(&way))
        run_broke(
            run, "step-struck", way.late,
            format_text("a repeated instruction that an interrupt strikes stopped too "
                        "often (extra)"));
    if (!why && way.unstepped)
        run_broke(run, "step-popf", way.unstepped,
                  format_text("a POPF that clears TF made no stop (lost)"));
    free(way.known);
    free(way.disputed);
    run->ended_early = rounds.ended_early;
    if (!why && rounds.fewer)
        run_found(run, rule_named(rounds.fewer)->noted ? NOTED : ALLOWED, rounds.fewer,
                  run->end_line,
                  format_text("a repeated instruction stopped fewer times than its count"));
    if (!why && rounds.lost)
        run_found(run, ALLOWED,
                  rounds.lost == 1 && in_guest ? "step-in-guest" : hit_rule(&hit, at)->name,
                  run->end_line,
                  format_text("%llu stop%s missing (lost)", (unsigned long long)rounds.lost,
                              rounds.lost == 1 ? " is" : "s are"));
    return !run_broke(run, our_fault ? "log-flag" : "step-follows", where, why) &&
           !way.unstepped;
}

/* The kernel writes a flag at a conditional branch to the next instruction alone. */
void judge_flags(const struct log *log, struct run *run)
{
    struct run_records stops = { NULL, 0 };
    struct way way;

    if (run->method->stops && !run->method->sampled)
        stops = run_records(log, run);
    way = way_of(log, run, NULL);
    for (uint64_t i = 0; i < stops.count; i++)
        if (stops.at[i].info &&
            (!run->method->every_insn || !needs_flag(&way, stops.at[i].to))) {
            struct log_map map = map_of(log, run->workload);

            run_broke(run, "log-flag", line_of_record(run, i),
                      format_text("stop %llu: got taken or not-taken, but at %s is no "
                                  "conditional branch to the next instruction",
                                  (unsigned long long)i + 1,
                                  scratch_take(place_text(&map, stops.at[i].to, LOG_TO))));
            break;
        }
    free(way.known);
}
