/* lateness.h; and first the period of a counter, which is how often its interrupts come. */
#include "lateness.h"

#include "heap.h"
#include "judge_parts.h"
#include "unconfirmed.h"
#include "words.h"

size_t piece_size(const struct cpu_part *cpu)
{
    return cpu->row ? cpu->row->brs.depth : 0;
}

/* Branch sampling holds the interrupt back for a piece. */
uint64_t interrupt_each(const struct run *run)
{
    return run->asked.period + (run->method->sampled_windows ? piece_size(run->cpu) : 0);
}

/*
 * One probe does not meet the latest interrupt possible.  An interrupt up to this many
 * times as late as the probe's latest is accepted.
 */
#define LATER 2

static const struct facility_line *measured_of(const struct run *run)
{
    return &run->cpu->facilities[run->method->pmi_drained ? FACILITY_BTS : FACILITY_PMI];
}

/* Older logs do not have it. */
static bool is_known(const struct run *run)
{
    return measured_of(run)->interrupts.value > 0;
}

bool lateness_is_none(const struct run *run)
{
    return rule_is_of_run("pmi-prompt", run) &&
           (measured_of(run)->most == 0 || run->cpu->facilities[FACILITY_PMI].most == 0);
}

/* True if the lateness is counted in taken branches, as the probe's is, or in records. */
static bool compares(const struct run *run)
{
    const struct pmu *pmu = pmu_find(&run->cpu->id);
    const struct pmu_event *event = counted_event(run);

    return run->method->pmi_drained ||
           (pmu && event && !event->others && event == pmu_default(pmu));
}

/* The latest that an interrupt may be; UINT64_MAX: the probe gave no bound. */
static uint64_t bound_of(const struct run *run)
{
    if (lateness_is_none(run))
        return 0;
    return is_known(run) && compares(run) ? LATER * measured_of(run)->most : UINT64_MAX;
}

bool lateness_is_logged(const struct run *run)
{
    return run->ran.skid.is != LOG_NOT_THERE;
}

uint64_t lateness_in_all(const struct run *run)
{
    return run->ran.skid.value;
}

static uint64_t less(uint64_t number, uint64_t by)
{
    return number > by ? number - by : 0;
}

uint64_t counted_in_time(const struct run *run)
{
    return less(run->ran.counted.value, lateness_in_all(run));
}

uint64_t records_in_time(const struct run *run)
{
    return less(run->records, lateness_in_all(run));
}

uint64_t lateness_beyond(const struct run *run, uint64_t of_stops)
{
    return less(lateness_in_all(run), of_stops);
}

/* Events in the window after the last one that an interrupt accounts for. */
static uint64_t since_last(const struct run *run)
{
    return less(run->ran.counted.value,
                lateness_in_all(run) + run->ran.events * interrupt_each(run));
}

uint64_t unheard_late(const struct run *run)
{
    return less(since_last(run), interrupt_each(run));
}

/* The rule pmi-last-later: beyond this many events the last interrupt is lost. */
#define LAST_LATE_MAX 100

static uint64_t last_late_max(const struct run *run)
{
    uint64_t bound = bound_of(run);

    return bound < LAST_LATE_MAX && rule_is_of_run("pmi-last-later", run) ? LAST_LATE_MAX
                                                                          : bound;
}

bool unheard_explained(const struct run *run)
{
    if (!run->method->counter_driven || run->ran.lost > 1 || !is_known(run) ||
        lateness_is_none(run))
        return false;
    if (!lateness_is_logged(run))
        return run->ran.lost && rule_is_of_run("pmi-last-later", run);
    return since_last(run) >= interrupt_each(run) &&
           unheard_late(run) <= last_late_max(run);
}

bool unheard_drain_explained(const struct run *run, uint64_t each)
{
    uint64_t heard = lateness_in_all(run) + run->ran.events * each;

    return is_known(run) && !lateness_is_none(run) && run->records >= heard + each &&
           run->records - heard - each <= bound_of(run);
}

