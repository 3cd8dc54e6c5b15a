/*
 * The kernel's methods that Linux also offers a process, each with the facility that it
 * needs, which is tried.
 */
#pragma once

#include <stddef.h>

#include "attempt.h"
#include "facility.h"
#include "method_facts.h"
#include "model.h"

struct tracer {
    const char *method;
    enum facility facility;
    void (*record)(struct attempt *, const struct traced_code *);
    bool forks;         /* `record` makes its own process    */
    int paranoid;       /* the highest kernel.perf_event_paranoid that permits it to all */
    const char *source; /* the interface of Linux                                        */
};
#define TRACERS 4
extern const struct tracer tracers[TRACERS];

#define EVIDENCE_SIZE 160
struct tried {
    enum probe_result result;
    char evidence[EVIDENCE_SIZE]; /* a sentence */
};

/*
 * Makes the attempt, and repeats it as long as Linux interrupts it, up to a limit.  Returns
 * how often it was repeated.
 */
size_t tracer_attempt(const struct tracer *, struct attempt *, const struct traced_code *);

/* Tries the facility by its effect.  `depth`: of the model's LBR stack, 0: not known. */
void tracer_try(const struct tracer *, struct attempt *, const struct model *, size_t depth,
                struct tried *);

/* refusal.c: says why Linux refused the attempt: DENIED, with what permits it, or ABSENT.
 */
void tracer_refused(const struct tracer *, const struct attempt *, struct tried *);
