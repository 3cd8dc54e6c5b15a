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
#include "refusal.h"

struct tracer {
    const char *method;
    enum facility facility;
    void (*record)(struct attempt *, const struct traced_code *);
    bool forks;         /* `record` makes its own process    */
    int paranoid;       /* as for refusal_of()               */
    const char *source; /* the interface of Linux             */
};
#define TRACERS 4
extern const struct tracer tracers[TRACERS];

struct tried {
    enum probe_result result;
    char evidence[REFUSAL_SIZE];
};

/*
 * Makes the attempt, and repeats it as long as Linux interrupts it, up to a limit.  Returns
 * how often it was repeated.
 */
size_t tracer_attempt(const struct tracer *, struct attempt *, const struct traced_code *);

/* Tries the facility by its effect.  `depth`: of the model's LBR stack, 0: not known. */
void tracer_try(const struct tracer *, struct attempt *, const struct model *, size_t depth,
                struct tried *);
