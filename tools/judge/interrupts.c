/*
 * Compares the interrupts that emptied a buffer of branch records with the records.
 *
 * Each interrupt comes at the threshold and stores two records of its own: its entry and
 * its IRETQ, which is the first of the next buffer.  So their number is known, except for
 * how late each came, and no more records than the buffer holds can lie between two of
 * them. With a filter of rings, the entry is recorded if the interrupted ring is, and the
 * IRETQ if ring 0 is.
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "unconfirmed.h"
#include "heap.h"
#include "lateness.h"
#include "saturate.h"
#include "words.h"

/* True if a fixed interrupt is due to the window's own last branch, which is not taken: IF
 * is clear there (kernel/hardware/window.asm). */
static bool is_due_to_window(const struct run *run)
{
    return !run->asked.nmi && run->method->counter_driven && events_since_last(run) == 0;
}

/* True if branches were recorded after the last one, and so was all that is its own. */
static bool went_on(const struct run *run)
{
    return !run->filter && !run_was_hit(run) && lateness_compares(run) &&
           events_since_last(run) > (run->method->counter_driven ? HANDLER_EVENTS : 0);
}

/*
 * The last one may have come when recording was off already, and then left nothing: it was
 * late, or due to the window, or a #DB had turned recording off.
 */
static bool left_of(const struct run *run, uint64_t records, bool of_all)
{
    const bool last_may_lack =
        (!lateness_is_none(run) && !went_on(run)) || is_due_to_window(run) ||
        (run->method->ends_at_db && workload_expects_db(run->workload->own));

    return records <= run->ran.events &&
           (!of_all || run->ran.events - records <= last_may_lack);
}

/* True if no entry from ring 3 is left out. */
static bool shows_ring3(const struct run *run)
{
    return record_filter_shows(run->filter, 3) || !workload_has_ring3(run->workload->own);
}

/* True if the interrupts store no records of their own. */
static bool leaves_none(const struct method_facts *method)
{
    return method->sampled || method->sampled_windows;
}

/* These records and those that gaps hid, but no more than there were interrupts. */
static uint64_t with_hidden(const struct run *run, uint64_t records, uint64_t hiding)
{
    const uint64_t sum = saturated_sum(records, hiding);

    return sum < run->ran.events ? sum : run->ran.events;
}

/*
 * A gap hides at most the interrupt's record at its own end: the IRETQ is the oldest of a
 * stack, where branches pushed it out, and the entry comes when a buffer is full.  What the
 * IRETQ follows is in the stack before.
 */
static bool left_beside_gaps(const struct run *run, uint64_t entries, uint64_t returns)
{
    const bool kernel = record_filter_shows(run->filter, 0);
    const bool both = kernel && shows_ring3(run);
    const uint64_t hiding = run->method->pmi_drained ? run->gaps : 0;

    return entries <= run->ran.events && returns <= run->ran.events &&
           (run->asked.freeze ||
            (left_of(run, with_hidden(run, entries, hiding), both) &&
             (!both || with_hidden(run, entries, hiding) >= returns))) &&
           left_of(run, with_hidden(run, returns, run->gaps_of_iretq), kernel);
}

/* No record tells which ring each interrupt struck. */
static bool left_their_own(const struct run *run)
{
    const uint64_t entries = run->ran.entries.value + run->hidden;
    const uint64_t returns = saturated_sum(run->ran.returns, run->hidden_iretqs);
    bool kernel = record_filter_shows(run->filter, 0);
    bool user = shows_ring3(run);

    if (leaves_none(run->method))
        return run->ran.entries.value == 0 && run->ran.returns == 0;
    if (!kernel && run->ran.returns > 0)
        return false;
    if (run->asked.freeze && run->ran.entries.value > 0)
        return false;
    if (run->gaps)
        return left_beside_gaps(run, entries, returns);
    if (run->asked.freeze)
        return left_of(run, returns, kernel);
    if (kernel && user && entries != returns)
        return false;
    return left_of(run, entries, kernel && user) && left_of(run, returns, kernel) &&
           (!kernel || entries <= returns);
}

static const char *wanted_of_them(const struct run *run)
{
    if (leaves_none(run->method))
        return "none";
    if (run->asked.freeze)
        return "no entry, since the stack is frozen, and a return of each in ring 0";
    if (!record_filter_shows(run->filter, 0))
        return "no return, and an entry of each that was taken in ring 3";
    if (!shows_ring3(run))
        return "a return of each, and an entry of those in ring 0";
    return run->gaps ? "one each, but for those that gaps hide" : "one each";
}

