/*
 * Stops of a counter, compared with every instruction of the workload.
 *
 * An interrupt strikes between two instructions, so each stop is at one that the workload
 * runs after the stop before.  If the counter counts instructions, or the branches that are
 * not taken too, the period and the lateness say at which one: exactly on the emulator; on
 * silicon some of the interrupt's own events may count, and no manual says how many.
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
#include "saturate.h"

/* An instruction about to run, and how many events had counted since the counter was turned
 * on. */
struct moment {
    uint64_t counted, at;
};
struct moments {
    struct moment *at;
    size_t count, capacity;
};

static void add(struct moments *all, uint64_t counted, uint64_t at)
{
    all->at = grow(all->at, &all->capacity, all->count, sizeof(*all->at));
    all->at[all->count++] = (struct moment){ counted, at };
}

/* Returns true if an instruction counts that straight code runs through: a conditional
 * branch there is not taken. */
static bool counts_insn(const struct pmu_event *event, const struct code_insn *insn)
{
    return event && (event->insns || (event->counts && insn->kind == KIND_JCC));
}

static bool counts_transfer(const struct pmu_event *event, const struct transfer *t)
{
    return event && (event->insns ? t->kind != KIND_EXC : event->counts >> t->kind & 1);
}

/* Adds the instructions up to that of the next transfer; false: the code is not known. */
static bool add_line(struct moments *all, struct code *code, uint64_t from,
                     const struct transfer *end, const struct pmu_event *event,
                     uint64_t *counted)
{
    while (from <= end->from) {
        const struct code_insn *insn = code_at(code, from);

        if (!insn)
            return false;
        add(all, *counted, from);
        *counted +=
            from == end->from ? counts_transfer(event, end) : counts_insn(event, insn);
        from = code_next(insn);
    }
    return true;
}

/* Every instruction that the workload runs, and the one after its return. */
static bool moments_of(struct moments *all, const struct log *log, const struct run *run)
{
    const struct pmu_event *event = counted_event(run);
    uint64_t from = BRANCH_UNKNOWN;
    uint64_t counted = event && event->insns ? OWN_WINDOW_BEFORE - 1 : 0;
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
        if (from == BRANCH_UNKNOWN) /* the window's call */
            counted += counts_transfer(event, &t);
        else
            known = add_line(all, &code, from, &t, event, &counted);
        from = t.to;
    }
    add(all, counted, from);
    code_free(&code);
    return known;
}

/* The stops of a run, one by one. */
struct stop_cursor {
    const struct log *log;
    const struct run *run;
    struct moments all;
    size_t at;            /* the moment of the stop before, or 0            */
    bool stayed;          /* it was that of the stop before it, too         */
    uint64_t index;       /* of the stop, from 0                            */
    uint64_t least, most; /* counted at that moment: in a loop it may be any of several */
    uint64_t late;        /* the sum, of all stops so far                   */
    uint64_t unsure;      /* how many events may count or not               */
    uint64_t early;       /* how many more an erratum counts                */
    bool prompt;          /* an interrupt that is not late strikes at once  */
    bool hit;             /* by handlers, in which events counted           */
    uint64_t again;       /* stops at which another may be, by them         */
};

static char *at_no_instruction(const struct stop_cursor *cursor, uint64_t to)
{
    struct log_map map = map_of(cursor->log, cursor->run->workload);
    const char *got = scratch_take(place_text(&map, to, LOG_TO));

    return format_text("stop %llu: got %s, where no instruction begins that runs "
                       "after the stop before (wrong)",
                       (unsigned long long)cursor->index + 1, got);
}

static bool counts_insns(const struct stop_cursor *cursor)
{
    return counted_event(cursor->run)->insns;
}

static const char *count_rule(const struct stop_cursor *cursor)
{
    return counts_insns(cursor) ? "pmi-insns" : "pmi-near";
}

