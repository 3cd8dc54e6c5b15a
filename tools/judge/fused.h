/*
 * Records whose FROM is an instruction a few bytes before their branch.
 */
#pragma once

#include <stdint.h>

#include "parsed.h"

/* Judges whether the records of this run, and of the runs before it, keep the rule
 * lbr-fused-same. */
void judge_fused(const struct log *, struct run *);
