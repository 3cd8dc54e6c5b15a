/*
 * The end of a run, in words for a person.
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "count_of.h"
#include "heap.h"

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
    char *place, *why;

    switch (run->outcome) {
    case GONE:
        return format_text("the processor did not come back, so nothing is known of it");
    case CRASHED:
        place = place_text(&map, run->crashed_at, LOG_TO);
        why = format_text("crashed: %s (vector %llu) at %s, after %llu records",
                          vector_name(run->vector), (unsigned long long)run->vector, place,
                          (unsigned long long)run->records);
        free(place);
        return why;
    case BUDGET:
        return format_text("stopped: too many events to record, after %llu records",
                           (unsigned long long)run->records);
    case LIVELOCK:
        return format_text("stopped: a livelock: interrupts with no branch of the workload "
                           "between them, at a %s of %llu, after %llu records",
                           run->method->counter_driven ? "period" : "threshold",
                           (unsigned long long)(run->method->counter_driven
                                                    ? run->drained.period
                                                    : run->drained.threshold),
                           (unsigned long long)run->records);
    default:
        return format_text("stopped: it did not end in time, after %llu records",
                           (unsigned long long)run->records);
    }
}
