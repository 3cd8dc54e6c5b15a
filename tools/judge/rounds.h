/*
 * How often a repeated string instruction stops under TF, by the count that an instruction
 * before it loaded as a number.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "log_run.h"
#include "parsed.h"
#include "workload.h"

/* The effect of an instruction on RCX, and whether it repeats by RCX. */
struct counts {
    enum { KEEPS, SETS, CHANGES } does;
    uint64_t value; /* SETS */
    bool repeats, until_flag, by_ecx;
    bool io; /* INS or OUTS */
};
struct counts counts_of(const struct workload *, uint64_t offset);

/* True if such an instruction makes all its iterations one by one: no flag ends it, and no
 * hypervisor performs it. */
bool counts_are_all(const struct counts *);

/*
 * Returns how many iterations the run's instructions of that kind make at least, where
 * their RCX is known: the last of an instruction leads nowhere, so it need not be a branch.
 */
uint64_t iterations_least(const struct log *, const struct run *);

/* From stop to stop; zero at first. */
struct rounds {
    bool known;
    uint64_t count;       /* RCX, if known */
    uint64_t stops;       /* at the repeated instruction that is running */
    uint64_t ended_early; /* REPE and REPNE that stopped fewer times than their count */
    uint64_t may_lose; /* stops, by the rules step-in-guest and those of hits            */
    uint64_t lost;     /* those that it lost */
    const char *fewer; /* the rule by which an instruction stopped fewer times, or NULL  */
    const struct run *run;
};

/* Moves past one stop; `again`: the next is at the same place.  NULL, or what is wrong. */
char *rounds_after(struct rounds *, const struct counts *, bool again);
/* Notes that these stops are missing; false: no rule accounts for as many. */
bool rounds_lose(struct rounds *, uint64_t stops);
void rounds_lost(struct rounds *); /* something else ran in between */
