/*
 * A run is hit if an SMI or a stray NMI struck it.  Either may add records or take a debug
 * trap away, so a difference in such a run is measured: the recorder need not be at fault.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A run that is hit, or may have been, is made again until it was made this many times. */
#define RUN_TRIES_MAX 4

static inline bool hit_by_any(uint64_t smis, uint64_t nmis)
{
    return smis || nmis;
}
