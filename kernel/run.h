/* One run of the plan: arm, window, drain, disarm, emit. */
#pragma once

#include "method.h"
#include "session.h"
#include "workload.h"

/* The next run, by number: made, or skipped with the reason. */
void run_or_skip(struct session *, const struct method *, const struct workload *);
