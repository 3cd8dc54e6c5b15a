/*
 * A stream with gaps: segments of the trace, between which interrupts came too late.
 *
 * Each segment must be a stretch of the expected trace after the segment before it.  The
 * first segment must begin with the trace and the last one end with it, unless a gap says
 * otherwise. A segment takes the first place where it fits, so the later segments fit if
 * they can fit at all: in a loop only the number of missing iterations can be known, not
 * which ones.
 *
 * The number of missing branches is compared with how late the interrupts came.  As far as
 * their lateness explains it, it is a property of the method on this processor: measured.
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "beyond.h"
#include "count_of.h"
#include "expected_trace.h"
#include "unconfirmed.h"
#include "heap.h"
#include "hit.h"
#include "lateness.h"
#include "retired.h"
#include "saturate.h"
#include "transfers.h"
#include "words.h"

static bool same(const struct transfer *a, const struct transfer *b, bool by_to)
{
    return a->to == b->to && (by_to || a->from == b->from);
}

/*
 * The failure function of Knuth, Morris and Pratt: how many records of the segment still
 * fit when the next one does not.  Loops fit nearly, and nearly everywhere.
 */
static uint64_t *failures_of(const struct transfer_list *segment, bool by_to)
{
    const struct transfer *p = &segment->of[segment->at];
    uint64_t count = segment->end - segment->at, fitting = 0;
    uint64_t *failures = zeroed(count + 1, sizeof(*failures));

    for (uint64_t i = 1; i < count; i++) {
        while (fitting && !same(&p[i], &p[fitting], by_to))
            fitting = failures[fitting];
        fitting += same(&p[i], &p[fitting], by_to);
        failures[i + 1] = fitting;
    }
    return failures;
}

/* Finds the first place of a segment in `want`; if false, *place is the best fit. */
static bool find(const struct transfer_list *segment, const struct transfer_list *want,
                 bool by_to, uint64_t *place)
{
    const struct transfer *p = &segment->of[segment->at];
    uint64_t count = segment->end - segment->at, fitting = 0, most = 0;
    uint64_t *failures = failures_of(segment, by_to);

    *place = want->at;
    for (uint64_t i = want->at; i < want->end && most < count; i++) {
        while (fitting && !same(&want->of[i], &p[fitting], by_to))
            fitting = failures[fitting];
        fitting += same(&want->of[i], &p[fitting], by_to);
        if (fitting > most) {
            most = fitting;
            *place = i + 1 - fitting;
        }
    }
    free(failures);
    return most == count;
}

/* Record `i` of the segment and of `want` after it, or of both backwards. */
static const struct transfer *nth_of(const struct transfer_list *segment,
                                     const struct transfer_list *want, bool backwards,
                                     uint64_t i)
{
    const uint64_t count = segment->end - segment->at;
    const struct transfer_list *list = i < count ? segment : want;

    i -= i < count ? 0 : count;
    return &list->of[backwards ? list->end - 1 - i : list->at + i];
}

/* The Z function of both: how many records of the segment fit from each record on. */
static uint64_t *fitting_of(const struct transfer_list *segment,
                            const struct transfer_list *want, bool backwards)
{
    const uint64_t all = segment->end - segment->at + want->end - want->at;
    uint64_t *z = zeroed(all + 1, sizeof(*z)), from = 0, end = 0;

    for (uint64_t i = 1; i < all; i++) {
        if (i < end)
            z[i] = z[i - from] < end - i ? z[i - from] : end - i;
        while (i + z[i] < all && same(nth_of(segment, want, backwards, z[i]),
                                      nth_of(segment, want, backwards, i + z[i]), false))
            z[i]++;
        if (i + z[i] > end)
            from = i, end = i + z[i];
    }
    return z;
}

/* Finds the first place where all records but one fit: it has `length` branches, as many as
 * the segment, or one more or less. */
static bool find_but_one(const struct transfer_list *segment,
                         const struct transfer_list *want, uint64_t length, uint64_t *place)
{
    const uint64_t count = segment->end - segment->at, wrong = length >= count;
    uint64_t *before = fitting_of(segment, want, false);
    uint64_t *after = fitting_of(segment, want, true);
    bool found = false;

    for (uint64_t i = want->at; !found && i + length <= want->end; i++) {
        found =
            before[count + i - want->at] + after[count + want->end - i - length] + wrong >=
            length;
        *place = i;
    }
    free(before);
    free(after);
    return found;
}

