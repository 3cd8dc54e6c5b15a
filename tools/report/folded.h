/*
 * Prints the records of a run, folded in a unique way.
 */
#pragma once

#include "parsed.h"

/*
 * Prints to standard output, up to the first record that cannot be unpacked:
 * records_hold().
 */
void folded_print(const struct log *, const struct log_map *, const struct run *);
