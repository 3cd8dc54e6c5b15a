/*
 * Which runs of a log a verb looks at: one of each workload, and unless somebody names a
 * method, the one that shows most of what ran.
 */
#pragma once

#include "tools.h"

struct selection {
    const char *method;    /* NULL: whichever shows most          */
    const char *workloads; /* names, commas between; NULL: all    */
    size_t run;            /* the run of that number, 0: any      */
};

/*
 * The runs, in the order of the plan; *out is the caller's to free.  0: there is none,
 * and why was said on standard error.
 */
size_t select_runs(const struct log *, const struct selection *, const struct run ***out);