uint64_t lateness_explains(const struct run *run, uint64_t uncounted)
{
    if (run->method->pmi_drained)
        return lateness_in_all(run) ? UINT64_MAX : 0;
    return lateness_in_all(run) + unheard_late(run) + uncounted;
}

const char *lateness_text(const struct run *run)
{
    return scratch_text("%llu %s late", (unsigned long long)lateness_in_all(run),
                        run->method->pmi_drained ? "records" : "events");
}

const char *lateness_less(const struct run *run)
{
    return lateness_in_all(run) ? scratch_text(", less the %llu by which they came late",
                                               (unsigned long long)lateness_in_all(run))
                                : "";
}

/*
 * So many interrupts must come that late in all, the latest by `most`; and the records
 * after the threshold of a buffer are some of all records.
 */
bool lateness_can_be(const struct run *run)
{
    const uint64_t all = lateness_in_all(run), most = run->ran.most;
    const uint64_t least =
        most ? (all + most - 1) / most : 0; /* T06: of 2^64 - 1 it is 0 */

    return !(run->method->pmi_drained && all > run->records) && most <= all &&
           (most > 0 || all == 0) && least <= run->ran.events;
}

/* The lateness at each stop must add up to the sums at the end.  One may make no stop. */
static bool stops_fit(const struct log *log, const struct run *run)
{
    const struct run_records stops = run_records(log, run);
    uint64_t late = 0;

    for (uint64_t i = 0; i < stops.count; i++) {
        late += stops.at[i].info;
        if (stops.at[i].info > run->ran.most)
            return false;
    }
    return late <= lateness_in_all(run) &&
           (late == lateness_in_all(run) || run->ran.events > run->records);
}

char *lateness_wrong(const struct log *log, const struct run *run)
{
    const char *sums =
        scratch_text("skid=%llu most=%llu", (unsigned long long)lateness_in_all(run),
                     (unsigned long long)run->ran.most);
    const char *records =
        run->method->pmi_drained
            ? scratch_text(" and %llu records", (unsigned long long)run->records)
            : "";

    if (!lateness_can_be(run))
        return format_text("%s of %llu interrupts%s is impossible", sums,
                           (unsigned long long)run->ran.events, records);
    if (run->method->sampled && !stops_fit(log, run))
        return format_text("the stops are not as late as %s say", sums);
    return NULL;
}

/* The emulator checks a counter of instructions only at the end of a translated block. */
static bool in_blocks(const struct run *run)
{
    const struct pmu_event *event = run->method->counter_driven ? counted_event(run) : NULL;

    return event && event->insns;
}

/*
 * IF can delay a fixed interrupt without limit; an NMI may be late only up to the bound.
 * Where none may be late, one that is fails.
 */
void judge_lateness(struct run *run)
{
    const char *what = run->method->pmi_drained ? "record" : "event";
    const uint64_t bound = bound_of(run), all = lateness_in_all(run);
    const char *came;
    char *why;

    if (!run->asked.nmi || run->ran.most <= bound || (bound == 0 && in_blocks(run)))
        return;
    came = scratch_text("%llu interrupt%s came %llu %s%s late in all, and one %llu",
                        (unsigned long long)run->ran.events, plural(run->ran.events),
                        (unsigned long long)all, what, plural(all),
                        (unsigned long long)run->ran.most);
    if (lateness_is_none(run))
        why = format_text("%s: on the emulator NMI is never late", came);
    else if (bound == 0)
        why = format_text("%s: those of the probe were never late", came);
    else
        why = format_text("%s: more than twice as late as those of the probe, which were "
                          "at most %llu late",
                          came, (unsigned long long)bound / 2);
    if (lateness_is_none(run))
        run_broke(run, "pmi-prompt", run->end_line, why);
    else
        run_found(run, ALLOWED, "pmi-late", run->end_line, why);
}