/* Returns how many interrupts these records need. */
static uint64_t asked_for(const struct run *run)
{
    return records_in_time(run) / interrupt_each(run);
}

/* True if there are more records than the buffers can have held: no run makes such a log.
 */
static bool too_many(const struct run *run)
{
    const uint64_t own = saturated_sum(run->ran.entries.value, run->ran.returns);

    return saturated_sum(run->records - run->gaps, own) >
           saturated_product(saturated_sum(run->ran.events, 1), run->asked.buffer.value);
}

/*
 * AMD's counters mask nothing, but a hypervisor may, as KVM does.  The interrupt that
 * branch sampling holds back comes when the counter is turned off, and is not in `events`:
 * so does the emulator's.
 */
static uint64_t unmasked_at_least(const struct run *run)
{
    const struct rule_place place = rule_place_of(run);
    const bool is_held_back = place.emulated && run->method->sampled_windows &&
                              events_since_last(run) >= run->asked.period;

    return rule_is_in_guest(&place) ? 0 : saturated_sum(run->ran.events, is_held_back);
}

char *interrupts_left(const struct run *run)
{
    const struct pmu *pmu = pmu_find(&run->cpu->id);

    if (run->ran.unmasked > 0 && !(pmu && pmu->keeps_lvt))
        return format_text("%llu of %llu interrupts did not mask their entry of the local "
                           "vector table, as the manual says that they do",
                           (unsigned long long)run->ran.unmasked,
                           (unsigned long long)run->ran.events);
    if (pmu && pmu->keeps_lvt && run->ran.unmasked < unmasked_at_least(run))
        return format_text("only %llu of %llu interrupts did not mask their entry of the "
                           "local vector table, but AMD's counters never do",
                           (unsigned long long)run->ran.unmasked,
                           (unsigned long long)unmasked_at_least(run));
    return NULL;
}

/* One of AMD's may come when the counter is off, and is then not among `events`. */
char *interrupts_too_many(const struct run *run)
{
    const uint64_t events = run->ran.events;
    const struct pmu *pmu = pmu_find(&run->cpu->id);
    const uint64_t unmasked = saturated_less(run->ran.unmasked, pmu && pmu->keeps_lvt);

    if (run->ran.entries.value <= events && run->ran.returns <= events &&
        unmasked <= events)
        return NULL;
    return format_text("entries=%llu returns=%llu unmasked=%llu, but only %llu interrupts "
                       "came (doubled)",
                       (unsigned long long)run->ran.entries.value,
                       (unsigned long long)run->ran.returns,
                       (unsigned long long)run->ran.unmasked, (unsigned long long)events);
}

const char *interrupts_own_rule(const struct run *run)
{
    const uint64_t returns = with_hidden(run, run->ran.returns, run->gaps_of_iretq);

    return interrupts_lack_entries(run) && left_of(run, returns, true)
               ? "lbr-v2-events"
               : "interrupt-records";
}

char *interrupts_own_wrong(const struct run *run)
{
    if (left_their_own(run))
        return NULL;
    return format_text("%llu entries and %llu returns of %llu interrupts were found "
                       "among the records, want %s (%s)",
                       (unsigned long long)run->ran.entries.value,
                       (unsigned long long)run->ran.returns,
                       (unsigned long long)run->ran.events, wanted_of_them(run),
                       run->ran.entries.value > run->ran.events ? "doubled" : "lost");
}

/*
 * True if the numbers can be of a filter that tests TO or either end.  Then an IRETQ is in
 * the buffer at the threshold or not, and of the interrupts' own records those that enter
 * or leave ring 3 are there or not.  The last interrupt may lack.
 */
static bool may_be_of_rings(const struct run *run)
{
    const uint64_t each = run->asked.threshold.value, records = records_in_time(run);
    const uint64_t events = run->ran.events, returns = run->ran.returns;
    const uint64_t entries = run->ran.entries.value + run->hidden;
    const uint64_t more = entries > returns ? entries : returns;
    const uint64_t less = entries + returns - more;

    if (more > events || events + !lateness_is_none(run) < records / each ||
        events > records / (each - (each > 1)))
        return false;
    return run->gaps || (record_filter_shows(run->filter, 0) ? left_of(run, more, true)
                                                             : !less || more - less <= 1);
}

/* The rule of a number that rings decide: no manual states which one BTS filters by. */
static const char *by_rings(const struct run *run, const char *rule)
{
    return run->filter & FILTER_RINGS && workload_has_ring3(run->workload->own) &&
                   may_be_of_rings(run)
               ? "bts-ring-from"
               : rule;
}

