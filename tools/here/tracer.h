/*
 * The kernel's methods that Linux also offers a process, each with the facility that it
 * needs, which is tried.
 */
#pragma once

#include <stddef.h>

#include "attempt.h"
#include "facility.h"
#include "method_facts.h"
#include "own_machine.h"

struct tracer {
    const char *method;
    enum facility facility;
    void (*record)(struct attempt *, const struct traced_code *);
    bool forks;         /* `record` makes its own process    */
    bool by_msr;        /* `record` reads registers of the processor */
    int paranoid;       /* the highest kernel.perf_event_paranoid that permits it to all */
    const char *source; /* the interface of Linux                                        */
};
/* Fills `out` with the tracers of a run, and returns their number; by_msr: with those that
 * read the processor's registers. */
#define TRACERS_MAX 6
size_t tracers(bool by_msr, const struct tracer *out[TRACERS_MAX]);

#define EVIDENCE_SIZE 160
struct tried {
    enum probe_result result;
    uint32_t deviations;          /* of one that deviates: deviation.h */
    char evidence[EVIDENCE_SIZE]; /* a sentence */
};

/*
 * Makes the attempt, and repeats it as long as Linux interrupts it, up to a limit.  Returns
 * how often it was repeated.
 */
size_t tracer_attempt(const struct tracer *, struct attempt *, const struct traced_code *);

/* Tries the facility by its effect. */
void tracer_try(const struct tracer *, struct attempt *, const struct own_machine *,
                struct tried *);

/* refusal.c: says why Linux refused the attempt: DENIED, with what permits it, or ABSENT.
 */
void tracer_refused(const struct tracer *, const struct attempt *,
                    const struct own_machine *, struct tried *);
