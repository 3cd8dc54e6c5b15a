/*
 * Stops of a counter of instructions, compared with every instruction of the workload.
 *
 * An interrupt strikes between two instructions, so each stop is at one that the workload
 * runs after the stop before.  The period and the lateness say at which one: exactly on the
 * emulator; on silicon some of the interrupt's own instructions may count, and no manual
 * says how many.
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "code.h"
#include "expected_trace.h"
#include "unconfirmed.h"
#include "heap.h"
#include "hit.h"
#include "lateness.h"
#include "retired.h"
#include "rounds.h"

/* An instruction about to run, and how many had retired since the counter was turned on. */
struct moment {
    uint64_t retired, at;
};
struct moments {
    struct moment *at;
    size_t count, capacity;
};

static void add(struct moments *all, uint64_t retired, uint64_t at)
{
    all->at = grow(all->at, &all->capacity, all->count, sizeof(*all->at));
    all->at[all->count++] = (struct moment){ retired, at };
}

/* Adds the instructions up to that of the next transfer; false: the code is not known. */
static bool add_line(struct moments *all, struct code *code, uint64_t from,
                     const struct transfer *end, uint64_t *retired)
{
    while (from <= end->from) {
        const struct code_insn *insn = code_at(code, from);

        if (!insn)
            return false;
        add(all, *retired, from);
        *retired += from != end->from || end->kind != KIND_EXC;
        from = code_next(insn);
    }
    return true;
}

/* Every instruction that the workload runs, and the one after its return. */
static bool moments_of(struct moments *all, const struct log *log, const struct run *run)
{
    uint64_t from = BRANCH_UNKNOWN, retired = OWN_WINDOW_BEFORE;
    struct transfer t;
    struct expected_trace expected;
    struct source *source = expected_trace_of(&expected, log, run->workload);
    struct code code;
    bool known = true;

    *all = (struct moments){ .at = NULL };
    code_of(&code, log);
    while (known && source->next(source, &t)) {
        if (kind_is_mark(t.kind))
            continue;
        known = from == BRANCH_UNKNOWN || add_line(all, &code, from, &t, &retired);
        from = t.to;
    }
    add(all, retired, from);
    code_free(&code);
    return known;
}

/* The stops of a run, one by one. */
struct stop_cursor {
    const struct log *log;
    const struct run *run;
    struct moments all;
    size_t at;        /* the moment of the stop before, or 0            */
    bool stayed;      /* it was that of the stop before it, too         */
    uint64_t index;   /* of the stop, from 0                            */
    uint64_t retired; /* retired at that moment, by the counter         */
    uint64_t late;    /* the sum, of all stops so far                   */
    uint64_t unsure;  /* how many instructions may count or not         */
    bool hit;         /* by handlers, in which events counted           */
    uint64_t again;   /* stops at which another may be, by them         */
};

static char *at_no_instruction(const struct stop_cursor *cursor, uint64_t to)
{
    struct log_map map = map_of(cursor->log, cursor->run->workload);
    const char *got = scratch_take(place_text(&map, to, LOG_TO));

    return format_text("stop %llu: got %s, where no instruction begins that runs "
                       "after the stop before (wrong)",
                       (unsigned long long)cursor->index + 1, got);
}

static char *at_another(const struct stop_cursor *cursor, uint64_t to, uint64_t retired,
                        const struct moment *there)
{
    struct log_map map = map_of(cursor->log, cursor->run->workload);
    const char *got = scratch_take(place_text(&map, to, LOG_TO));
    const char *want =
        there ? scratch_take(place_text(&map, there->at, LOG_TO)) : "nothing more";

    return format_text("stop %llu: got %s, want %s, after %llu instructions (wrong)",
                       (unsigned long long)cursor->index + 1, got, want,
                       (unsigned long long)retired);
}

/* An instruction ran between two stops, or an iteration of a REP instruction; only after
 * the return one more interrupt may strike at once. */
static bool may_stay(const struct stop_cursor *cursor)
{
    const struct loaded *workload = cursor->run->workload;
    const uint64_t offset = cursor->all.at[cursor->at].at - workload->at;

    if (cursor->at + 1 == cursor->all.count)
        return !cursor->stayed;
    return !cursor->index ||
           (offset < workload->own->size && counts_of(workload->own, offset).repeats);
}

