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
#include "gaps.h"

#include "heap.h"
#include "hit.h"
#include "judge_parts.h"
#include "lateness.h"
#include "retired.h"
#include "saturate.h"
#include "unconfirmed.h"
#include "words.h"

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

/* Returns by how many branches a counter's period is longer than the stack is deep. */
static uint64_t unread(const struct run *run)
{
    const struct pmu_event *event = counted_event(run);

    return run->method->counter_driven && event && event->counts
               ? saturated_less(run->asked.period, run->cpu->lbr_depth)
               : 0;
}

static const char *unread_text(const struct run *run)
{
    return unread(run) ? scratch_text("a stack does not hold a period of %llu, and ",
                                      (unsigned long long)run->asked.period)
                       : "";
}

static uint64_t explained_by_lateness(const struct gaps *g)
{
    const struct pmu_event *event = counted_event(g->run);

    return saturated_sum(saturated_product(g->run->gaps, unread(g->run)),
                         lateness_explains(g->run, unseen(g),
                                           event && event->counts ? g->beside : 0,
                                           stack_left(g->run), g->of_handlers));
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
        run_found(
            g->run, ALLOWED, "stream-gaps", g->run->end_line,
            format_text("%s, since %sits interrupts came %s in all, the latest by %llu",
                        held, unread_text(g->run), lateness_text(g->run),
                        (unsigned long long)g->run->ran.most));
    else
        run_broke(g->run, missing - late <= lacks ? "pmi-event" : "stream-gaps",
                  g->run->end_line,
                  format_text("%s, but its interrupts came only %s (lost)", held,
                              lateness_text(g->run)));
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
    return (lateness_is_none(g->run) && !unread(g->run) &&
            !(lateness_in_all(g->run) && lateness_by_if(g->log, g->run))) ||
           (!g->run->asked.freeze && explained_by_lateness(g) == 0);
}

/* True if all records are there, and right. */
static bool judge_segments(struct gaps *g)
{
    if (!gaps_place(g)) {
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
    if (g->copies > copies_max(g->segments) &&
        run_broke(g->run, "copies-few", g->run->end_line,
                  format_text("%llu of %llu segments end with a copy of their newest "
                              "record, want at most %llu (wrong)",
                              (unsigned long long)g->copies,
                              (unsigned long long)g->segments,
                              (unsigned long long)copies_max(g->segments))))
        return false;
    if (gap_is_unexplained(g)) {
        found_gap(g);
        return false;
    }
    if (gaps_hold_too_little(g))
        return false;
    if (g->result.unconfirmed_count)
        found_difference(g, &g->result.unconfirmed);
    if (g->held < g->want.end)
        judge_missing(g);
    return !g->result.unconfirmed_count && !g->without && g->held >= g->want.end;
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
    g.want = gaps_wanted(&g, &filter);
    run->branches_run = g.want.end;
    g.facts = gap_facts_of(log, run);
    leave_handlers_out(&g);
    right = judge_segments(&g);
    list_free(&g.got);
    list_free(&g.want);
    return right;
}
