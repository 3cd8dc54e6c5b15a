/*
 * Two logs, A and B: diff_runs.c compares their runs, diff.c tells of it.
 */
#pragma once

#include "parsed.h"

enum { A, B };
extern const char diff_names[];

/* A run that both logs planned. */
struct both {
    const struct run *run[2];
    bool differs, measured;
    uint64_t skip[2];   /* records of the deeper ring that are not looked at */
    uint64_t index[2];  /* of the first record that differs, behind those    */
    bool shows_records; /* it is records that differ                         */
    char *what;         /* how they differ, in a sentence                    */
};

struct comparison {
    const struct log *log[2];
    struct both *both;
    size_t count, capacity;
    size_t same, differ, measured;
};
void diff_compare(struct comparison *); /* given both logs */
void diff_free(struct comparison *);

/* The n-th run by that method of that workload, as this is the n-th in its own log. */
const struct run *diff_run_like(const struct log *log, const struct log *own,
                                const struct run *run);
