/*
 * Two logs, A and B: diff_runs.c compares their runs, and verb_diff.c prints the result.
 */
#pragma once

#include "json.h"
#include "parsed.h"

enum { A, B };
extern const char diff_names[];

/* A run in the plans of both logs. */
struct both {
    const struct run *run[2];
    bool differs, measured;
    uint64_t skip[2];   /* records of the deeper stack that are not compared */
    uint64_t index[2];  /* the first record that differs, after those */
    bool shows_records; /* the difference is in the records */
    const char *what;   /* how they differ, in a sentence                    */
};

struct log_comparison {
    const struct log *log[2];
    struct both *both;
    size_t count, capacity;
    size_t same, differ, measured;
};
void diff_compare(struct log_comparison *); /* set `log` first */
void diff_free(struct log_comparison *);

/*
 * Finds the counterpart of a run of `own` in `log`: if it is the n-th run of its method
 * and workload there, the n-th here.
 */
const struct run *diff_run_like(const struct log *log, const struct log *own,
                                const struct run *run);

/*
 * diff_machines.c: prints the machines side by side.  Returns how many facilities have
 * different probe results.
 */
size_t diff_machines(const struct log *, const struct log *);
size_t diff_machines_json(struct json *, const struct log *, const struct log *);
