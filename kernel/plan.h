/*
 * The plan: every method of one list runs every workload of another with every filter of a
 * third one.  The order is workload by workload, in each filter by filter, in each method
 * by method; and all that is done `times` times.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "session.h"

struct plan_request {
    const char *methods, *workloads; /* "a,b"; empty: all */
    uint32_t times;
    const char *filters; /* as filter_nth has it; empty: without */
};

size_t plan_workloads(const struct plan_request *);
size_t plan_methods(const struct plan_request *);
size_t plan_runs(const struct plan_request *);

/*
 * Logs the plan's workloads as they are in memory, except those that the log already has;
 * before the first of them, all that came from the stick.
 */
void plan_emit_workloads(struct session *, const struct plan_request *);

/* Logs the plan, which has at least one run. */
void plan_emit(const struct plan_request *, size_t processors);

/* A place in the plan: run number `run` of workload number `workload`, both from 0. */
struct slot {
    const struct method *method;
    const struct workload *workload;
    uint32_t filter;
};
struct slot plan_slot(const struct plan_request *, size_t run, size_t workload);
