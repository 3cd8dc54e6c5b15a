/*
 * Where a counter's interrupts struck, held against the expected trace.
 *
 * The counter says of each how many events came behind the one that overflowed it, so it
 * is known behind which transfer of the expected trace each must lie, and that it lies in
 * the straight line from there to the next one.  Of an event that the expected trace cannot
 * count, all that is known is that each stop lies on the expected trace's way, one behind
 * the other.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "check.h"
#include "pmu.h"
#include "visible.h"

/* What was counted. */
struct sampling {
    uint32_t counts; /* COUNTS(...), as of a struct pmu_event */
    uint32_t unsure; /* ...and these perhaps: then either may be right */
    bool loaded;     /* ...and nothing else: the expected trace can be counted */
    bool prompt;     /* one that is not late in what counts struck at once */
    uint64_t period;
};
struct sampling sampling_of(const struct pmu_event *, uint64_t period); /* NULL: unknown */

/* The first stop that lies elsewhere, if any. */
struct sample_result {
    bool wrong;
    uint64_t index; /* of the stop, from 0                                 */
    uint64_t got;   /* where it was                                        */
    bool ended;     /* the expected trace had ended, or else:                       */
    struct transfer behind; /* it should be in the line behind this one            */
    uint64_t number;        /* ...which is so many transfers counted, from 1       */
    uint64_t transfers; /* that the expected trace has, of those that count             */
    uint64_t used;      /* ...of which so many were counted up to the last stop */
};
struct sample_result sample_check(struct records *stops, struct source *expected,
                                  const struct sampling *);

/*
 * Whether an interrupt is missing after the last stop: a whole period is left there, and
 * each of the interrupts that came made a stop.  One that came after the return made none.
 */
bool sample_lacks_last(const struct sample_result *, const struct sampling *,
                       uint64_t stops, uint64_t interrupts);

/* Of a expected trace, the transfers at which the counter overflows. */
struct sampled {
    struct source source, *of;
    struct sampling how;
    uint64_t seen;
};
void sampled_of(struct sampled *, struct source *expected, const struct sampling *);
