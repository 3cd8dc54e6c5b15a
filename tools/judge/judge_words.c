/*
 * What cannot be, whatever the records are: a run on hardware that this program does not
 * know, debug exceptions that left no record, and time that a run cannot take.
 */
#include "judge_parts.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"

char *run_cannot_be(const struct run *run)
{
    if ((run->method->ring_lbr && (!run->cpu->row || run->cpu->lbr_depth == 0)) ||
        (run->method->last_event && (!run->cpu->row || !run->cpu->row->ler_from)))
        return format_text("made, although where this model has its records is not known");
    return NULL;
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

char *ran_cannot_be(const struct run *run)
{
    char *why = wrong_events(run);

    if (!why)
        why = endless(run);
    return why ? why : debug_status_cannot_be(run);
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
