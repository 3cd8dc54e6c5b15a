/*
 * Selects the runs of a log that a verb shows: one of each workload, by the method that
 * shows most unless the user names one.
 */
#pragma once

#include "options.h"
#include "parsed.h"

struct selection {
    const char *method;    /* NULL: the one that shows most */
    const char *workloads; /* names separated by commas; NULL: all */
    size_t run;            /* the run of that number, 0: any      */
    bool passed;           /* only runs that passed               */
};

/*
 * Puts the runs into *out, in the order of the plan, for the caller to free.  Returns how
 * many; 0 after printing why.
 */
size_t select_runs(const struct log *, const struct selection *, const struct run ***out);

/* The options by which a verb takes these, for its row. */
#define SELECT_OPTIONS                                                                    \
    { .name = "method", .value = "METHOD", .about = "only runs by that method" },         \
        { .name = "workload", .value = "WORKLOADS", .about = "only these workloads" },    \
    {                                                                                     \
        .name = "run", .value = "N", .about = "the run of that number, which `cat` shows" \
    }

bool selection_given(struct selection *,
                     const struct given *); /* false after printing why */
/* True if the log has runs of all workloads of a list with commas; else says which it has.
 */
bool select_workloads_known(const struct log *, const char *names);

bool selection_has(const struct selection *, const struct run *);

/*
 * Reads the log that is the first operand, and selects its runs by these options;
 * run_usable() judges each when its turn comes.  Returns 0 after printing why.  The log
 * is to be freed either way.
 */
size_t select_given(const struct given *, struct log *, const struct run ***out);

/*
 * Warns on standard error if the run is not as expected, for output that has no heading.
 */
void select_doubt(const struct log *, const struct run *);

/* Prints a heading that names the run, after an empty line unless it is the first. */
void select_heading(const struct log *, const struct run *, bool first);
