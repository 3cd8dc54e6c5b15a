/*
 * Compares the pieces of branch sampling with the expected trace, and with the interrupts
 * that ended them.
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "expected_trace.h"
#include "unconfirmed.h"
#include "heap.h"
#include "hit.h"
#include "lateness.h"
#include "retired.h"
#include "saturate.h"
#include "sampled_windows.h"
#include "transfers.h"

static uint64_t newest_differed(const struct run *run)
{
    const struct tries *tries = &run->ran.tries;

    return tries->count ? tries->differed[tries->count - 1] : 0;
}

static const char *rule_of_handlers(const struct log *log, const struct run *run)
{
    const struct rule_run hit = rule_run_of(log, run);

    return hit_rule(&hit, newest_differed(run))->name;
}

/* True if the last segment, which is not full, ends with the workload. */
static bool ends_with(const struct sampled_result *found, struct source *want)
{
    return found->rest && !want->next(want, &(struct transfer){ 0 });
}

/* True if there is a record that is no mark. */
static bool has_branches(struct source *source)
{
    struct transfer t;

    while (source->next(source, &t))
        if (t.to != BRANCH_UNKNOWN)
            return true;
    return false;
}

/*
 * The records of a handler take places in a full segment, which ends earlier then.  So they
 * do not change how many branches run without being recorded: at most one period before
 * each segment, and those of an interrupt that is late.  A stray NMI ends a segment, and
 * `hits` account for something.
 */
static bool lacks_too_many(const struct run *run, struct source *all, uint64_t recorded,
                           uint64_t hits)
{
    const uint64_t nmis = run->ran.nmis < hits ? run->ran.nmis : hits;
    const uint64_t ended = saturated_sum(run->ran.events, nmis);
    const uint64_t late = saturated_sum(lateness_in_all(run), lateness_max(run));
    uint64_t count = 0;

    for (all->rewind(all); all->next(all, &(struct transfer){ 0 });)
        count++;
    return saturated_less(count, recorded) >
           saturated_sum(
               saturated_product(ended + 1, run->asked.period),
               saturated_sum(late, saturated_product(nmis, piece_size(run->cpu))));
}

/* True if no piece, handlers' records included, is longer than a full one. */
static bool pieces_fit(struct source *got, size_t size)
{
    struct transfer t;
    size_t length = 0;

    for (got->rewind(got); length <= size && got->next(got, &t);)
        length = t.to == BRANCH_UNKNOWN ? 0 : length + 1;
    return length <= size;
}

/*
 * True if the pieces are right without the records of handlers, which hits account for, and
 * which are in them in place of branches: each hit shortens one of them.
 */
static bool right_without_handlers(const struct log *log, const struct run *run)
{
    const struct rule_run hit = rule_run_of(log, run);
    const uint64_t at = newest_differed(run);
    struct recorded got;
    struct expected_trace expected;
    struct visible visible;
    struct unhit rest;
    struct sampled_result found;

    visible_of(&visible, expected_trace_of(&expected, log, run->workload), run->method, 0);
    if (!pieces_fit(transfers_of(&got, log, run), piece_size(run->cpu)))
        return false;
    unhit_of(&rest, &hit, transfers_of(&got, log, run));
    if (!has_branches(&rest.source))
        return false;
    found = sampled_windows_check(&rest.source, &visible.source, piece_size(run->cpu),
                                  hit_traps_max(&hit, at));
    if (found.wrong || !unhit_is_bounded(&rest, at) || unhit_is_torn(&rest) ||
        run->gaps + 1 < run->ran.events || run->gaps > run->ran.events + 1)
        return false;
    return !ends_with(&found, &visible.source) ||
           !lacks_too_many(run, &visible.source, rest.kept - run->gaps,
                           hit_traps_max(&hit, at));
}

/* *to_end: the last segment ends with the workload. */
static struct sampled_result check_run(const struct log *log, const struct run *run,
                                       struct recorded *got, bool *to_end)
{
    struct expected_trace expected;
    struct visible visible;
    struct sampled_result found;

    visible_of(&visible, expected_trace_of(&expected, log, run->workload), run->method, 0);
    found = sampled_windows_check(transfers_of(got, log, run), &visible.source,
                                  piece_size(run->cpu), 0);
    *to_end = ends_with(&found, &visible.source);
    return found;
}

static char *misplaced(const struct log *log, const struct run *run,
                       const struct sampled_result *found)
{
    struct log_map map = map_of(log, run->workload);
    const char *want;

    if (found->early)
        return format_text(
            "segment %llu: %llu records, want the %zu of a full one, since it is "
            "not the last (lost)",
            (unsigned long long)found->pieces + 1, (unsigned long long)found->number,
            piece_size(run->cpu));
    if (found->too_long)
        return format_text(
            "record %llu of segment %llu: want a gap before it, since a full "
            "one has %zu (extra)",
            (unsigned long long)found->number, (unsigned long long)found->pieces + 1,
            piece_size(run->cpu));
    want = found->nowhere ? "a later branch of the workload than the previous ones"
           : found->ended ? "nothing more"
                          : scratch_take(transfer_text(&map, &found->want));
    return format_text("record %llu of segment %llu: got %s, want %s (wrong)",
                       (unsigned long long)found->number,
                       (unsigned long long)found->pieces + 1,
                       scratch_take(transfer_text(&map, &found->got)), want);
}

/*
 * Each interrupt has found a full segment.  One more may have filled up when all was over,
 * and has if the last interrupt did not come.
 */
static char *wrong_pieces(const struct run *run, const struct sampled_result *found)
{
    const uint64_t least = saturated_sum(run->ran.events, unheard_explained(run));

    if (found->full >= least && found->full <= saturated_sum(run->ran.events, 1))
        return NULL;
    return format_text("%llu full segments of %llu interrupts, want one each (%s)",
                       (unsigned long long)found->full, (unsigned long long)run->ran.events,
                       found->full < least ? "lost" : "extra");
}

