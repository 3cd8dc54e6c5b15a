/*
 * How often a repeated string instruction stops under TF: by the count that the code has
 * put into its register, where an instruction says it as a number.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "workload.h"

/* What an instruction does to RCX, and whether it repeats by that. */
struct counts {
    enum { KEEPS, SETS, CHANGES } does;
    uint64_t value; /* SETS */
    bool repeats, until_flag, by_ecx;
    bool io; /* INS or OUTS */
};
struct counts counts_of(const struct workload *, uint64_t offset);

/* From stop to stop; zero at first. */
struct rounds {
    bool known;
    uint64_t count;       /* RCX, if known */
    uint64_t stops;       /* at the repeated instruction that is running */
    uint64_t ended_early; /* REPE and REPNE that stopped fewer times than their count */
    bool io_at_once;      /* the platform may run many rounds of INS and OUTS as one */
};

/* It runs, and the next stop is at the same place, or not; NULL, or what does not fit. */
char *rounds_after(struct rounds *, const struct counts *, bool again);
void rounds_lost(struct rounds *); /* something else ran in between */