/* What the gaps of a stream show beside the segments that they part. */
struct gap_facts {
    uint64_t inner;    /* those that an interrupt found: all except one at the end */
    uint64_t followed; /* gaps that a record follows */
    uint64_t shortest; /* records of the shortest segment before a gap, or after   */
    uint64_t lacking;  /* records of an LBR stack that segments after a gap lack   */
    size_t line;       /* of that gap                                              */
};

/* One run while it is looked at. */
struct gaps {
    const struct log *log;
    struct run *run;
    struct transfer_list got, want;  /* got: with the gaps                             */
    uint64_t held, segments, copies; /* copies: segments that end with one */
    bool may_be_copy;                /* the newest record of the segment before */
    uint64_t placed;                 /* where in `want` that segment is */
    uint64_t index;                  /* of the first record of the segment               */
    uint64_t disputed;               /* records for which rules account */
    uint64_t without;                /* entries of events that all stacks lack */
    const struct rule *at_random;    /* that accounts for one wrong record, or NULL... */
    const char *how;                 /* ...in words                                    */
    uint64_t uncounted;     /* missing ones that the run's counter does not count */
    uint64_t beside;        /* such branches in the stacks, in the room of others */
    uint64_t of_handlers;   /* records that were taken out; and the ends of each hit */
    uint64_t of_periods;    /* branches before a gap whose places they took     */
    struct gap_facts facts; /* with the records of handlers, which are in the stack */
    struct beyond_result result;
};

/* The records that a segment should have: as many as it has, after `at`; if `last`, the
 * end.
 */
static struct transfer_list wanted_for(const struct gaps *g,
                                       const struct transfer_list *segment, uint64_t at,
                                       bool last)
{
    const uint64_t count = segment->end - segment->at;
    const struct transfer_list rest = list_of(g->want.of, at, g->want.end);
    uint64_t place = at, by_to;

    if (last)
        return list_of(g->want.of, g->want.end - at < count ? at : g->want.end - count,
                       g->want.end);
    /* A FROM that is doubted, or decoded wrongly, can keep the segment from being found. */
    if (segment->at > 0 && !find(segment, &rest, false, &place) &&
        find(segment, &rest, true, &by_to))
        place = by_to;
    return list_of(g->want.of, place,
                   g->want.end - place < count ? g->want.end : place + count);
}

static struct beyond_result compare(const struct gaps *g,
                                    const struct transfer_list *segment,
                                    const struct transfer_list *want, bool may_be_random)
{
    struct compared is = { *segment, g->log, g->run, false };
    struct compared should = { *want, g->log, g->run, false };

    return check_beyond_one(&is, &should, may_be_random, NULL);
}

/* True if the newest record of this stack may be a copy of the one before it. */
static bool ends_in_copy(const struct gaps *g, const struct transfer_list *segment)
{
    return segment->end > segment->at + 1 &&
           same(&segment->of[segment->end - 1], &segment->of[segment->end - 2], false) &&
           rule_is_of_run("lbr-doubled", g->run);
}

/* What an interrupt finds in a full stack: not its own entry, where there is one, nor a
 * copy of that. */
static uint64_t stack_left(const struct run *run)
{
    const bool has_own =
        run->ran.entries.value || run->hidden || run->ran.returns || run->hidden_iretqs;

    return saturated_less(run->cpu->lbr_depth,
                          has_own + rule_is_of_run("lbr-doubled", run));
}

/* Of these, the branches that the run's counter does not count: it does not see their loss.
 */
static uint64_t uncounted(const struct gaps *g, uint64_t from, uint64_t to)
{
    const struct pmu_event *event = counted_event(g->run);
    uint64_t count = 0;

    for (uint64_t i = from; event && i < to; i++)
        count += !(event->counts & COUNTS(g->want.of[i].kind));
    return count;
}

