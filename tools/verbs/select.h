/*
 * Which runs of a log a verb looks at: one of each workload, and unless somebody names a
 * method, the one that shows most of what ran.
 */
#pragma once

#include "options.h"
#include "parsed.h"

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

/* The options by which a verb takes these, for its row. */
#define SELECT_OPTIONS                                                                    \
    { .name = "method", .value = "METHOD", .about = "only runs by that method" },         \
        { .name = "workload", .value = "WORKLOADS", .about = "only these workloads" },    \
    {                                                                                     \
        .name = "run", .value = "N", .about = "the run of that number, which `cat` shows" \
    }

bool selection_given(struct selection *, const struct given *); /* false: said why not */
bool selection_has(const struct selection *, const struct run *);

/*
 * The log that is the first operand, and its runs by these options, as select_runs() gives
 * them: run_usable() judges each when its turn comes.  0: it is unusable or has none, and
 * why was said.  The log is to be freed either way.
 */
size_t select_given(const struct given *, struct log *, const struct run ***out);

/*
 * On standard error, for what has no place for a heading: that the run is not as expected,
 * if it is not.
 */
void select_doubt(const struct log *, const struct run *);

/* A line that says which run it is, for what follows; with a line between two of them. */
void select_heading(const struct log *, const struct run *, bool first);