/* Finds the next time that the expected trace is at this address, whatever the count. */
static bool find_next(struct stop_cursor *cursor, uint64_t to)
{
    const bool stays = may_stay(cursor);
    size_t i = cursor->at + !(stays || cursor->again);

    while (i < cursor->all.count && cursor->all.at[i].at != to)
        i++;
    if (i == cursor->all.count)
        return false;
    cursor->stayed = cursor->index && i == cursor->at;
    cursor->again -= cursor->stayed && !stays;
    cursor->at = i;
    return true;
}

/* Finds it with the count: `retired` instructions, give or take `unsure`. */
static bool find_counted(struct stop_cursor *cursor, uint64_t to, uint64_t retired,
                         const struct moment **there)
{
    const uint64_t least = retired > cursor->unsure ? retired - cursor->unsure : 0;

    *there = NULL;
    for (size_t i = cursor->at; i < cursor->all.count; i++) {
        const struct moment *moment = &cursor->all.at[i];

        if (moment->retired > retired + cursor->unsure)
            return false;
        if (moment->retired == retired && !*there)
            *there = moment;
        if (moment->retired >= least && moment->at == to) {
            cursor->at = i;
            cursor->retired = moment->retired;
            return true;
        }
    }
    return false;
}

/* False if it counts no instructions, or interrupts can come in the window before the
 * workload: they make no stop, and their lateness is not known. */
static bool is_counted(const struct stop_cursor *cursor)
{
    const struct pmu_event *event = counted_event(cursor->run);

    return event && event->insns && !cursor->hit &&
           cursor->run->asked.period >= OWN_WINDOW_BEFORE;
}

/* *rule: the one that the stop breaks. */
static char *wrong_stop(struct stop_cursor *cursor, const struct branch *stop,
                        const char **rule)
{
    uint64_t retired = cursor->retired + cursor->run->asked.period + stop->info;
    const struct moment *there;
    size_t before = cursor->at;

    *rule = "pmi-boundary";
    if (!find_next(cursor, stop->to))
        return at_no_instruction(cursor, stop->to);
    if (!is_counted(cursor))
        return NULL;
    cursor->at = before;
    *rule = "pmi-insns";
    return find_counted(cursor, stop->to, retired, &there)
               ? NULL
               : at_another(cursor, stop->to, retired, there);
}

/* An interrupt without a stop comes after the return, so no period may end before it. */
static char *wrong_end(const struct stop_cursor *cursor)
{
    const struct run *run = cursor->run;
    uint64_t end = cursor->all.at[cursor->all.count - 1].retired;
    uint64_t late = lateness_beyond(run, cursor->late);

    if (run->ran.events <= run->records || !is_counted(cursor) ||
        cursor->retired + run->asked.period + late + cursor->unsure > end)
        return NULL;
    return format_text("%llu stops of %llu interrupts, but a period ended before the "
                       "workload did (lost)",
                       (unsigned long long)run->records,
                       (unsigned long long)run->ran.events);
}

/* On silicon some of each interrupt's own may count; no source says whether #DB retires. */
static uint64_t unsure_of(const struct log *log, const struct run *run)
{
    return (rule_is_of_run("pmi-unsure", run) ? OWN_UNSURE : 0) +
           retired_of(log, run).unsure;
}

void judge_insn_stops(const struct log *log, struct run *run, uint64_t foreign)
{
    const struct run_records stops = run_records(log, run);
    const struct rule_run hit = rule_run_of(log, run);
    struct stop_cursor cursor = { .log = log,
                                  .run = run,
                                  .unsure = unsure_of(log, run),
                                  .hit = foreign,
                                  .again = foreign ? hit_traps_max(&hit, 0) : 0 };
    bool known =
        moments_of(&cursor.all, log, run); /* what cannot be decoded is named elsewhere */
    bool wrong = false;

    for (; known && !wrong && cursor.index < stops.count; cursor.index++) {
        const char *rule;
        char *why = wrong_stop(&cursor, &stops.at[cursor.index], &rule);

        cursor.late += stops.at[cursor.index].info;
        wrong = run_broke(run, rule, line_of_record(run, cursor.index), why);
    }
    if (known && !wrong)
        run_broke(run, "pmi-insns", run->end_line, wrong_end(&cursor));
    free(cursor.all.at);
}
