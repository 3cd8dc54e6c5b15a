/*
 * Compares the interrupts of a counter with its count, and with where they struck.
 *
 * The count itself is compared with the expected trace.  One interrupt comes in each period
 * of the count, or somewhat later.
 */
#include "judge_parts.h"

#include <stdlib.h>
#include <string.h>

#include "unconfirmed.h"
#include "expected_trace.h"
#include "heap.h"
#include "hit.h"
#include "known.h"
#include "retired.h"
#include "saturate.h"
#include "sample.h"
#include "lateness.h"
#include "words.h"

static uint64_t unsure_of(const struct run *run, const struct pmu_event *event)
{
    return event && event->insns && rule_is_of_run("pmi-unsure", run)
               ? OWN_UNSURE * (run->ran.events + 1)
               : 0;
}

static char *wrong_periods(const struct run *run, uint64_t periods, uint64_t each,
                           bool more)
{
    return format_text("%llu interrupt%s, but the counter counted %llu%s, which are "
                       "%llu period%s of %llu: some %s",
                       (unsigned long long)run->ran.events, plural(run->ran.events),
                       (unsigned long long)run->ran.counted.value, lateness_less(run),
                       (unsigned long long)periods, plural(periods),
                       (unsigned long long)each,
                       more ? "came before their time (doubled)" : "did not come (lost)");
}

/*
 * One interrupt comes in each period of the count, or later.  Where nothing tells how late,
 * each has a bound, and at least one comes if there is a period.  Events that an erratum
 * counts too often need not interrupt: `sure` are those that did happen.
 */
static char *wrong_number(const struct run *run, uint64_t sure, uint64_t *missing)
{
    const struct pmu_event *event = counted_event(run);
    uint64_t each = interrupt_each(run), unsure = unsure_of(run, event);
    uint64_t in_time = counted_in_time(run), beyond = run->ran.counted.value - sure;
    uint64_t least = saturated_less(in_time, saturated_sum(unsure, beyond)) / each;
    uint64_t most = (in_time + unsure) / each;

    if (!pmu_tells_late(event) && run->ran.events > 0)
        least = in_time / saturated_sum(each, lateness_untold(run));
    if (unheard_explained(run)) /* beside it, none is missing */
        least = 0;
    *missing = run->ran.events < least ? least - run->ran.events : 0;
    if (run->ran.events > most)
        return wrong_periods(run, most, each, true);
    return run->ran.events < least ? wrong_periods(run, least, each, false) : NULL;
}

/* The expected trace, walked once: how many of its transfers count, and the stops beside
 * it. */
static struct sample_result walk(const struct log *log, const struct run *run,
                                 const struct sampling *how)
{
    const struct run_records records = run_records(log, run);
    struct expected_trace expected;

    return sample_check(records.at, run->method->sampled ? records.count : 0,
                        expected_trace_of(&expected, log, run->workload), how);
}

/* The number that the counter should have counted, and its name for messages. */
struct should {
    uint64_t least, most;
    const char *what;
};

/* The window's own: the call of the workload, and the jump that is not taken. */
#define OWN_WINDOW_BRANCHES (1 + OWN_WINDOW_JCCS)

/*
 * On silicon the IRETQ of each interrupt, after the WRMSR that turns the counter on, may
 * count as a mispredicted branch; no manual says.
 */
static uint64_t of_interrupts(const struct run *run)
{
    return rule_is_of_run("pmi-unsure", run) ? run->ran.events : 0;
}

/* Beside taken branches: what they are has been counted in the expected trace's code. */
static struct should should_count(const struct log *log, const struct run *run,
                                  const struct sample_result *found)
{
    const struct pmu_event *event = counted_event(run);
    struct retired all = retired_of(log, run);
    uint64_t unsure = all.unsure + unsure_of(run, event);
    uint64_t insns = all.insns + OWN_WINDOW_INSNS;
    uint64_t branches = found->transfers + all.not_taken + OWN_WINDOW_JCCS;

    if (!event || !all.known)
        return (struct should){ 0, UINT64_MAX, "events" };
    if (event->insns)
        return (struct should){ insns > unsure ? insns - unsure : 0, insns + unsure,
                                "instructions" };
    if (event->time)
        return (struct should){ all.insns / INSNS_A_CLOCK, UINT64_MAX, "cycles" };
    if (event->counts)
        return (struct should){ branches, branches, "branches" };
    return (struct should){ 0, all.branches + OWN_WINDOW_BRANCHES + of_interrupts(run),
                            "mispredicted branches" };
}

