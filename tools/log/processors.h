/*
 * The processors of a log, and which of them a run was on.
 */
#pragma once

#include <stddef.h>

#include "parsed.h"

size_t processors_of(const struct log *); /* that each round has a run of: 1 at least */

/* What the log says of a processor; identical ones share what it says of the first. */
const struct cpu_part *cpu_of(const struct log *, size_t processor);

const char *row_name(const struct cpu_part *); /* of its model; "unknown" without one */

/* The runs of a round that began and ended, from its first one on. */
size_t runs_made_in_round(const struct log *, size_t first);