/* True if an erratum accounts for one wrong record of the stream, and this is the first. */
static bool is_at_random(struct gaps *g, const struct transfer_list *segment,
                         const struct transfer_list *want, struct beyond_result *result)
{
    const struct beyond_result with = compare(g, segment, want, !g->at_random);

    if (with.certain.d.class != SAME || !with.at_random)
        return false;
    *result = with;
    g->at_random = with.at_random;
    g->how = with.how;
    return true;
}

/* The same, in the first place where such an erratum may have been. */
static bool fits_but_one(struct gaps *g, const struct transfer_list *segment, uint64_t at,
                         bool last, struct transfer_list *want,
                         struct beyond_result *result)
{
    const uint64_t count = segment->end - segment->at;
    const uint64_t lengths[] = { count, count + 1, saturated_less(count, 1) };

    for (size_t i = 0; !g->at_random && i < COUNT_OF(lengths); i++) {
        const struct transfer_list rest = list_of(g->want.of, at, g->want.end);
        uint64_t place = last ? g->want.end - lengths[i] : at;

        if (g->want.end - at < lengths[i] ||
            (!last && segment->at > 0 && !find_but_one(segment, &rest, lengths[i], &place)))
            continue;
        *want = list_of(g->want.of, place, place + lengths[i]);
        if (is_at_random(g, segment, want, result))
            return true;
    }
    return false;
}

/* Places one segment after `*at`, and moves `*at` to its end; false: it does not fit. */
static bool place(struct gaps *g, struct transfer_list segment, uint64_t *at)
{
    const bool last = segment.end == g->got.end; /* no gap follows it */
    const bool copied = ends_in_copy(g, &segment);
    struct transfer_list shorter = list_of(segment.of, segment.at, segment.end - copied);
    struct transfer_list wanted, want;
    struct beyond_result without, result;
    bool fits;

    if (segment.at == segment.end && !last)
        return true; /* a gap at the beginning */
    wanted = want = wanted_for(g, &shorter, *at, last);
    without = result = compare(g, &shorter, &wanted, false);
    fits = without.certain.d.class == SAME;
    if (copied) {
        /* Further on it may fit with its copy by chance, and the next ones nowhere. */
        want = fits && !last
                   ? list_of(wanted.of, wanted.at, wanted.end + (wanted.end < g->want.end))
                   : wanted_for(g, &segment, *at, last);
        result = compare(g, &segment, &want, false);
    }
    if (copied && last && !fits && wanted.at > *at) {
        wanted.at--, wanted.end--; /* the copy is in the place of the last record */
        without = compare(g, &shorter, &wanted, false);
        fits = without.certain.d.class == SAME;
    }
    if (copied && fits && result.certain.d.class != SAME) {
        segment = shorter, want = wanted, result = without;
        g->copies++;
    }
    if (result.certain.d.class != SAME) {
        if (fits_but_one(g, &segment, *at, last, &wanted, &result))
            want = wanted;
        else
            (void)is_at_random(g, &segment, &want, &result);
    }
    g->may_be_copy = copied && fits && segment.end > shorter.end;
    g->placed = want.at;
    g->index = segment.at;
    if (result.certain.d.class != SAME ||
        (result.unconfirmed_count && !g->result.unconfirmed_count))
        g->result = result;
    if (result.certain.d.class != SAME)
        return false;
    g->held += segment.end - segment.at;
    g->disputed += result.unconfirmed_count;
    g->segments += segment.at < segment.end;
    g->uncounted += uncounted(g, *at, want.at);
    if (segment.at > 0)
        g->beside += uncounted(g, want.at,
                               want.end - want.at < stack_left(g->run)
                                   ? want.end
                                   : want.at + stack_left(g->run));
    *at = want.end;
    return true;
}

/*
 * The same.  If the segment before ends with what may be a copy, the branch may be the
 * first of this one: the earliest place leaves most of the trace to the later segments.
 */
static bool place_next(struct gaps *g, struct transfer_list segment, uint64_t *at)
{
    const struct gaps before = *g;
    const uint64_t earlier = *at - before.may_be_copy;

    if (before.may_be_copy) {
        g->held--;
        g->copies++;
        *at = earlier;
        if (place(g, segment, at) && g->placed == earlier)
            return true;
        *g = before;
        *at = earlier + 1;
    }
    return place(g, segment, at);
}

