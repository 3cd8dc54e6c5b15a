/*
 * One line of branches that were added up: BOLT's pre-aggregated profile.
 *
 *      B 4b196f 4b19e0 2 0        FROM, TO, how often, how often mispredicted
 *      F 41be50 41be50 3          straight code: first instruction, last, how often
 *      T 4b196f 4b19e0 4b19ef 2   both: FROM, TO, the next branch, how often
 *
 * Addresses are those of the file, in hex, perhaps after a build-id and a colon.
 * Source: LLVM, bolt/include/bolt/Profile/DataAggregator.h.
 */
#pragma once

#include "entry_line.h"

enum preagg_kind {
    PREAGG_NOTHING,  /* blank, a comment, or a line without a branch (S, E) */
    PREAGG_BRANCH,   /* `branch`                                            */
    PREAGG_STRAIGHT, /* branch.to to `next`                                 */
    PREAGG_BOTH,
    PREAGG_WRONG,
};

struct preagg {
    struct traced_branch branch;
    uint64_t next; /* where straight code ends: the first byte of the next branch */
    const char *wrong, *wrong_at;
};

enum preagg_kind preagg_read(struct preagg *, const char *at, const char *end);
