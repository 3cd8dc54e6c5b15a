/*
 * Compares pairs of methods, in one log and on one workload, on what both can see.  The
 * expected trace decides which of them is right; this would notice an expected trace that
 * bends to what every method shows.
 *
 * The expected trace only says here where handlers are: stepping is blind in them, so they
 * are removed from the other side too.
 */
#include "cross.h"

#include <stdlib.h>

#include "beyond.h"
#include "decode.h"
#include "heap.h"
#include "expected_trace.h"
#include "judge_parts.h"
#include "log_run.h"
#include "packets.h"
#include "unconfirmed.h"

/* A run without what the other method cannot see. */
struct side {
    const struct run *run;
    const struct edges *edges;
    bool blind;    /* take away handlers: the other side cannot see them        */
    bool steps;    /* branches before which stepping had no stop are left out   */
    bool leaps;    /* branches for which the two give different FROMs are too   */
    bool until_db; /* only what came before #DB: it turned the other side off   */
    uint32_t depth;
};

static bool both_see(struct side *side, const struct edge *edge)
{
    if (side->leaps && edge->leap)
        return false;
    if (side->blind && edge->transfer.from != BRANCH_UNKNOWN) {
        if (edge->unseen)
            return false;
        if (edge->enters_handler) {
            side->depth++;
            return false;
        }
        if (side->depth > 0) {
            side->depth -= edge->ends_handler;
            return false;
        }
    }
    return !side->steps || !edge->unstopped;
}

/* Its stops have no FROM. */
static bool is_bare(const struct run *run)
{
    return run->method->stops && !run->method->every_insn;
}

/*
 * The first record that is compared: a full ring may begin inside a handler whose entry is
 * gone, and then the records up to its end are left out.
 */
static uint64_t after_broken_handler(const struct side *side, const struct path *all)
{
    uint64_t first = 0, depth = 0;

    if (!side->blind || !run_is_full(side->run))
        return 0;
    for (uint64_t i = 0; i < all->end; i++) {
        const struct edge *edge = &side->edges->of[all->edges[i]];

        if (edge->enters_handler)
            depth++;
        else if (edge->ends_handler && depth-- == 0)
            depth = 0, first = i + 1;
    }
    return first;
}

/* The transfers of a run that the other method can see, too; path_free() frees them. */
static struct path visible_to_both(const struct crossing *crossing,
                                   const struct crossed *one, const struct run *other)
{
    const struct run *run = one->run;
    const struct edges *edges = &crossing->edges;
    const uint64_t before_db = crossing->events.before_db;
    struct side side = {
        .run = run,
        .edges = edges,
        .blind = other->method->blind_handlers || run->method->blind_handlers,
        .steps = other->method->every_insn || run->method->every_insn,
        .until_db = other->method->ends_at_db && !run->method->ends_at_db,
    };
    uint64_t end = one->path.end;
    struct path kept = { .edges = zeroed(end, sizeof(*kept.edges)) };

    side.leaps = side.steps && !is_bare(other) && !is_bare(run);
    if (side.until_db && end > before_db)
        end = before_db;
    for (uint64_t i = after_broken_handler(&side, &one->path); i < end; i++)
        if (both_see(&side, &edges->of[one->path.edges[i]]))
            kept.edges[kept.end++] = one->path.edges[i];
    return kept;
}

/* Handlers are taken out where the expected trace has them, so the records must be as it
 * says. */
static bool hides_handlers(const struct run *a, const struct run *b,
                           const struct events *events)
{
    return events->count > 0 && a->method->blind_handlers != b->method->blind_handlers &&
           !(a->right && b->right);
}

/* Beside stops that no manual excludes, both btf and btf+lbr may be right and differ. */
static bool is_doubted(const struct run *run)
{
    return !run->right && rule_is_of_run("btf-untaken", run);
}

static bool can_be_crossed_at_all(const struct run *run)
{
    return !run->method->sampled_windows && !run->gaps && !run->method->silent &&
           !run->method->last_event && !packets_filled(run);
}

/* A stop of btf has no FROM, so a branch that step cannot see cannot be taken out. */
static bool comparable(const struct run *a, const struct run *b,
                       const struct events *events)
{
    const struct loaded *loaded = a->workload;
    bool bare = is_bare(a) || is_bare(b);
    struct insn insn;

    /* With BTS the filter tests the ring that a branch leaves, otherwise the one it enters.
     */
    if (a->filter & FILTER_RINGS && a->method->filtered != b->method->filtered &&
        workload_has_ring3(loaded->own))
        return false;
    /* Only packets have the entry of #DB. */
    if (a->method->packets != b->method->packets && workload_takes(loaded->own, STUB_DB))
        return false;
    if (!bare || !(a->method->every_insn || b->method->every_insn))
        return true;
    for (size_t i = 0; i < events->count; i++) {
        uint64_t to = events->at[i].to;

        if (is_unstopped(events, to) && decode_of(loaded->own, loaded->at, to, &insn))
            return false;
    }
    return true;
}

