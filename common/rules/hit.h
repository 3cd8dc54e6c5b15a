/*
 * A run is hit if an SMI or a stray NMI struck it.  Either may add records or take a debug
 * trap away, so a difference in such a run is measured: the recorder need not be at fault.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline bool hit_by_any(uint64_t smis, uint64_t nmis)
{
    return smis || nmis;
}
