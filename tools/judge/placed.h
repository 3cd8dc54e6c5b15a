/*
 * Records that only a rule accounts for lie where their branches were made, and are no more
 * than these.
 */
#pragma once

#include "beyond.h"

/* A record for which a rule accounts, at these indices of the two sides. */
struct excused {
    uint64_t got, want;
    const struct rule *rule;
    bool is_extra; /* the other side lacks it; else one end differs */
};

/*
 * Returns the first of those that were found to be where, or as often as, the workload did
 * not make their branches, or with others of a rule about all, which are missing; NULL:
 * none. All other records of `got` are right.  rule_run: of `got`, with its events.
 */
const struct excused *find_misplaced(const struct compared *got,
                                     const struct compared *want, const struct rule_run *,
                                     const struct excused *, size_t count);

/* True if a hit or a VM entry may have taken any stop of the run away. */
bool may_lose_stops(const struct run *);

/* A transfer of this side as addresses.  A stop after every instruction says where it is,
 * and no more. */
struct transfer compared_addresses(const struct compared *, const struct transfer *);
