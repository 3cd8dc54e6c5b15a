/*
 * What cannot be, whatever the records are: a run that other lines of the log rule out,
 * debug exceptions without a record, sums of interrupts that contradict each other, and
 * time that a run cannot take.  how_it_ended() puts into words how a run ended.
 */
#include "judge_parts.h"

#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "heap.h"
#include "lateness.h"
#include "skip_reason.h"

/* True if the APIC, in the mode that the log has, gives this run what it needs. */
static bool apic_serves(const struct machine *machine, const struct run *run)
{
    const uint32_t flags = run->workload->own->flags;

    if (!machine->apic.line)
        return true;
    return !(method_is_interrupted(run->method) && machine->apic.mode == APIC_OFF) &&
           !(flags & WORKLOAD_APIC && machine->apic.mode != APIC_X) &&
           !(flags & WORKLOAD_X2APIC && machine->apic.mode != APIC_X2);
}

/* The line that says that this run, or a facility it needs, is not tried; 0: none does. */
static size_t line_of_avoided(const struct log *log, const struct run *run)
{
    const struct avoid_line *avoided = avoided_run(log, run);

    for (enum facility i = 0; i < FACILITY_COUNT && !avoided; i++)
        if (run_needs(run, i))
            avoided = avoided_facility(log, facility_names[i]);
    return avoided ? avoided->line : 0;
}

/* The sentence of why its event cannot be counted here, or NULL. */
static const char *lacks_its_event(const struct run *run)
{
    char sentence[LOG_LINE_MAX];
    struct text text = text_into(sentence, sizeof(sentence));
    struct skip_reason reason = { 0 };

    if (run->method->counter_driven)
        reason =
            pmu_lacks_number(&run->cpu->id, run->asked.event.event, run->asked.event.umask);
    if (!reason.code)
        return NULL;
    skip_put_sentence(&text, &reason);
    return scratch_text("%s", sentence);
}

/* A run cannot have been made without what it needs. */
static char *made_although(const struct log *log, const struct run *run)
{
    const size_t avoided = line_of_avoided(log, run);
    const char *event;

    if (avoided)
        return format_text("made, although line %zu says that it is not tried", avoided);
    if (!apic_serves(&log->machine, run))
        return format_text("made, although line %zu says that the APIC is %s",
                           log->machine.apic.line, apic_modes[log->machine.apic.mode]);
    if (run->asked.freeze && !found_to_act(run->cpu, FACILITY_FREEZE))
        return format_text("freeze=1, although the facility freeze was not found to work");
    event = lacks_its_event(run);
    return event ? format_text("made, although %s", event) : NULL;
}

/*
 * True if the kernel chose settings of the run by what it found on the run's own processor:
 * where its buffer lies, or how late its interrupts came in the probe.
 */
static bool is_set_by_processor(const struct method_facts *method)
{
    return method->packets || method->pmi_drained || method->least_depth;
}

/* The first run that differs from this one in its workload alone; or this one. */
static const struct run *first_like(const struct log *log, const struct run *run)
{
    const struct run *first = log->runs;

    while (first < run &&
           (first->skipped || first->damaged || first->method != run->method ||
            first->filter != run->filter || first->cpu != run->cpu ||
            (is_set_by_processor(run->method) && first->processor != run->processor)))
        first++;
    return first;
}

/* Options are the same in all runs of a boot; each command of a monitor has its own. */
static char *other_setting(const struct log *log, const struct run *run)
{
    const struct run *first = first_like(log, run);
    const struct run_line *is = &run->asked, *was = &first->asked;
    static const char *const deliveries[] = { "fixed", "nmi" };
    const struct {
        const char *name;
        uint64_t is, was;
        const char *const *words; /* of its values, as the log has them */
    } settings[] = {
        { "buffer", run->capacity, first->capacity, NULL },
        { "buffer", is->buffer.value, was->buffer.value, NULL },
        { "threshold", is->threshold.value, was->threshold.value, NULL },
        { "event", is->event.event, was->event.event, NULL },
        { "umask", is->event.umask, was->event.umask, NULL },
        { "period", is->period, was->period, NULL },
        { "delivery", is->nmi, was->nmi, deliveries },
        { "freeze", is->freeze, was->freeze, NULL },
    };

    for (size_t i = 0; i < COUNT_OF(settings) && !log->by_command; i++) {
        if (settings[i].is == settings[i].was)
            continue;
        if (settings[i].words)
            return format_text("%s: got %s, want %s as in line %zu", settings[i].name,
                               settings[i].words[settings[i].is],
                               settings[i].words[settings[i].was], first->line);
        return format_text("%s: got %llu, want %llu as in line %zu", settings[i].name,
                           (unsigned long long)settings[i].is,
                           (unsigned long long)settings[i].was, first->line);
    }
    return NULL;
}

char *run_cannot_be(const struct log *log, const struct run *run)
{
    char *why;

    if ((run->method->ring_lbr && (!run->cpu->row || run->cpu->lbr_depth == 0)) ||
        (run->method->last_event && (!run->cpu->row || !run->cpu->row->ler_from)))
        return format_text(
            "made, although it is not known where this model has its records");
    why = other_setting(log, run);
    return why ? why : made_although(log, run);
}

