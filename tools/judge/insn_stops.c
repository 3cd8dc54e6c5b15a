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
#include "lateness.h"
#include "retired.h"

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
    uint64_t index;   /* of the stop, from 0                            */
    uint64_t retired; /* retired at that moment, by the counter         */
    uint64_t late;    /* the sum, of all stops so far                   */
    uint64_t unsure;  /* how many instructions may count or not         */
};

static char *at_no_instruction(const struct stop_cursor *walk, uint64_t to)
{
    struct log_map map = map_of(walk->log, walk->run->workload);
    char *got = place_text(&map, to, LOG_TO);
    char *why = format_text("stop %llu: got %s, where no instruction begins that runs "
                            "after the stop before (wrong)",
                            (unsigned long long)walk->index + 1, got);

    free(got);
    return why;
}

static char *at_another(const struct stop_cursor *walk, uint64_t to, uint64_t retired,
                        const struct moment *there)
{
    struct log_map map = map_of(walk->log, walk->run->workload);
    char *got = place_text(&map, to, LOG_TO);
    char *want = there ? place_text(&map, there->at, LOG_TO) : format_text("nothing more");
    char *why = format_text("stop %llu: got %s, want %s, after %llu instructions (wrong)",
                            (unsigned long long)walk->index + 1, got, want,
                            (unsigned long long)retired);

    free(got);
    free(want);
    return why;
}

/* Finds the next time that the expected trace is at this address, whatever the count. */
static bool find_next(struct stop_cursor *walk, uint64_t to)
{
    size_t i = walk->at;

    while (i < walk->all.count && walk->all.at[i].at != to)
        i++;
    if (i == walk->all.count)
        return false;
    walk->at = i;
    return true;
}

/* Finds it with the count: `retired` instructions, give or take `unsure`. */
static bool find_counted(struct stop_cursor *walk, uint64_t to, uint64_t retired,
                         const struct moment **there)
{
    const uint64_t least = retired > walk->unsure ? retired - walk->unsure : 0;

    *there = NULL;
    for (size_t i = walk->at; i < walk->all.count; i++) {
        const struct moment *moment = &walk->all.at[i];

        if (moment->retired > retired + walk->unsure)
            return false;
        if (moment->retired == retired && !*there)
            *there = moment;
        if (moment->retired >= least && moment->at == to) {
            walk->at = i;
            walk->retired = moment->retired;
            return true;
        }
    }
    return false;
}

/* False if interrupts can come in the window before the workload: they make no stop, and
 * their lateness is not known. */
static bool is_counted(const struct stop_cursor *walk)
{
    return walk->run->asked.period >= OWN_WINDOW_BEFORE;
}

/* *kind: where an instruction begins is certain, how many there were before it is not. */
static char *wrong_stop(struct stop_cursor *walk, const struct branch *stop,
                        enum finding_kind *kind)
{
    uint64_t retired = walk->retired + walk->run->asked.period + stop->info;
    const struct moment *there;
    size_t before = walk->at;

    *kind = CERTAIN;
    if (!find_next(walk, stop->to))
        return at_no_instruction(walk, stop->to);
    if (!is_counted(walk))
        return NULL;
    walk->at = before;
    *kind = IN_DOUBT;
    return find_counted(walk, stop->to, retired, &there)
               ? NULL
               : at_another(walk, stop->to, retired, there);
}

/* An interrupt without a stop comes after the return, so no period may end before it. */
static char *wrong_end(const struct stop_cursor *walk)
{
    const struct run *run = walk->run;
    uint64_t end = walk->all.at[walk->all.count - 1].retired;
    uint64_t late = lateness_beyond(run, walk->late);

    if (run->ran.events <= run->records || !is_counted(walk) ||
        walk->retired + run->asked.period + late + walk->unsure > end)
        return NULL;
    return format_text("%llu stops of %llu interrupts, but a period ended before the "
                       "workload did (lost)",
                       (unsigned long long)run->records,
                       (unsigned long long)run->ran.events);
}

/* On silicon some of each interrupt's own may count; no source says whether #DB retires. */
static uint64_t unsure_of(const struct log *log, const struct run *run)
{
    return (on_silicon(run->cpu) ? OWN_UNSURE : 0) + retired_of(log, run).unsure;
}

void judge_insn_stops(const struct log *log, struct run *run)
{
    const struct run_records stops = run_records(log, run);
    struct stop_cursor walk = { .log = log, .run = run, .unsure = unsure_of(log, run) };
    bool known =
        moments_of(&walk.all, log, run); /* what cannot be decoded is named elsewhere */
    bool wrong = false;

    for (; known && !wrong && walk.index < stops.count; walk.index++) {
        enum finding_kind kind;
        char *why = wrong_stop(&walk, &stops.at[walk.index], &kind);

        walk.late += stops.at[walk.index].info;
        wrong = run_found(run, OF_INTERRUPTS, kind, line_of_record(run, walk.index), why);
    }
    if (known && !wrong)
        run_found(run, OF_INTERRUPTS, IN_DOUBT, run->end_line, wrong_end(&walk));
    free(walk.all.at);
}
