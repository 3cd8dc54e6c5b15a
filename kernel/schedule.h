/*
 * The order of a plan's runs: on one processor run after run, on several round after round.
 */
#pragma once

#include "plan.h"
#include "session.h"

/* Makes all runs of the plan, workload by workload, as often as it says. */
void schedule_run(struct session *, const struct plan_request *);