static bool place_all(struct gaps *g)
{
    uint64_t at = 0, begin = 0;

    for (uint64_t i = 0; i <= g->got.end; i++) {
        if (i < g->got.end && g->got.of[i].to != BRANCH_UNKNOWN)
            continue;
        if (!place_next(g, list_of(g->got.of, begin, i), &at))
            return false;
        begin = i + 1;
    }
    return true;
}

static struct transfer_list wanted_through(const struct gaps *g,
                                           const struct record_filter *filter)
{
    static struct visible visible;
    struct expected_trace expected;

    visible_through(&visible, expected_trace_of(&expected, g->log, g->run->workload),
                    g->run->method, 0, *filter);
    return list_all(&visible.source);
}

/* The same; if the segments fit nowhere, also by each other ring that BTS may filter by. */
static bool place_by_rings(struct gaps *g)
{
    const struct gaps before = *g;
    struct record_filter filter = run_record_filter(g->run);
    unsigned rings = place_all(g) ? RING_DECIDES(RING_LEFT) : 0;

    if (!rule_is_of_run("bts-ring-from", g->run) || rule_place_of(g->run).emulated)
        return rings;
    for (filter.decides = RING_ENTERED; filter.decides <= RING_EITHER; filter.decides++) {
        struct gaps other = before;
        bool fits;

        other.want = wanted_through(g, &filter);
        fits = place_all(&other);
        if (fits && !rings) {
            list_free(&g->want);
            *g = other;
            run_found(g->run, ALLOWED, "bts-ring-from", g->run->end_line,
                      format_text("branches between rings have records by another ring"));
        } else {
            list_free(&other.want);
        }
        rings |= fits ? RING_DECIDES(filter.decides) : 0;
    }
    g->run->rings = rings;
    return rings;
}

/* The same; if they fit nowhere, also without the entries of all events. */
static bool place_with_or_without_events(struct gaps *g)
{
    const struct rule *rule = rule_named("lbr-v2-events");
    const struct rule_run run = rule_run_of(g->log, g->run);
    struct gaps other = *g;
    struct transfer *all;
    uint64_t count = 0;

    if (place_by_rings(g))
        return true;
    if (run.place.emulated || !rule_holds(rule, &run.place))
        return false;
    all = (struct transfer *)list_all(&g->want.source).of;
    for (uint64_t i = 0; i < g->want.end; i++) {
        struct rule_record record = rule_record_of(&run, &g->want.of[i]);

        record.class = LOST;
        if (!rule_concerns(rule, &record))
            all[count++] = record.transfer;
    }
    other.without = g->want.end - count;
    other.want = list_of(all, 0, count);
    if (!other.without || !place_all(&other)) {
        list_free(&other.want);
        return false;
    }
    list_free(&g->want);
    *g = other;
    return run_found(g->run, ALLOWED, rule->name, g->run->end_line,
                     format_text("the stacks have no entries of events"));
}

static void found_difference(struct gaps *g, const struct found_difference *f)
{
    struct log_map map = map_of(g->log, g->run->workload);
    uint64_t index = g->index + f->got;
    const char *got = scratch_take(side_text(&map, f->d.got_ended, &f->d.got));
    const char *want = scratch_take(side_text(&map, f->d.want_ended, &f->d.want));

    run_broke(g->run, f->rule ? f->rule->name : "run-records",
              f->d.got_ended ? g->run->end_line : line_of_record(g->run, index),
              format_text(
                  "record %llu, in segment %llu: got %s, want %s (%s)%s",
                  (unsigned long long)index + 1, (unsigned long long)g->segments + 1, got,
                  want, check_class_name(f->d.class), scratch_take(more_text(&g->result))));
}

/*
 * Returns how many missing branches the counter does not show.  Where it counts
 * instructions or cycles, at most as many branches as instructions run in a period, and the
 * stack holds some of them.  Where it counts mispredicted branches, a period may hold any
 * number.
 */