/* True if no source says that the processor has the event by which its row counts. */
static bool event_is_unsure(const struct run *run)
{
    const struct pmu *pmu = pmu_find(&run->cpu->id);

    return pmu && pmu->confidence == UNCONFIRMED;
}

/* True if the run's event counted all branches of the probe, and nothing else. */
static bool probe_is_exact(const struct run *run)
{
    return counts_taken(run) && run->cpu->facilities[FACILITY_PMI].outcome == WORKS;
}

/* Returns how many near branches count at least: if the event is unsure, those of the kinds
 * that it counted in the probe, whose long run has conditional branches alone. */
static uint64_t near_least(const struct log *log, const struct run *run,
                           const struct should *should)
{
    const uint32_t kinds =
        COUNTS(KIND_JCC) |
        (probe_is_exact(run) ? COUNTS(KIND_CALL) | COUNTS(KIND_JMP) | COUNTS(KIND_RET) : 0);
    const uint64_t near = count_kinds(log, run, kinds);

    if (event_is_unsure(run))
        return near < should->least ? near : should->least;
    return saturated_less(should->least, OWN_WINDOW_BRANCHES + count_far(log, run));
}

/* Returns how many events a count may have too many: the window's own, far transfers, and
 * two for each interrupt. */
static uint64_t may_count_more(const struct log *log, const struct run *run)
{
    return saturated_sum(OWN_WINDOW_BRANCHES + count_far(log, run),
                         saturated_product(2, run->ran.events));
}

/* The rule that accounts for a wrong count, or NULL. */
static const struct rule *rule_of_wrong(const struct log *log, const struct run *run,
                                        const struct should *should)
{
    const struct rule_place place = rule_place_of(run);
    const struct rule_count count = {
        .counted = run->ran.counted.value,
        .least = should->least,
        .most = should->most,
        .near = place.probed ? near_least(log, run, should) : 0,
        .exact = probe_is_exact(run),
        .interrupts = run->ran.events,
        .far = count_far(log, run),
        .period = run->asked.period,
        .event = run->asked.event.event,
    };

    return rule_of_count(&place, &count);
}

/*
 * The rule that a count breaks for which no rule accounts.  No source says what the counter
 * of branch sampling counts while it samples, and SMIs that nobody counts may add events.
 */
static const char *rule_broken(const struct log *log, const struct run *run,
                               const struct should *should)
{
    const struct pmu_event *event = counted_event(run);
    const uint64_t counted = run->ran.counted.value;
    const bool is_near = counted < near_least(log, run, should) ||
                         ((!event_is_unsure(run) || probe_is_exact(run)) &&
                          counted > saturated_sum(should->most, may_count_more(log, run)) &&
                          rule_run_of(log, run).hits.smis_are_counted);

    return is_near && event && event->counts && !run->method->sampled_windows ? "pmi-near"
                                                                              : "pmi-event";
}

/* A #DB turns what the counter is beside off, and the counter at its next interrupt. */
static uint64_t counted_before_db(const struct log *log, const struct run *run)
{
    const struct pmu_event *event = counted_event(run);
    struct expected_trace expected;
    struct source *trace = expected_trace_of(&expected, log, run->workload);
    struct events events;
    struct transfer t;
    uint64_t count = 0;

    events_in(&events, log, run);
    for (uint64_t i = 0; event && i < events.before_db && trace->next(trace, &t); i++)
        count += event->counts >> t.kind & 1;
    return count;
}

/* A rule that a run breaks, and how; no `why`: it breaks none. */
struct breach {
    const char *rule;
    char *why;
    size_t where;
    bool allowed;  /* the rule accounts for it                         */
    uint64_t sure; /* what the counter counted, less what is too often */
};

