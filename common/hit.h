/*
 * A run that was hit: by an SMI, or by an NMI that nobody waited for.  Either may leave
 * records, or take a debug trap away, so a run that ended is no failure of what recorded
 * it: a difference in it is measured.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline bool hit_by_any(uint64_t smis, uint64_t nmis)
{
    return smis || nmis;
}