static uint64_t unseen(const struct gaps *g)
{
    const struct run *run = g->run;
    const struct pmu_event *event = counted_event(run);
    const uint64_t each = event && event->time ? INSNS_A_CLOCK : 1;
    uint64_t most;

    if (!event || event->counts || !(event->insns || event->time))
        return g->uncounted;
    most = saturated_product(
        run->gaps,
        saturated_less(saturated_product(each, run->asked.period), stack_left(run)));
    most = saturated_sum(most, saturated_product(each - 1, lateness_in_all(run)));
    return g->uncounted < most ? g->uncounted : most;
}

static uint64_t explained_by_lateness(const struct gaps *g)
{
    const struct pmu_event *event = counted_event(g->run);

    return lateness_explains(g->run, unseen(g), event && event->counts ? g->beside : 0,
                             stack_left(g->run), g->of_handlers);
}

/* Since version 3 the log says how many branches on the wrong path the stacks held. */
static uint64_t wrong_path_of(const struct log *log, const struct run *run)
{
    const struct rule_place place = rule_place_of(run);

    if (place.emulated || !rule_is_of_run("lbr-wrong-path", run))
        return 0;
    return log->machine.version < 3 ? UINT64_MAX : run->ran.wrong_path;
}

/* They take at most half of a stack. */
static uint64_t wrong_path_max(const struct log *log, const struct run *run)
{
    const uint64_t half = run->cpu->lbr_depth / 2, all = wrong_path_of(log, run);

    return all < half ? all : half;
}

/*
 * They push out what is older than the records after a gap, and cost nothing where all that
 * ran fits beside them.
 */
static uint64_t displaced(const struct gaps *g)
{
    const struct run *run = g->run;
    const struct pmu_event *event = counted_event(run);
    const uint64_t half = wrong_path_max(g->log, g->run),
                   all = wrong_path_of(g->log, g->run);
    uint64_t ran =
        saturated_sum(saturated_sum(run->asked.period, run->ran.most), g->uncounted);
    uint64_t each, most;

    if (!event || !event->counts || ran > g->want.end)
        ran = g->want.end;
    each = saturated_less(saturated_sum(ran, half), stack_left(run));
    most = saturated_product(g->facts.followed, each < half ? each : half);
    return all < most ? all : most;
}

/* A record for which a rule accounts may be one that is missing, and a copy may be in the
 * place of one. */
static void judge_missing(struct gaps *g)
{
    const uint64_t all = g->want.end, missing = saturated_less(all, g->held);
    const char *held = scratch_text(
        "held %llu of %llu branches, %llu %%, in %llu segment%s: %llu are missing",
        (unsigned long long)g->held, (unsigned long long)all,
        (unsigned long long)(g->held * 100 / all), (unsigned long long)g->segments,
        plural(g->segments), (unsigned long long)missing);

    const uint64_t late = saturated_sum(
        saturated_sum(explained_by_lateness(g), saturated_sum(g->copies, g->of_periods)),
        saturated_sum(g->disputed, displaced(g)));
    /* The interrupts may have come that much later than logged. */
    const uint64_t lacks =
        saturated_less(count_least(g->log, g->run), g->run->ran.counted.value);

    if (missing <= late)
        run_found(g->run, ALLOWED, "stream-gaps", g->run->end_line,
                  format_text("%s, since its interrupts came %s in all, the latest by %llu",
                              held, lateness_text(g->run),
                              (unsigned long long)g->run->ran.most));
    else
        run_broke(g->run, missing - late <= lacks ? "pmi-event" : "stream-gaps",
                  g->run->end_line,
                  format_text("%s, but its interrupts came only %s (lost)", held,
                              lateness_text(g->run)));
}

/* The rule stream-stack: all records are of the stack, read at each interrupt and at the
 * end. */
static char *more_than_stacks(const struct run *run)
{
    const uint64_t depth = run->cpu->lbr_depth;
    const uint64_t reads = saturated_sum(run->ran.events, 1);
    const uint64_t records = run->records - run->gaps;

    if (records <= saturated_product(reads, depth))
        return NULL;
    return format_text("%llu records in segments: want at most %llu, since a stack of %llu "
                       "was read %llu times (extra)",
                       (unsigned long long)records,
                       (unsigned long long)saturated_product(reads, depth),
                       (unsigned long long)depth, (unsigned long long)reads);
}

