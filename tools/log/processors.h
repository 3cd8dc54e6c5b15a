/*
 * A log of several processors, as the log of one of them.
 */
#pragma once

#include <stddef.h>

#include "parsed.h"

/* The processor that the run's is like: an earlier one, or itself. */
size_t processor_kind(const struct log *, const struct run *);
size_t processors_of(const struct log *); /* that each round has a run of: 1 at least */
const struct cpu_part *cpu_of(const struct log *, size_t processor);
struct log log_of_processor(const struct log *, size_t processor);
void log_take_back(struct log *, const struct log *of_processor); /* what was found */

/* The runs of a round that began and ended, from its first one on. */
size_t runs_made_in_round(const struct log *, size_t first);
