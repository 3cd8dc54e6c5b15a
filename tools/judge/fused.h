/*
 * Records whose FROM is an instruction a few bytes before their branch.
 */
#pragma once

#include <stdint.h>

#include "parsed.h"

/* Judges the rule lbr-fused-same in the records of this run and of those judged before. */
void judge_fused(const struct log *, struct run *);