static char *wrong_count(const struct log *log, const struct run *run,
                         const struct sample_result *found, bool countable,
                         uint64_t foreign, const struct rule **rule, struct breach *b)
{
    const uint64_t counted = run->ran.counted.value;
    struct should should = { found->transfers, found->transfers + foreign, "branches" };

    if (!countable)
        should = should_count(log, run, found);
    if (run->method->ends_at_db && workload_expects_db(run->workload->own))
        should.least = counted_before_db(log, run);
    if (counted <= should.most && counted >= should.least)
        return NULL;
    *rule = rule_of_wrong(log, run, &should);
    if (*rule && should.most < b->sure)
        b->sure = should.most;
    b->rule = rule_broken(log, run, &should);
    return format_text(
        "the counter counted %llu %s, want %s%llu, the number that the workload has%s",
        (unsigned long long)counted, should.what,
        should.least == should.most ? ""
        : counted < should.least    ? "at least "
                                    : "at most ",
        (unsigned long long)(counted < should.least ? should.least : should.most),
        countable ? "" : " with the window's own");
}

static char *wrong_place(const struct log *log, const struct run *run,
                         const struct sample_result *found, bool countable)
{
    struct log_map map = map_of(log, run->workload);
    const char *got = scratch_take(place_text(&map, found->got, LOG_TO));

    if (found->ended && !countable)
        return format_text("stop %llu: got %s, which does not run after the stop before",
                           (unsigned long long)found->index + 1, got);
    if (found->ended)
        return format_text("stop %llu: got %s, want nothing more: the workload has %llu "
                           "branches that count, and this would be number %llu (extra)",
                           (unsigned long long)found->index + 1, got,
                           (unsigned long long)found->transfers,
                           (unsigned long long)found->number);
    return format_text("stop %llu: got %s, want it after %s, number %llu of the branches "
                       "that count (wrong)",
                       (unsigned long long)found->index + 1, got,
                       scratch_take(transfer_text(&map, &found->after)),
                       (unsigned long long)found->number);
}

/* Behind the last stop of a workload no further period can have passed. */
static char *wrong_rest(const struct run *run, const struct sample_result *found,
                        const struct sampling *how)
{
    uint64_t rest = found->transfers - found->used;

    if (!sample_lacks_last(found, how, run->records, run->ran.events) ||
        unheard_explained(run))
        return NULL;
    return format_text("%llu branches that count come after the last stop, at a period of "
                       "%llu: an interrupt did not come (lost)",
                       (unsigned long long)rest, (unsigned long long)run->asked.period);
}

static uint64_t lateness_of_stops(const struct log *log, const struct run *run)
{
    const struct run_records stops = run_records(log, run);
    uint64_t late = 0;

    for (uint64_t i = 0; i < stops.count; i++)
        late += stops.at[i].info;
    return late;
}

/*
 * Returns true if the workload's branches after the last stop are no more than the next
 * interrupt waited for.
 */
static bool rest_was_late(const struct log *log, const struct run *run, uint64_t excess)
{
    struct sampling how = sampling_of(counted_event(run), run->asked.period);
    struct sample_result found;

    how.foreign = excess;
    found = walk(log, run, &how);
    return found.transfers - found.used <=
           saturated_sum(run->asked.period,
                         lateness_beyond(run, lateness_of_stops(log, run)));
}

/*
 * After the return no stop is noted.  The last interrupt may come there, if it is late, and
 * so may those of what counts in the window itself: of its branch that is not taken, or of
 * its instructions.  The IRETQ of the last one may be the next period, if an erratum counts
 * `excess` events more.
 */
static uint64_t stops_outside(const struct log *log, const struct run *run, uint64_t excess)
{
    const struct pmu_event *event = counted_event(run);
    const uint64_t last = last_may_stop_outside(run, lateness_of_stops(log, run));

    if (event && !event->others)
        return last && excess && rest_was_late(log, run, excess)
                   ? 1 + excess / run->asked.period
                   : last;
    if (event && !event->insns && !event->time)
        return 1 + OWN_WINDOW_JCCS;
    return 2 + OWN_WINDOW_INSNS / run->asked.period;
}

static char *wrong_stops(const struct log *log, const struct run *run, uint64_t sure)
{
    const uint64_t without =
        stops_outside(log, run, saturated_less(run->ran.counted.value, sure));

    if (run->records <= run->ran.events && run->ran.events - run->records <= without)
        return NULL;
    return format_text("%llu stops of %llu interrupts, want one each, except for at most "
                       "%llu after the return (%s)",
                       (unsigned long long)run->records,
                       (unsigned long long)run->ran.events, (unsigned long long)without,
                       run->records > run->ran.events ? "extra" : "lost");
}