void judge_stacks(struct run *run)
{
    if (rule_is_of_run("stream-stack", run) && !run->gaps)
        run_broke(run, "stream-stack", run->end_line, more_than_stacks(run));
}

/*
 * A frozen stack holds what ran in a period, or as much of it as it can.  Of as many
 * branches as the longest row has (in_a_row), one has a record; other events that count,
 * and other records, take their part.  After a #DB nothing is recorded, so there only the
 * first period is sure.
 */
static char *unfrozen(const struct gaps *g)
{
    const struct run *run = g->run;
    const struct pmu_event *event = counted_event(run);
    const struct retired all = retired_of(g->log, run);
    const uint64_t room = saturated_less(stack_left(run), wrong_path_max(g->log, g->run));
    const uint64_t before_db = saturated_less(g->want.end, uncounted(g, 0, g->want.end));
    const uint64_t own =
        saturated_sum(count_least(g->log, run), event && event->others ? all.not_taken : 0);
    uint64_t periods = counted_in_time(run) / run->asked.period, each, least;

    if (run->filter || !event || !event->counts || !all.known || !all.in_a_row)
        return NULL;
    if (periods > run->ran.events)
        periods = run->ran.events;
    if (workload_expects_db(run->workload->own) && periods > 1)
        periods = 1;
    if (workload_expects_db(run->workload->own) && before_db < run->asked.period)
        periods = 0;
    each = saturated_less(run->asked.period, HANDLER_EVENTS) / all.in_a_row;
    least = saturated_less(saturated_product(periods, each < room ? each : room),
                           saturated_sum(saturated_less(run->ran.counted.value, own),
                                         saturated_sum(g->of_handlers, g->copies)));
    if (g->held >= least)
        return NULL;
    return format_text("%llu records of %llu frozen stacks: want at least %llu (lost)",
                       (unsigned long long)g->held, (unsigned long long)periods,
                       (unsigned long long)least);
}

/* The rule stream-stack of a stream with gaps, which precede all that the stack held: what
 * it lacks of that, branches on the wrong path took. */
static char *unstacked(const struct gaps *g)
{
    const struct run *run = g->run;
    const struct gap_facts *facts = &g->facts;
    const uint64_t stack = saturated_less(stack_left(run), wrong_path_max(g->log, g->run));
    char *why = more_than_stacks(run);

    if (!why && run->asked.freeze)
        return unfrozen(g);
    if (!why && facts->lacking > wrong_path_of(g->log, g->run) && facts->shortest >= stack)
        return format_text("the stacks lack %llu records after gaps: want at most the %llu "
                           "whose room the wrong path took (lost)",
                           (unsigned long long)facts->lacking,
                           (unsigned long long)wrong_path_of(g->log, g->run));
    if (why || facts->shortest >= stack)
        return why;
    return format_text("%llu records after a gap: want at least the %llu that were left in "
                       "the stack (lost)",
                       (unsigned long long)facts->shortest, (unsigned long long)stack);
}

/* The rule bts-gap: the workload's records alone fill the buffer, except for an IRETQ. */
static char *unfilled(const struct run *run, const struct gap_facts *facts)
{
    const uint64_t buffer = run->asked.buffer.value, threshold = run->asked.threshold.value;
    const bool keeps_iretq = record_filter_shows(run->filter, 0) || run->ran.returns;
    const uint64_t full = buffer - (threshold > 1 && keeps_iretq);
    const uint64_t late = buffer - threshold; /* each, at least */

    if (facts->shortest < full)
        return format_text("a gap after %llu records: want at least the %llu that fill a "
                           "buffer of %llu (lost)",
                           (unsigned long long)facts->shortest, (unsigned long long)full,
                           (unsigned long long)buffer);
    if (facts->inner && (run->ran.most < late ||
                         run->ran.skid.value < saturated_product(facts->inner, late)))
        return format_text(
            "%llu gaps, but its interrupts came %s, the latest by %llu: want "
            "each of a full buffer at least %llu late (lost)",
            (unsigned long long)facts->inner, lateness_text(run),
            (unsigned long long)run->ran.most, (unsigned long long)late);
    return NULL;
}

