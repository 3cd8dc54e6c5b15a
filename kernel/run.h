/* One run of the plan: arm, window, drain, disarm, emit. */
#pragma once

#include "emit.h"
#include "hit.h"
#include "intrusion.h"
#include "method.h"
#include "session.h"
#include "workload.h"

/* The next run, by number: made or skipped. */
void run_or_skip(struct session *, const struct method *, const struct workload *);

/* The parts of a run, for runs on several processors: `worker` is the one that makes it. */

/* True if an SMI, a stray NMI or an overflow of packets hit the run. */
bool run_was_hit(const struct run_result *);

/* Notes the n-th try, and returns true if the run should be made again for what it did. */
bool run_try_differs(const struct worker *, const struct run_request *,
                     const struct run_result *, uint32_t n, struct run_tries *);

/*
 * Saves the log where the next boot must know how far this one came: before the first run
 * by each method, and, with NULL, before all that follows without another save.
 */
void run_save_before(struct session *, const char *subject);

/* True for the first run by this method; marks it as made. */
bool run_method_is_new(struct session *, const struct method *);

/* The run, which has no number yet. */
struct run_request run_describe(const struct session *, const struct worker *,
                                const struct method *, const struct workload *);
/* Why it is skipped, or SKIP_NOTHING. */
struct skip_reason run_skip_reason(struct session *, const struct worker *,
                                   const struct method *, const struct workload *);
struct run_result run_make(const struct worker *, const struct method *,
                           const struct workload *);
void run_emit(struct session *, const struct run_request *, const struct run_result *,
              const struct run_tries *, const struct branch *records);
void run_skip(struct session *, const struct run_request *, const struct skip_reason *);
