/*
 * Which runs are to be made: every method of one list with every workload of another,
 * and every filter of a third one: workload by workload, in these filter by filter; and all
 * that so many times.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "session.h"

struct plan {
    const char *methods, *workloads; /* "a,b"; empty: all */
    uint32_t times;
    const char *filters; /* as filter_nth has it; empty: without */
};

size_t plan_workloads(const struct plan *);
size_t plan_methods(const struct plan *);
size_t plan_runs(const struct plan *);

/*
 * Its workloads as they lie in memory, but for those that the log has already; and before
 * the first of them all that came from the stick.
 */
void plan_emit_workloads(struct session *, const struct plan *);

/* The plan itself, which has a run at least. */
void plan_emit(const struct plan *, size_t processors);

/*
 * One run of it, both counted from 0 as the plan has them: the workload, and of those that
 * a workload has, method by method within filter by filter, this one.
 */
struct slot {
    const struct method *method;
    const struct workload *workload;
    uint32_t filter;
};
struct slot plan_slot(const struct plan *, size_t run, size_t workload);