/* True if the oldest records were gone when the stack was first read. */
static bool begins_with_gap(const struct gaps *g)
{
    return !g->run->method->pmi_drained && g->got.of[0].to == BRANCH_UNKNOWN;
}

/* Between two records, each gap has its interrupt: a stack is read at those and at the end.
 */
static bool are_too_many(struct gaps *g)
{
    const struct run *run = g->run;
    const struct gap_facts facts = g->facts;
    const uint64_t most = saturated_sum(run->ran.events, begins_with_gap(g));

    if (run->method->pmi_drained
            ? run_broke(g->run, "bts-gap", facts.line, unfilled(run, &facts))
            : run_broke(g->run, "stream-stack", facts.line, unstacked(g)))
        return true;
    return facts.inner > most &&
           run_broke(g->run, "stream-gaps", run->end_line,
                     format_text("%llu gap%s, but only %llu interrupts (lost)",
                                 (unsigned long long)facts.inner, plural(facts.inner),
                                 (unsigned long long)run->ran.events));
}

/* Without late interrupts a stream has no gaps. */
static void found_gap(struct gaps *g)
{
    uint64_t i = 0;

    while (g->got.of[i].to != BRANCH_UNKNOWN)
        i++;
    run_broke(g->run, "stream-whole", line_of_record(g->run, i),
              format_text("record %llu: a gap: branches are missing here, although no "
                          "interrupt came late (lost)",
                          (unsigned long long)i + 1));
}

/* True if no record is missing and the gap only says that the buffer was full at the end.
 */
static bool was_just_full(const struct gaps *g)
{
    return g->run->method->pmi_drained && g->run->gaps == 1 &&
           g->got.of[g->got.end - 1].to == BRANCH_UNKNOWN && g->held == g->want.end;
}

/* True if the stack holds all that ran, and no interrupt took anything of it away. */
static bool fits_the_stack(const struct gaps *g)
{
    return !g->run->method->pmi_drained && !g->run->ran.events && !run_was_hit(g->run) &&
           saturated_sum(g->want.end, wrong_path_max(g->log, g->run)) <= stack_left(g->run);
}

/* True if nothing explains a gap.  A stack that freezes has one even with none late; one
 * that has its first branch lacks none before it. */
static bool gap_is_unexplained(const struct gaps *g)
{
    if (was_just_full(g))
        return false;
    if (fits_the_stack(g) || (begins_with_gap(g) && g->got.end > 1 &&
                              g->got.of[1].from == g->log->machine.caller.call))
        return true;
    return (lateness_is_none(g->run) &&
            !(lateness_in_all(g->run) && lateness_by_if(g->log, g->run))) ||
           (!g->run->asked.freeze && explained_by_lateness(g) == 0);
}

/* True if all records are there, and right. */
static bool judge_segments(struct gaps *g)
{
    if (!place_with_or_without_events(g)) {
        found_difference(g, &g->result.certain);
        return false;
    }
    if (g->at_random)
        run_found(g->run, ALLOWED, g->at_random->name, g->run->end_line,
                  format_text("%s", g->how));
    if (g->copies)
        run_found(g->run, NOTED, "lbr-doubled", g->run->end_line,
                  format_text("%llu segments end with a copy of their newest record",
                              (unsigned long long)g->copies));
    if (gap_is_unexplained(g)) {
        found_gap(g);
        return false;
    }
    if (are_too_many(g))
        return false;
    if (g->result.unconfirmed_count)
        found_difference(g, &g->result.unconfirmed);
    if (g->held < g->want.end)
        judge_missing(g);
    return !g->result.unconfirmed_count && !g->without && g->held >= g->want.end;
}

static struct gap_facts facts_of(const struct gaps *g)
{
    struct gap_facts facts = { .shortest = UINT64_MAX };
    const bool before = g->run->method->pmi_drained;
    uint64_t begin = 0;

    for (uint64_t i = 0; i <= g->got.end; i++) {
        const bool is_gap = i < g->got.end && g->got.of[i].to == BRANCH_UNKNOWN;

        if (i < g->got.end && !is_gap)
            continue;
        facts.inner += i + 1 < g->got.end;
        facts.followed += begin > 0 && i > begin;
        facts.lacking += begin > 0 ? saturated_less(stack_left(g->run), i - begin) : 0;
        if ((before ? is_gap : begin > 0) && i - begin < facts.shortest) {
            facts.shortest = i - begin;
            facts.line = line_of_record(g->run, before ? i : begin - 1);
        }
        begin = i + 1;
    }
    return facts;
}

