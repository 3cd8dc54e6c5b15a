/*
 * Checks the lines of a run, except its records, for contradictions with the rest of the
 * log: no run is judged by words that cannot be true.
 */
#include "judge_parts.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"

/* A missing or additional word means that the run is of another processor. */
static char *wrong_words(const struct log *log, const struct run *run)
{
    char got[LOG_LINE_MAX], want[LOG_LINE_MAX];
    struct text text = text_into(got, sizeof(got));
    bool has = run->info && (!run->method->last_event || log->cpu.row->ler_info);
    uint32_t words = has ? info_words_of(log->cpu.row, &log->cpu.id) : 0;

    if (words == run->info)
        return NULL;
    info_put_words(&text, run->info);
    text = text_into(want, sizeof(want));
    info_put_words(&text, words);
    return format_text("info=%s, want %s by this model", got, words ? want : "none");
}

/* A log that claims less room than the hardware has would be asked for too little. */
static char *wrong_capacity(const struct log *log, const struct run *run)
{
    uint32_t threshold = method_threshold(run->method, run->filter);

    if ((run->method->ring_lbr && (!log->cpu.row || log->cpu.lbr_depth == 0)) ||
        (run->method->last_event && (!log->cpu.row || !log->cpu.row->ler_from)))
        return format_text("made, although where this model has its records is not known");
    if (run->method->ring_lbr && run->capacity != log->cpu.lbr_depth)
        return format_text("room=%llu, want the %zu entries of this model",
                           (unsigned long long)run->capacity, log->cpu.lbr_depth);
    if (run->capacity && run->records > run->capacity)
        return format_text("%llu records, but room=%llu", (unsigned long long)run->records,
                           (unsigned long long)run->capacity);
    if (run->method->newest && run->capacity != run->method->newest)
        return format_text("room=%llu, want the %u that this method keeps",
                           (unsigned long long)run->capacity, run->method->newest);
    if (run->method->ring_buffer && run->capacity == 0)
        return format_text("room=0, want the records that the buffer holds");
    if (threshold && run->drained.threshold != threshold &&
        run->drained.buffer >= threshold)
        return format_text("threshold=%llu, want the %u of this method",
                           (unsigned long long)run->drained.threshold, threshold);
    return NULL;
}

/*
 * Options are the same in all runs of a boot; a command of the monitor sets those after
 * OF_BOOT for its own runs.
 */
struct logged_setting {
    const char *name;
    uint64_t value;
    enum { AS_COUNT, AS_HEX, AS_DELIVERY } written; /* in the log */
};
#define SETTINGS 8
#define OF_BOOT  3

static void settings_of(struct logged_setting out[SETTINGS], const struct run *run)
{
    const struct drained *drained = &run->drained;
    const struct logged_setting all[SETTINGS] = {
        { "room", run->capacity, AS_COUNT },
        { "buffer", drained->buffer, AS_COUNT },
        { "threshold", drained->threshold, AS_COUNT },
        { "event", drained->event, AS_HEX },
        { "umask", drained->umask, AS_HEX },
        { "period", drained->period, AS_COUNT },
        { "delivery", drained->nmi, AS_DELIVERY },
        { "freeze", drained->freezes, AS_COUNT },
    };

    memcpy(out, all, sizeof(all));
}

static char *setting_text(const struct logged_setting *setting)
{
    const unsigned long long value = setting->value;

    if (setting->written == AS_DELIVERY)
        return format_text("%s", value ? "nmi" : "fixed");
    return format_text(setting->written == AS_HEX ? "0x%llx" : "%llu", value);
}

static char *other_than(const struct logged_setting *got, const struct logged_setting *want,
                        size_t line)
{
    char *is = setting_text(got), *was = setting_text(want);
    char *why = format_text("%s is another one than in line %zu: got %s, want %s",
                            got->name, line, is, was);

    free(is);
    free(was);
    return why;
}

/* The first run that differs from this one in its workload alone; or this one. */
static const struct run *first_like(const struct log *log, const struct run *run)
{
    const struct run *first = log->runs;

    while (first < run &&
           (first->skipped || first->method != run->method ||
            first->filter != run->filter || first->processor != run->processor))
        first++;
    return first;
}

static char *other_setting(const struct log *log, const struct run *run)
{
    const struct run *first = first_like(log, run);
    size_t count = log->by_command ? OF_BOOT : SETTINGS;
    struct logged_setting got[SETTINGS], want[SETTINGS];

    settings_of(got, run);
    settings_of(want, first);
    for (size_t i = 0; i < count; i++)
        if (got[i].value != want[i].value)
            return other_than(&got[i], &want[i], first->line);
    return NULL;
}

/* True if the APIC, in the mode that the log tells, gives this run what it needs. */
static bool apic_serves(const struct log *log, const struct run *run)
{
    uint32_t flags = run->workload->own->flags;

    if (!log->apic_line)
        return true;
    return !(method_is_interrupted(run->method) && log->apic == APIC_OFF) &&
           !(flags & WORKLOAD_APIC && log->apic != APIC_X) &&
           !(flags & WORKLOAD_X2APIC && log->apic != APIC_X2);
}