static void disagree(struct log *log, const struct run *a, const struct run *b,
                     const struct found_difference *f)
{
    const struct difference *d = &f->d;
    struct log_map map = map_of(log, a->workload);
    const char *got = scratch_take(side_text(&map, d->got_ended, &d->got));
    const char *want = scratch_take(side_text(&map, d->want_ended, &d->want));
    const char *processor = scratch_take(processor_text(log, a));

    log->findings.pairs_disagree++;
    complain(
        log,
        (struct complaint){
            .rule = "methods-agree",
            .method = a->method->name,
            .subject = a->workload->own->name,
            .other = b->method->name,
            .processor = a->processor,
            .filter = a->filter,
            .line = a->line > b->line ? a->line : b->line,
            .claim = format_text("%s and %s agree on %s%s", a->method->name,
                                 b->method->name, a->workload->own->name, filter_suffix(a)),
            .what = format_text(
                "%s%s%s: %s and %s disagree: record %llu of what both can see: %s "
                "has %s, %s has %s (%s in %s)",
                a->workload->own->name, filter_suffix(a), processor, a->method->name,
                b->method->name, (unsigned long long)f->got + 1, a->method->name, got,
                b->method->name, want, check_class_name(d->class), a->method->name) });
}

/* Both in memory, to find and name what they differ in. */
static void find_disagreement(struct crossing *crossing, const struct run *a,
                              const struct run *b, const struct path *of_a,
                              const struct path *of_b)
{
    struct log *log = crossing->log;
    struct compared in_a = { path_list(&crossing->edges, of_a), log, a, false };
    struct compared in_b = { path_list(&crossing->edges, of_b), log, b, false };
    struct beyond_result result = check_beyond(&in_a, &in_b, NULL);

    if (result.certain.d.class != SAME)
        disagree(log, a, b, &result.certain);
    list_free(&in_a.list);
    list_free(&in_b.list);
}

static void cross_pair(struct crossing *crossing, const struct crossed *first,
                       const struct crossed *second)
{
    /* A disagreement is reported for the run that differs from the expected trace. */
    bool second_is_wrong = first->run->right && !second->run->right;
    const struct crossed *a = second_is_wrong ? second : first;
    const struct crossed *b = second_is_wrong ? first : second;
    const bool all_visible =
        !crossing->edges.have_events && crossing->events.before_db == UINT64_MAX;
    struct path left = all_visible ? a->path : visible_to_both(crossing, a, b->run);
    struct path right = all_visible ? b->path : visible_to_both(crossing, b, a->run);

    if (run_is_full(b->run) && left.end > right.end)
        left.at = left.end - right.end;
    if (run_is_full(a->run) && right.end > left.end)
        right.at = right.end - left.end;
    crossing->log->findings.pairs_compared++;
    if (!paths_same(&crossing->edges, &left, &right))
        find_disagreement(crossing, a->run, b->run, &left, &right);
    if (!all_visible) {
        path_free(&left);
        path_free(&right);
    }
}

static bool came_to_its_end(const struct run *run)
{
    return !run->skipped && run->end_line && run->ran.outcome == ENDED &&
           !run->method->sampled && run_shows_its_branches(run);
}

static bool can_be_crossed(const struct crossing *crossing, const struct run *a,
                           const struct run *b)
{
    return !is_doubted(a) && !is_doubted(b) && !differs_by_platform(a) &&
           !differs_by_platform(b) && a->filter == b->filter &&
           comparable(a, b, &crossing->events) && !hides_handlers(a, b, &crossing->events);
}

/* Compares all runs of a workload in pairs, and forgets them. */
static void cross_all(struct crossing *crossing)
{
    for (size_t i = 0; i < crossing->count; i++)
        for (size_t j = i + 1; j < crossing->count; j++)
            if (can_be_crossed(crossing, crossing->runs[i].run, crossing->runs[j].run))
                cross_pair(crossing, &crossing->runs[i], &crossing->runs[j]);
    for (size_t i = 0; i < crossing->count; i++)
        path_free(&crossing->runs[i].path);
    crossing->count = 0;
    edges_free(&crossing->edges);
}

void cross_begin(struct crossing *crossing, struct log *log)
{
    *crossing = (struct crossing){ .log = log };
}

void cross_add(struct crossing *crossing, const struct run *run)
{
    struct recorded recorded;
    struct crossed *one;

    if (run->workload != crossing->workload || run->round != crossing->round) {
        cross_all(crossing); /* runs are ordered by workload */
        crossing->workload = run->workload;
        crossing->round = run->round;
        events_in(&crossing->events, crossing->log, run);
        edges_begin(&crossing->edges, &crossing->events);
    }
    if (!came_to_its_end(run) || !can_be_crossed_at_all(run))
        return;
    crossing->runs =
        grow(crossing->runs, &crossing->capacity, crossing->count, sizeof(*crossing->runs));
    one = &crossing->runs[crossing->count++];
    *one = (struct crossed){ .run = run };
    one->path = path_of(&crossing->edges, transfers_of(&recorded, crossing->log, run));
}

void cross_end(struct crossing *crossing)
{
    cross_all(crossing);
    free(crossing->runs);
}