static char *at_another(const struct stop_cursor *cursor, uint64_t to, uint64_t counted,
                        const struct moment *there)
{
    struct log_map map = map_of(cursor->log, cursor->run->workload);
    const char *got = scratch_take(place_text(&map, to, LOG_TO));
    const char *want =
        there ? scratch_take(place_text(&map, there->at, LOG_TO)) : "nothing more";

    return format_text("stop %llu: got %s, want %s, after %llu %s (wrong)",
                       (unsigned long long)cursor->index + 1, got, want,
                       (unsigned long long)counted,
                       counts_insns(cursor) ? "instructions"
                       : counted == 1       ? "branch"
                                            : "branches");
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

/* Returns true if nothing else ran since the event that counted last. */
static bool is_first_after(const struct moments *all, size_t i)
{
    return !i || all->at[i - 1].counted != all->at[i].counted;
}

/* Finds it with the count: each time at this address after `events` more, give or take
 * those that are unsure.  *there is the moment after `counted` in all. */
static bool find_counted(struct stop_cursor *cursor, const struct branch *stop,
                         uint64_t events, uint64_t counted, const struct moment **there)
{
    const uint64_t most = cursor->most + events + cursor->unsure;
    const uint64_t least =
        saturated_less(cursor->least + events, cursor->unsure + cursor->early);
    const bool at_once = cursor->prompt && !stop->info;
    bool found = false;

    *there = NULL;
    for (size_t i = cursor->at; i < cursor->all.count; i++) {
        const struct moment *moment = &cursor->all.at[i];

        if (moment->counted > most)
            break;
        if (moment->counted == counted && !*there)
            *there = moment;
        if (moment->counted < least || moment->at != stop->to ||
            (at_once && !is_first_after(&cursor->all, i)))
            continue;
        cursor->at = found ? cursor->at : i;
        cursor->least = found ? cursor->least : moment->counted;
        cursor->most = moment->counted;
        found = true;
    }
    return found;
}

/* False if the code does not show what counts, the expected trace shows all of it, or
 * interrupts can come in the window before the workload: they make no stop, and their
 * lateness is not known. */
static bool is_counted(const struct stop_cursor *cursor)
{
    const struct pmu_event *event = counted_event(cursor->run);

    if (!event || cursor->hit)
        return false;
    return event->insns ? cursor->run->asked.period >= OWN_WINDOW_BEFORE
                        : event->counts && event->others;
}

/* *rule: the one that the stop breaks. */
static char *wrong_stop(struct stop_cursor *cursor, const struct branch *stop,
                        const char **rule)
{
    const uint64_t events = cursor->run->asked.period + stop->info;
    const uint64_t counted = (cursor->least + cursor->most) / 2 + events;
    const struct moment *there;
    size_t before = cursor->at;

    *rule = "pmi-boundary";
    if (!find_next(cursor, stop->to))
        return at_no_instruction(cursor, stop->to);
    if (!is_counted(cursor))
        return NULL;
    cursor->at = before;
    *rule = count_rule(cursor);
    return find_counted(cursor, stop, events, counted, &there)
               ? NULL
               : at_another(cursor, stop->to, counted, there);
}

/* An interrupt without a stop comes after the return, so no period may end before it. */
static char *wrong_end(const struct stop_cursor *cursor)
{
    const struct run *run = cursor->run;
    uint64_t end = cursor->all.at[cursor->all.count - 1].counted;
    uint64_t late = lateness_beyond(run, cursor->late);

    if (run->ran.events <= run->records ||
        cursor->most + run->asked.period + late + cursor->unsure > end)
        return NULL;
    return format_text("%llu stops of %llu interrupts, but a period ended before the "
                       "workload did (lost)",
                       (unsigned long long)run->records,
                       (unsigned long long)run->ran.events);
}

/* On silicon some of each interrupt's own may count, and no manual says which far branches
 * do; no source says whether #DB retires, and where it is unsure whether it is a branch. */
static uint64_t unsure_of(const struct log *log, const struct run *run)
{
    const struct pmu_event *event = counted_event(run);
    const bool is_branches = event && event->counts;
    const uint64_t own = is_branches ? HANDLER_EVENTS + count_far(log, run) : OWN_UNSURE;

    return (rule_is_of_run("pmi-unsure", run) ? own : 0) +
           (!is_branches || event->unsure ? retired_of(log, run).unsure : 0);
}

void judge_insn_stops(const struct log *log, struct run *run, uint64_t foreign,
                      uint64_t excess)
{
    const struct run_records stops = run_records(log, run);
    const struct rule_run hit = rule_run_of(log, run);
    struct stop_cursor cursor = { .log = log,
                                  .run = run,
                                  .unsure = unsure_of(log, run),
                                  .early = period_is_unsafe(run) ? PERIOD_SAFE : excess,
                                  .hit = foreign,
                                  .again = foreign ? hit_traps_max(&hit, 0) : 0 };
    bool known =
        moments_of(&cursor.all, log, run); /* what cannot be decoded is named elsewhere */
    bool wrong = false;

    cursor.prompt = run->asked.nmi && !cursor.unsure && is_counted(&cursor) &&
                    !counts_insns(&cursor) && rule_is_of_run("pmi-prompt", run);
    for (; known && !wrong && cursor.index < stops.count; cursor.index++) {
        const char *rule;
        char *why = wrong_stop(&cursor, &stops.at[cursor.index], &rule);

        cursor.late += stops.at[cursor.index].info;
        wrong = run_broke(run, rule, line_of_record(run, cursor.index), why);
    }
    if (known && !wrong && is_counted(&cursor) && !period_is_unsafe(run))
        run_broke(run, count_rule(&cursor), run->end_line, wrong_end(&cursor));
    free(cursor.all.at);
}