/* Every debug exception makes a record or is counted as lost; some methods take none. */
static char *wrong_events(const struct run *run)
{
    if (run->method->blind_handlers && run->ran.events != run->records + run->ran.lost)
        return format_text("%llu debug events, but %llu records and %llu lost",
                           (unsigned long long)run->ran.events,
                           (unsigned long long)run->records,
                           (unsigned long long)run->ran.lost);
    if (!run->method->blind_handlers && !method_is_interrupted(run->method) &&
        run->ran.events)
        return format_text("events=%llu, want 0: nothing interrupts this method",
                           (unsigned long long)run->ran.events);
    return NULL;
}

/* Derived: a difference that large is of a TSC that went backwards, or is made up. */
#define TICKS_MAX (1ull << 56)

static char *endless(const struct run *run)
{
    uint64_t most = run->cost.line ? run->cost.most : run->ran.ticks;

    if (most < TICKS_MAX)
        return NULL;
    return format_text(
        "%llu ticks are impossible: the TSC reaches 2^56 in 83 days at 10 GHz",
        (unsigned long long)most);
}

/* The line `cost` of the newest run may be still to come, or lost with the machine. */
static bool may_lack_cost(const struct log *log, const struct run *run)
{
    return !log->ended && run == &log->runs[log->run_count - 1];
}

/* The option `cost=` is one for all runs. */
static char *other_repeats(const struct log *log, const struct run *run)
{
    const struct run *first = log->runs;

    while (first < run && (first->skipped || first->ran.outcome != ENDED))
        first++;
    if (first->cost.asked == run->cost.asked)
        return NULL;
    if (run->cost.line)
        return format_text("cost: got asked=%llu, want %llu as for the run of line %zu",
                           (unsigned long long)run->cost.asked,
                           (unsigned long long)first->cost.asked, first->line);
    return may_lack_cost(log, run)
               ? NULL
               : format_text("no line \"cost\", want one with asked=%llu as for the run of "
                             "line %zu",
                             (unsigned long long)first->cost.asked, first->line);
}

char *ran_cannot_be(const struct log *log, const struct run *run)
{
    char *why = wrong_events(run);

    if (!why)
        why = endless(run);
    if (!why)
        why = exceptions_cannot_be(log, run);
    if (!why)
        why = lateness_cannot_be(run);
    if (!why)
        why = hits_cannot_be(log, run);
    return why ? why : other_repeats(log, run);
}

/* Time.  An exception or an interrupt takes more than a tick. */
#define INSNS_A_TICK (CLOCKS_A_TICK * INSNS_A_CLOCK)

/* How much of each workload ran, as the passing runs have shown. */
static uint64_t *shown_of_all(const struct log *log)
{
    uint64_t *shown = zeroed(log->workload_count, sizeof(*shown));

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];
        uint64_t *most = &shown[run->workload->number];

        if (run->judged && !run->skipped && run_has_no_fault(run) && run->records > *most)
            *most = run->records;
    }
    return shown;
}

static char *wrong_time(const struct run *run, uint64_t shown)
{
    uint64_t ticks = run->cost.line ? run->cost.least : run->ran.ticks;
    uint64_t least = shown / INSNS_A_TICK + 1;

    if (run->ran.events > least)
        least = run->ran.events;
    return ticks >= least
               ? NULL
               : format_text(
                     "%llu ticks are impossible: %llu events and %llu records of what "
                     "ran take %llu at the very least",
                     (unsigned long long)ticks, (unsigned long long)run->ran.events,
                     (unsigned long long)shown, (unsigned long long)least);
}

void judge_time(struct log *log, const struct run *only)
{
    uint64_t *shown = shown_of_all(log);

    for (size_t i = 0; i < log->run_count; i++) {
        struct run *run = &log->runs[i];

        if ((!only || only == run) && run->judged && run->end_line && !run->skipped &&
            run->ran.outcome == ENDED &&
            run_broke(run, "log-time", run->cost.line ? run->cost.line : run->end_line,
                      wrong_time(run, shown[run->workload->number])))
            run_decide(run);
    }
    free(shown);
}

static const char *vector_name(uint64_t vector)
{
    static const char *const names[] = {
        "#DE", "#DB",      "NMI", "#BP", "#OF", "#BR", "#UD", "#NM",
        "#DF", "vector 9", "#TS", "#NP", "#SS", "#GP", "#PF", "vector 15",
        "#MF", "#AC",      "#MC", "#XM", "#VE", "#CP",
    };

    return vector < COUNT_OF(names) ? names[vector] : "an interrupt";
}

char *how_it_ended(const struct log *log, const struct run *run)
{
    struct log_map map = map_of(log, run->workload);

    switch (run->ran.outcome) {
    case GONE:
        return format_text("the processor did not come back, so nothing is known of it");
    case CRASHED:
        return format_text("crashed: %s (vector %llu) at %s, after %llu records",
                           vector_name(run->ran.vector.value),
                           (unsigned long long)run->ran.vector.value,
                           scratch_take(place_text(&map, run->crashed_at, LOG_TO)),
                           (unsigned long long)run->records);
    case BUDGET:
        return format_text("stopped: too many events to record, after %llu records",
                           (unsigned long long)run->records);
    case LIVELOCK:
        return format_text("stopped: a livelock: interrupts with no branch of the workload "
                           "between them, at a %s of %llu, after %llu records",
                           run->method->counter_driven ? "period" : "threshold",
                           (unsigned long long)(run->method->counter_driven
                                                    ? run->asked.period
                                                    : run->asked.threshold.value),
                           (unsigned long long)run->records);
    default:
        return format_text("stopped: it did not end in time, after %llu records",
                           (unsigned long long)run->records);
    }
}