/* A run cannot have been made without a facility it needs. */
static char *made_although(const struct log *log, const struct run *run)
{
    const struct avoided *avoided = avoided_run(log, run);
    const char *denied =
        run->method->counted
            ? pmu_lacks_number(&log->cpu.id, run->drained.event, run->drained.umask)
            : NULL;

    if (avoided)
        return format_text("made, although line %zu says that it is not tried",
                           avoided->line);
    if (!apic_serves(log, run))
        return format_text("made, although the APIC is %s by line %zu",
                           apic_modes[log->apic], log->apic_line);
    if (run->drained.freezes && log->cpu.facilities[FACILITY_FREEZE].probe_result != WORKS)
        return format_text("freeze=1, although the facility freeze is not said to work");
    return denied ? format_text("made, although %s", denied) : NULL;
}

char *run_cannot_be(const struct log *log, const struct run *run)
{
    char *why = wrong_capacity(log, run);

    if (!why)
        why = wrong_words(log, run);
    if (!why)
        why = other_setting(log, run);
    return why ? why : made_although(log, run);
}

/* Every debug exception makes a record or is counted as lost; some methods take none. */
static char *wrong_events(const struct run *run)
{
    if (run->method->blind_handlers && run->events != run->records + run->lost)
        return format_text("%llu debug events, but %llu records and %llu lost",
                           (unsigned long long)run->events,
                           (unsigned long long)run->records, (unsigned long long)run->lost);
    if (!run->method->blind_handlers && !method_is_interrupted(run->method) && run->events)
        return format_text("events=%llu, want 0: nothing interrupts this method",
                           (unsigned long long)run->events);
    return NULL;
}

/* The option `cost=` is one for all runs; where several processors run it does nothing. */
static char *wrong_repeats(const struct log *log, const struct run *run)
{
    const struct run *first = log->runs;

    while (first < run && (first->skipped || first->outcome != ENDED))
        first++;
    if (first->repeats.asked == run->repeats.asked)
        return NULL;
    return format_text("made %llu times by the line \"cost\", want %llu as in line %zu",
                       (unsigned long long)run->repeats.asked,
                       (unsigned long long)first->repeats.asked, first->end_line);
}

/* Derived: a difference that large is of a TSC that went backwards, or is made up. */
#define TICKS_MAX (1ull << 56)

static char *endless(const struct run *run)
{
    uint64_t most = run->repeats.line ? run->repeats.most : run->ticks;

    if (most < TICKS_MAX)
        return NULL;
    return format_text("%llu ticks cannot be: the TSC reaches 2^56 in 83 days at 10 GHz",
                       (unsigned long long)most);
}

char *ran_cannot_be(const struct log *log, const struct run *run)
{
    char *why = wrong_events(run);

    if (!why)
        why = endless(run);
    if (!why)
        why = debug_status_cannot_be(run);
    return why ? why : wrong_repeats(log, run);
}

/*
 * Time.  No clock is more than a few times that of the TSC (derived); the bound is wide,
 * because a hypervisor may scale the TSC.  An exception or an interrupt takes more than a
 * tick.
 */
#define CLOCKS_A_TICK 16
#define INSNS_A_TICK  (CLOCKS_A_TICK * INSNS_A_CLOCK)

/* How much of each workload ran, as the passing runs have shown. */
static uint64_t *shown_of_all(const struct log *log)
{
    uint64_t *shown = zeroed(log->workload_count, sizeof(*shown));

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];
        uint64_t *most = &shown[run->workload->number];

        if (run->judged && !run->skipped && run->verdict == PASS && run->records > *most)
            *most = run->records;
    }
    return shown;
}

static char *wrong_time(const struct run *run, uint64_t shown)
{
    uint64_t ticks = run->repeats.line ? run->repeats.least : run->ticks;
    uint64_t least = shown / INSNS_A_TICK + 1;

    if (run->events > least)
        least = run->events;
    return ticks >= least
               ? NULL
               : format_text("%llu ticks cannot be: %llu events and %llu records of what "
                             "ran take %llu at the very least",
                             (unsigned long long)ticks, (unsigned long long)run->events,
                             (unsigned long long)shown, (unsigned long long)least);
}

static void judge_time_of(struct run *run, uint64_t shown)
{
    char *why = NULL;

    if (run->judged && !run->skipped && run->end_line && run->outcome == ENDED &&
        run->verdict <= MEASURED)
        why = wrong_time(run, shown);
    if (why)
        run_found(run, ERROR, run->repeats.line ? run->repeats.line : run->end_line, why);
}

void judge_time(struct log *log, const struct run *only)
{
    uint64_t *shown = shown_of_all(log);

    for (size_t i = 0; i < log->run_count; i++)
        if (!only || only == &log->runs[i])
            judge_time_of(&log->runs[i], shown[log->runs[i].workload->number]);
    free(shown);
}
