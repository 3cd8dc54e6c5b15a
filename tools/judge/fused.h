/*
 * Records whose FROM is an instruction a few bytes before their branch.
 */
#pragma once

#include <stdint.h>

#include "parsed.h"

/*
 * Returns the near branch to which straight code leads from FROM, within the length of one
 * instruction, and which can go to TO; BRANCH_UNKNOWN: there is none.  Software looks no
 * further for the branch of a fused FROM.
 */
uint64_t fused_branch(const struct workload *, uint64_t at, const struct transfer *);

/* Judges the rule lbr-fused-same in the records of this run and of those judged before. */
void judge_fused(const struct log *, struct run *);