/*
 * It is stated that a segment holds every branch from its first to its last, and that an
 * interrupt comes when it is full.  When the next one begins, and so how many there are, is
 * derived.
 */
bool pieces_are_right(const struct log *log, struct run *run)
{
    struct recorded got;
    bool to_end;
    struct sampled_result found = check_run(log, run, &got, &to_end);

    if (found.wrong && right_without_handlers(log, run))
        return run_found(run, ALLOWED, rule_of_handlers(log, run), run->end_line,
                         format_text("there are records of handlers in its segments"));
    if (found.wrong)
        run_broke(run, "brs-segments", line_of_transfer(&got, run, found.index),
                  misplaced(log, run, &found));
    if (!found.wrong && run->records == 0)
        run_found(run, ALLOWED, "brs-last", run->end_line,
                  format_text("no branch was recorded, so none was compared"));
    return !found.wrong &&
           !run_broke(run, "brs-segments", run->end_line, wrong_pieces(run, &found));
}

/*
 * True if the records of a segment begin at a branch that `counted` branches, or at most
 * `late` more, come before.  *want then begins with it, and *before is the number of
 * branches before it.
 */
static bool begins_after(const struct run *run, const struct transfer_list *segment,
                         struct transfer_list *want, uint64_t *before, uint64_t counted,
                         uint64_t late)
{
    const uint32_t counts = counted_event(run)->counts;
    const uint64_t size = segment->end - segment->at;

    for (; want->at + size <= want->end; want->at++) {
        const struct transfer *w = &want->of[want->at], *got = &segment->of[segment->at];
        uint64_t fits = 0;

        while (*before >= counted && fits < size && got[fits].from == w[fits].from &&
               got[fits].to == w[fits].to)
            fits++;
        if (fits == size && *before - counted <= late)
            return true;
        *before += counts >> w->kind & 1;
    }
    return false;
}

/* The rule brs-between; a last segment that is not full is held against it on the emulator.
 */
static char *displaced(const struct log *log, const struct run *run, size_t *line)
{
    const bool each_counts = rule_is_of_run("brs-rest", run);
    const struct rule_run hit = rule_run_of(log, run);
    const uint64_t each = interrupt_each(run);
    const uint64_t late = saturated_sum(lateness_in_all(run), hit_events_max(&hit));
    struct expected_trace expected;
    struct recorded got;
    struct visible visible;
    struct transfer_list all = list_all(transfers_of(&got, log, run)), want;
    uint64_t begin = 0, counted = run->asked.period, before = 0;
    char *why = NULL;

    visible_of(&visible, expected_trace_of(&expected, log, run->workload), run->method, 0);
    want = list_all(&visible.source);
    for (uint64_t i = 0; i <= all.end && !why; i++) {
        const struct transfer_list segment = list_of(all.of, begin, i);

        if (i < all.end && all.of[i].to != BRANCH_UNKNOWN)
            continue;
        if (i > begin && (each_counts || i - begin == piece_size(run->cpu)) &&
            !begins_after(run, &segment, &want, &before, counted, late)) {
            *line = line_of_record(run, begin);
            why = format_text("record %llu: its segment does not begin after %llu counted "
                              "branches%s (wrong)",
                              (unsigned long long)begin + 1, (unsigned long long)counted,
                              late ? ", or as many more as interrupts were late" : "");
        }
        begin = i + 1;
        counted += each;
    }
    list_free(&all);
    list_free(&want);
    return why;
}

/*
 * The rule brs-rest; and on silicon brs-last: when the processor begins to sample, and what
 * it keeps when the counter is stopped, is measured.  What a count has too many need not
 * interrupt: then the workload's own number tells.
 */
void judge_rest(const struct log *log, struct run *run, bool miscounted)
{
    const uint64_t counted = run->ran.counted.value, each = interrupt_each(run);
    const bool by_own =
        miscounted || (!run_was_hit(run) && run->ran.events != counted_in_time(run) / each);
    const uint64_t all = by_own ? count_least(log, run) : counted;
    const uint64_t in_time = saturated_less(all, lateness_in_all(run));
    const uint64_t want = saturated_less(in_time % each, run->asked.period);
    const uint64_t may_lack =
        saturated_sum(lateness_max(run), saturated_less(all, counted));
    struct recorded got;
    bool to_end;
    size_t line = 0;
    const struct sampled_result found = check_run(log, run, &got, &to_end);
    char *why = found.wrong || miscounted || !counted_event(run)
                    ? NULL
                    : displaced(log, run, &line);
    const char *has = scratch_text(
        "the last segment has %llu records, want %llu: as many branches as were counted "
        "after the one that began it (%s)",
        (unsigned long long)found.rest, (unsigned long long)want,
        found.rest < want ? "lost" : "extra");

    if (run_broke(run, "brs-between", line, why) || found.wrong ||
        run->ran.events != in_time / each)
        return; /* there are records of handlers, or counted.c says more of the interrupts
                 */
    if (want > may_lack)
        run->rest = found.rest || found.full > run->ran.events ? REST_KEPT : REST_GONE;
    if (found.rest == want)
        return;
    if (rule_is_of_run("brs-rest", run))
        run_broke(run, "brs-rest", run->end_line, format_text("%s", has));
    else if (found.rest < want && to_end && want - found.rest > may_lack)
        run_broke(run, "brs-segments", run->end_line,
                  format_text("%s, and lacks its oldest, though no interrupt of the probe "
                              "came that late",
                              has));
    else if (run->records && !miscounted)
        run_found(run, ALLOWED, "brs-last", run->end_line, format_text("%s", has));
}
