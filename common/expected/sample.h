/*
 * Compares where a counter's interrupts struck with the expected trace.
 *
 * For each interrupt the counter tells how many events came after the one that overflowed
 * it.  So the transfer after which it struck is known, and it must have struck in the
 * straight line from there to the next transfer.  If the expected trace cannot count the
 * event, each stop need only be on the path of the trace, after the stop before it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "check.h"
#include "pmu.h"
#include "visible.h"

/* What the counter counted. */
struct sampling {
    uint32_t counts; /* COUNTS(...), as of a struct pmu_event */
    uint32_t unsure; /* these may count or not: either is right        */
    bool countable;  /* an expected trace can count the event */
    bool prompt;     /* an interrupt with skid 0 strikes at once */
    uint64_t period;
    uint64_t foreign; /* how many counted elsewhere, in handlers of what hit the run */
};
struct sampling sampling_of(const struct pmu_event *, uint64_t period); /* NULL: unknown */

/* The first stop that is elsewhere, if any. */
struct sample_result {
    bool wrong;
    uint64_t index; /* of the stop, from 0                                 */
    uint64_t got;   /* where it was                                        */
    bool ended;     /* the expected trace had ended                                 */
    struct transfer after; /* else it should be in the line after this one         */
    uint64_t number;       /* the number of that transfer, of those counted, from 1 */
    uint64_t transfers; /* how many counting transfers the expected trace has           */
    uint64_t used;      /* how many of them come before the last stop           */
};
struct sample_result sample_check(const struct branch *stops, size_t count,
                                  struct source *expected, const struct sampling *);

/*
 * Returns how many events more the counter has than the expected trace, if an expected
 * trace can count them and these are not more than `most`; else 0.
 */
uint64_t sample_foreign(struct source *expected, const struct sampling *, uint64_t counted,
                        uint64_t most);

/*
 * True if an interrupt is missing after the last stop: a whole period is left there, and
 * each interrupt made a stop.  An interrupt after the return makes none.
 */
bool sample_lacks_last(const struct sample_result *, const struct sampling *,
                       uint64_t stops, uint64_t interrupts);

/* The transfers of an expected trace at which the counter overflows. */
struct sampled {
    struct source source, *of;
    struct sampling how;
    uint64_t seen;
};
void sampled_of(struct sampled *, struct source *expected, const struct sampling *);
