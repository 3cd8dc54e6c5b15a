/*
 * The processor that recorded, and the filter: from `perf script --header` and options.
 */
#pragma once

#include "audit.h"

/* "GenuineIntel,6,85,4": vendor, family, model, stepping; unknown ones are no error. */
void header_cpuid(struct audit *, struct span);

/* An event's attributes: branch_sample_type, exclude_kernel, exclude_user. */
void header_event(struct audit *, struct span);

/* "any,u": as perf record -j takes it.  False: a word is unknown, and is in *wrong. */
bool header_branch_filter(struct audit *, const char *list, struct span *wrong);
