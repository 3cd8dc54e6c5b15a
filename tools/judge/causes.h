/*
 * Groups what is not as expected by its cause, for the reports.
 *
 * Runs of a workload have one cause if the same difference from the expected trace comes
 * first in each: the same record recorded instead of the same expected one.  Runs that fail
 * without such a record have one cause if the same sentence says why.
 */
#pragma once

#include <stddef.h>

#include "parsed.h"

struct cause {
    enum verdict verdict;
    const struct run **runs; /* in the order of the log; none: it is of no run */
    size_t run_count, run_capacity;

    /* Methods that passed on the workload and recorded what these runs did not. */
    const struct method_facts *right[METHODS_MAX];
    size_t right_count;

    /* What is of no run: a facility, or methods that pass and contradict each other. */
    const struct complaint **complaints;
    size_t complaint_count, complaint_capacity;

    bool is_divided; /* two of its runs contradict each other after that difference */

    /* All methods that recorded the workload to its end recorded the same. */
    bool is_unanimous;
};

struct causes {
    struct cause *at; /* facilities, then runs, then methods that contradict each other */
    size_t count, capacity;
};

void causes_of(struct causes *, const struct log *); /* judged */
void causes_free(struct causes *);

/* Lists the methods of its runs, each once, and returns how many they are. */
size_t cause_methods(const struct cause *, const struct method_facts *out[METHODS_MAX]);

/* Counts the failures of a log that are of no run. */
size_t failures_of_no_run(const struct causes *);