/* Takes the records of handlers out, as far as what hit the run accounts for them. */
static void leave_handlers_out(struct gaps *g)
{
    const struct tries *tries = &g->run->ran.tries;
    const struct rule_run hit = rule_run_of(g->log, g->run);
    const uint64_t at = tries->count ? tries->differed[tries->count - 1] : 0;
    const uint64_t traps = hit_traps_max(&hit, at), period = g->run->asked.period;
    struct transfer *all = (struct transfer *)g->got.of;
    struct unhit rest;
    uint64_t count = 0;

    g->of_handlers = 2 * traps; /* a branch on either side */
    unhit_of(&rest, &hit, &g->got.source);
    while (rest.source.next(&rest.source, &(struct transfer){ 0 }))
        ;
    if (!unhit_is_bounded(&rest, at) || unhit_is_torn(&rest) || at > g->run->records + 1)
        return;
    run_found(
        g->run, ALLOWED, hit_rule(&hit, at)->name, g->run->end_line,
        format_text("%llu records are of handlers", (unsigned long long)rest.foreign));
    g->of_handlers += rest.foreign;
    g->of_periods =
        saturated_less(rest.foreign, saturated_less(stack_left(g->run), period));
    if (g->of_periods > saturated_product(traps, period))
        g->of_periods = saturated_product(traps, period);
    rest.source.rewind(&rest.source);
    while (rest.source.next(&rest.source, &all[count]))
        count++;
    g->got = list_of(all, 0, count);
}

bool judge_gaps(const struct log *log, struct run *run)
{
    const struct record_filter filter = run_record_filter(run);
    struct gaps g = { .log = log, .run = run };
    struct recorded got;
    bool right;

    g.got = list_all(transfers_of(&got, log, run));
    g.want = wanted_through(&g, &filter);
    run->branches_run = g.want.end;
    g.facts = facts_of(&g);
    leave_handlers_out(&g);
    right = judge_segments(&g);
    list_free(&g.got);
    list_free(&g.want);
    return right;
}

/*
 * How many records a stack has too few to have lost the IRETQ, the oldest of it: beside the
 * interrupt's entry and a copy of the newest, there was room for it.
 */
static uint64_t room_for_iretq(const struct run *run, uint64_t records)
{
    const uint64_t own = !run->asked.freeze + rule_is_of_run("lbr-doubled", run);

    return saturated_less(run->cpu->lbr_depth, records + own);
}

/* Returns how many of these stacks had no room for it, where branches on the wrong path may
 * have taken the room, as far as their entries suffice.  of_room[n]: stacks with room for
 * n. */
static uint64_t without_room(const struct log *log, const struct run *run,
                             const uint64_t *of_room)
{
    uint64_t left = wrong_path_of(log, run), sum = of_room[0];

    for (uint64_t room = 1; room <= wrong_path_max(log, run); room++) {
        const uint64_t most = left / room;
        const uint64_t some = of_room[room] < most ? of_room[room] : most;

        sum += some;
        left -= some * room;
    }
    return sum;
}

#define DEPTH_MAX 64 /* of the architectural LBR (SDM vol. 3B, "LBR Stack") */

void count_gaps(const struct log *log, struct run *run)
{
    const struct run_records records = run_records(log, run);
    uint64_t next = records.count, of_room[DEPTH_MAX + 1] = { 0 };

    if (!method_is_interrupted(run->method) || run->method->sampled)
        return;
    for (uint64_t i = records.count; i-- > 0;)
        if (records.at[i].to == BRANCH_UNKNOWN) {
            run->gaps++;
            if (i > 0 || run->filter) /* no interrupt precedes the first record */
                of_room[room_for_iretq(run, next - i - 1) % (DEPTH_MAX + 1)]++;
            next = i;
        }
    if (run->method->counter_driven)
        run->gaps_of_iretq = without_room(log, run, of_room);
}
