/*
 * The records of a run as lines, folded in one way.
 */
#pragma once

#include "parsed.h"

/* As they come, on standard output.  False: some cannot be unpacked, see unfold_holds(). */
bool folded_print(const struct log *, const struct log_map *, const struct run *);
