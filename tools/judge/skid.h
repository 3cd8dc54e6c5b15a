/*
 * How late the interrupts of a counter, or of BTS, may come.
 *
 * No manual says it (rr's src/PerfCounters_x86.h has what its authors have met: 100
 * conditional branches and more on Intel's, 10,000 and more on Zen), so each log has what
 * the probe measured on its machine.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "parsed.h"

/* Whether the log has that; older ones have not. */
bool skid_is_known(const struct log *, const struct run *);

/*
 * Whether it is an emulator on which the probe's were never late: then none may be.  Those
 * of BTS alone do not come late, but at a wrong threshold, or not all.
 */
bool skid_is_none(const struct log *, const struct run *);

/*
 * Events of the counter, or records of BTS, that one may come late as far as the probe
 * tells; UINT64_MAX: it does not.
 */
uint64_t skid_bound(const struct log *, const struct run *);
