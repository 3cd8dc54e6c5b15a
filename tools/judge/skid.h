/*
 * The skid: how late the interrupts of a counter, or of BTS, may come.
 *
 * No manual gives a bound.  The authors of rr met 100 conditional branches and more on
 * Intel, and 10,000 and more on Zen (rr, src/PerfCounters_x86.h).  So each log holds what
 * the probe measured on its machine.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "parsed.h"

/* True if the log has that; older logs do not. */
bool skid_is_known(const struct run *);

/*
 * True on an emulator on which the probe's interrupts were never late: then none may be. If
 * those of BTS are late and a counter's are not, the emulator has BTS wrong.
 */
bool skid_is_none(const struct run *);

/*
 * Returns the largest skid, in events of the counter or records of BTS; UINT64_MAX if the
 * probe gave no bound.
 */
uint64_t skid_bound(const struct run *);
