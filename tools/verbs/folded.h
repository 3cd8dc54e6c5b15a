/*
 * The records of a run as lines, folded in one way.
 */
#pragma once

#include "parsed.h"

/* On standard output, up to the first that cannot be unpacked: see records_hold(). */
void folded_print(const struct log *, const struct log_map *, const struct run *);