/* A stray NMI ends a segment of branch sampling, and then no interrupt comes for it. */
static struct breach number_breach(const struct log *log, const struct run *run,
                                   uint64_t sure)
{
    const struct rule_run hit = rule_run_of(log, run);
    uint64_t missing;
    char *why = wrong_number(run, sure, &missing);
    const bool by_nmis = run->method->sampled_windows && missing &&
                         missing <= run->ran.nmis && missing <= hit_traps_max(&hit, 0);

    const bool too_many =
        !missing && period_is_unsafe(run) &&
        run->ran.events <= saturated_sum(run->ran.counted.value, PERIOD_SAFE);

    return (struct breach){ by_nmis    ? hit_rule(&hit, 0)->name
                            : too_many ? "count-small-period"
                                       : "pmi-number",
                            why, run->end_line, by_nmis || too_many, sure };
}

static struct breach interrupts_held_against(const struct log *log, const struct run *run,
                                             const struct sampling *how,
                                             const struct sample_result *found,
                                             uint64_t sure)
{
    const bool safe = !period_is_unsafe(run), sampled = safe && run->method->sampled;
    struct breach b = { .where = run->end_line, .sure = sure };

    if (safe && (b = number_breach(log, run, sure)).why)
        return b;
    if (b.rule = "pmi-stops", sampled && (b.why = wrong_stops(log, run, sure)))
        return b;
    b.rule = "pmi-rest";
    b.why = sampled ? wrong_rest(run, found, how) : NULL;
    return b;
}

/*
 * A count for which a rule accounts hides nothing else that is wrong, and only a wrong
 * count makes it doubtful what the event counts.
 */
static struct breach held_against(const struct log *log, const struct run *run,
                                  const struct sampling *how)
{
    struct sample_result found = walk(log, run, how);
    struct breach b = { .rule = "pmi-event",
                        .where = run->end_line,
                        .sure = run->ran.counted.value };
    struct breach count = b;
    const struct rule *rule = NULL;
    struct sampling with_more = *how;

    count.why = wrong_count(log, run, &found, how->countable, how->foreign, &rule, &count);
    if (run->method->sampled && found.wrong && rule) {
        with_more.foreign += run->ran.counted.value - count.sure;
        found = walk(log, run, &with_more);
    }
    if (run->method->sampled && found.wrong) {
        b.rule = count.why && !rule ? count.rule : "pmi-stop";
        b.where = line_of_record(run, found.index);
        b.why = wrong_place(log, run, &found, how->countable);
        free(count.why);
        return b;
    }
    if (count.why && !rule)
        return count;
    b = interrupts_held_against(log, run, &with_more, &found, count.sure);
    if (b.why && count.why && strcmp(b.rule, "pmi-rest") == 0)
        b.rule = "pmi-event";
    if (b.why)
        free(count.why);
    else if (count.why)
        b = (struct breach){ rule->name, count.why, run->end_line, true, count.sure };
    return b;
}

/*
 * Handlers of what hit the run may have counted part of what the counter has more than the
 * workload; so may the branches by which the interrupts were late.
 */
static struct breach held_with_foreign(const struct log *log, const struct run *run,
                                       struct sampling *how)
{
    const struct rule_run hit = rule_run_of(log, run);
    const uint64_t most = hit_events_max(&hit), late = lateness_in_all(run);
    struct expected_trace expected;
    struct breach b, other;

    how->foreign = 0;
    b = held_against(log, run, how);
    if (!most || (!run_was_hit(run) && (!b.why || b.allowed)))
        return b; /* no SMI or NMI is known to have hit it, or none is needed */
    how->foreign = sample_foreign(expected_trace_of(&expected, log, run->workload), how,
                                  run->ran.counted.value, most);
    other = held_against(log, run, how);
    if (other.why && !other.allowed && late <= most && late > how->foreign) {
        free(other.why);
        how->foreign = late;
        other = held_against(log, run, how);
    }
    if (other.why && !other.allowed && (!b.why || strcmp(b.rule, other.rule) == 0)) {
        /* They are not why. */
        free(other.why);
        how->foreign = 0;
        return b;
    }
    free(b.why);
    return other;
}