/* Judges the interrupts' own records that pass the filter of rings, and their number. */
static void judge_by_rings(struct run *run)
{
    const uint64_t want = asked_for(run);

    if (run_broke(run, by_rings(run, "interrupt-records"), run->end_line,
                  interrupts_own_wrong(run)) ||
        run->ran.events == want)
        return;
    if (unheard_drain_explained(run)) {
        run_found(run, ALLOWED, "pmi-last", run->end_line,
                  format_text("the last interrupt did not come before the window closed"));
        return;
    }
    run_broke(run, by_rings(run, "bts-threshold"), run->end_line,
              format_text("%llu interrupt%s, but records for %llu at a threshold of %llu: "
                          "some %s",
                          (unsigned long long)run->ran.events, plural(run->ran.events),
                          (unsigned long long)want,
                          (unsigned long long)run->asked.threshold.value,
                          run->ran.events > want ? "came before it" : "did not come"));
}

static const char *ring_words(unsigned rings)
{
    if (rings & RING_DECIDES(RING_LEFT))
        return "the ring that they leave";
    return rings & RING_DECIDES(RING_ENTERED) ? "the ring that they enter" : "either ring";
}

/*
 * Where ring 0 is left out, an entry comes from ring 3, and an IRETQ goes there.  Where it
 * is not, each entry enters it and each IRETQ leaves it, but the last interrupt may leave
 * none.
 */
static unsigned rings_of_interrupts(const struct run *run)
{
    const uint64_t returns = run->ran.returns, entries = run->ran.entries.value;
    unsigned rings = run->rings;

    if (!record_filter_shows(run->filter, 0)) {
        if (returns)
            rings &= ~RING_DECIDES(RING_LEFT);
        if (entries)
            rings &= ~RING_DECIDES(RING_ENTERED);
    } else if (!run->gaps) {
        if (run->ran.events > saturated_sum(returns, 1))
            rings &= RING_DECIDES(RING_ENTERED);
        if (!run->asked.freeze && run->ran.events > saturated_sum(entries, 1))
            rings &= RING_DECIDES(RING_LEFT);
    }
    return rings;
}

/* True if the records tell the rings: a hit or an erratum may have taken one away. */
static bool tells_rings(const struct run *run)
{
    return run->rings && !run_was_hit(run) && !hit_found(run) &&
           !rule_is_of_run("bts-lost-stpclk", run);
}

/* Takes those away that the interrupts' own records exclude. */
static void judge_rings(struct run *run)
{
    const unsigned rings = rings_of_interrupts(run);

    if (tells_rings(run) && !rings)
        run_broke(run, "bts-ring-same", run->end_line,
                  format_text("branches between rings have records by %s, but the "
                              "interrupts left entries=%llu returns=%llu",
                              ring_words(run->rings),
                              (unsigned long long)run->ran.entries.value,
                              (unsigned long long)run->ran.returns));
    run->rings = rings;
}

/* The run with which, and with others after it, none is left of this one's rings; or NULL.
 */
static const struct run *other_by_rings(const struct log *log, const struct run *run)
{
    unsigned rings = run->rings;

    for (const struct run *before = run; before-- > log->runs;) {
        if (before->cpu == run->cpu && tells_rings(before))
            rings &= before->rings;
        if (!rings)
            return before;
    }
    return NULL;
}

void judge_all_rings(struct log *log)
{
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i], *other;
        char *doubt = tells_rings(run) ? doubt_on_platform(run) : NULL;

        if (tells_rings(run) && !doubt && (other = other_by_rings(log, run))) {
            const char *filter = scratch_text("%s", filter_suffix(run));

            complain_of_runs(
                log, run, "bts-ring-same",
                format_text("all filtered runs of BTS test the same ring"),
                format_text("in %s %s%s, branches between rings have records by %s, but in "
                            "%s %s%s (line %zu) by %s",
                            run->method->name, run->workload->own->name, filter,
                            ring_words(run->rings), other->method->name,
                            other->workload->own->name, filter_suffix(other),
                            other->end_line, ring_words(other->rings)));
            return;
        }
        free(doubt);
    }
}

void judge_interrupts(struct run *run)
{
    judge_by_rings(run);
    judge_rings(run);
    if (too_many(run))
        run_broke(run, "bts-capacity", run->end_line,
                  format_text("%llu records, but %llu interrupts emptied a buffer of %llu",
                              (unsigned long long)run->records,
                              (unsigned long long)run->ran.events,
                              (unsigned long long)run->asked.buffer.value));
    else
        run_broke(run, "interrupt-lvt", run->end_line, interrupts_left(run));
}
