/*
 * The cost of each method of a log on a workload: events and ticks of the TSC, beside those
 * of the same workload with nothing turned on.
 */
#pragma once

#include "parsed.h"

struct cost {
    const struct method_facts *method;
    uint64_t runs;   /* that ended, of which... */
    uint64_t ticks;  /* the least of its runs   */
    uint64_t events; /* of the first of them: debug exceptions, or interrupts */
    bool failed;     /* one of them did not leave what it had to */
};

struct cost_table {
    const struct loaded *workload;
    uint64_t insns, branches; /* what ran, by the expected trace; insns 0: the code does not
                                 tell; branches 0: there is no expected trace            */
    struct cost methods[METHODS_MAX];
    size_t count;
};

/* Methods are in the log's order; count is 0 if no run of the workload has ended. */
void cost_of(struct cost_table *, const struct log *, const struct loaded *);

/* By the method of that name, or NULL. */
const struct cost *cost_by(const struct cost_table *, const char *method);

/* Gives the ticks above the untraced run; false if there is none or it took no less. */
bool cost_beyond(const struct cost_table *, const struct cost *, uint64_t *ticks);

/*
 * The workload that says most: of those that most methods ran, the one with the most
 * instructions that are no branches.  NULL: no run has ended.
 */
const struct loaded *cost_best(const struct log *);