/* If no source says whether something counts, either number is accepted. */
static struct breach breach_in_all(const struct log *log, const struct run *run,
                                   uint64_t *foreign)
{
    struct sampling how = sampling_of(counted_event(run), run->asked.period);
    struct breach first, other;

    how.prompt = run->asked.nmi && rule_is_of_run("pmi-prompt", run);
    first = held_with_foreign(log, run, &how);
    *foreign = how.foreign;
    if (!first.why || !how.unsure)
        return first;
    how.counts |= how.unsure;
    other = held_with_foreign(log, run, &how);
    if (other.why) {
        free(other.why);
        return first;
    }
    free(first.why);
    *foreign = how.foreign;
    return other;
}

static void found_foreign(const struct log *log, struct run *run, uint64_t foreign)
{
    const struct rule_run hit = rule_run_of(log, run);

    if (foreign)
        run_found(run, ALLOWED, hit_rule(&hit, 0)->name, run->end_line,
                  format_text("%llu event%s counted in handlers",
                              (unsigned long long)foreign, plural(foreign)));
}

/* The counter is held against pieces that are right, and each instruction against the
 * count.  *sure: what it counted, less what it counted too often.
 */
static void judge_count(const struct log *log, struct run *run, uint64_t *sure)
{
    struct breach b;
    bool broke = false;
    uint64_t foreign;

    if (run->method->sampled_windows && !pieces_are_right(log, run))
        return;
    b = breach_in_all(log, run, &foreign);
    *sure = b.sure;
    found_foreign(log, run, foreign);
    if (b.allowed)
        run_found(run, ALLOWED, b.rule, b.where, b.why);
    else
        broke = run_broke(run, b.rule, b.where, b.why);
    run_broke(run, "interrupt-sums", run->end_line, lateness_wrong(log, run));
    if (run->method->sampled)
        judge_insn_stops(log, run, foreign, saturated_less(run->ran.counted.value, b.sure));
    if (run->method->sampled_windows)
        judge_rest(log, run, broke);
}

char *stuck_by_period(const struct log *log, const struct run *run)
{
    return run->ran.outcome == LIVELOCK && period_is_unsafe(run) &&
                   interrupts_are_early(run)
               ? how_it_ended(log, run)
               : NULL;
}

void judge_all_small_periods(struct log *log)
{
    const struct run *last = NULL;
    size_t runs = 0, differ = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        runs += run->judged && !run->skipped && period_is_unsafe(run);
        if (run_found_by(run, "count-small-period")) {
            differ++;
            last = run;
        }
    }
    if (differ > runs / 2 + 2)
        complain_of_runs(
            log, last, "small-periods-few",
            format_text("most runs by a counter with a small period are right"),
            format_text("%zu of %zu runs by a counter with a period below %u differ, want "
                        "at most %zu (wrong)",
                        differ, runs, PERIOD_SAFE, runs / 2 + 2));
}

/* No source says how many branches are mispredicted: then a dead counter is right, too. */
static bool compares_nothing(const struct run *run)
{
    const struct pmu_event *event = counted_event(run);

    return event && !event->counts && !event->insns && !event->time &&
           run->ran.counted.value == 0 && run->ran.events == 0;
}

void judge_counter(const struct log *log, struct run *run)
{
    uint64_t sure = run->ran.counted.value;
    struct breach b;

    judge_count(log, run, &sure);
    b = number_breach(log, run, sure);
    if (b.allowed)
        run_found(run, ALLOWED, b.rule, b.where, b.why);
    else
        run_broke(run, b.rule, b.where, b.why);
    if (run->method->sampled)
        run_broke(run, "pmi-stops", run->end_line, wrong_stops(log, run, sure));
    run_broke(run, interrupts_own_rule(run), run->end_line, interrupts_own_wrong(run));
    run_broke(run, "interrupt-lvt", run->end_line, interrupts_left(run));
    if (compares_nothing(run))
        run_found(run, NOT_DONE, "pmi-event", run->end_line,
                  format_text("the counter counted nothing, so nothing was compared"));
}
