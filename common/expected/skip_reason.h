/*
 * What a method does not run, and why: one rule that kernel and host share.
 */
#pragma once

#include "method_facts.h"
#include "model.h"
#include "skip_code.h"
#include "workload.h"

/*
 * Finds whether a stack of this depth can be emptied in time while this workload runs: no
 * counter counts exceptions, so several in a row can fill it.
 */
enum skip_code skip_reason_depth(const struct method_facts *, const struct workload *,
                                 uint64_t depth);

/*
 * True if a stack of this depth holds one branch, the branches that run before the
 * interrupt comes (at most `skid`), and the interrupt's own two records.  If not,
 * lbr-stream has gaps.
 */
bool stream_fits(uint64_t depth, uint64_t skid);

/*
 * The period in branches with which lbr-stream asks for that interrupt: short enough to
 * leave room for exceptions as well, if the depth allows it; or, if the stack freezes at
 * the overflow, as long as the stack is deep.
 */
uint64_t stream_period(uint64_t depth, uint64_t skid, bool freezes);

/*
 * Why this method does not run this workload, whatever the hardware has.  `at` is where the
 * workload lies; model NULL: unknown; `gets_wrong`: the platform's (WORKLOAD_...).
 */
enum skip_code skip_reason_for(const struct method_facts *, const struct model *,
                               const struct workload *, uint64_t at, uint32_t gets_wrong);

/*
 * Why a buffer of that size cannot be emptied at this threshold, with this filter.  The
 * threshold must be short of the buffer's end (SDM vol. 3B, "BTS and DS Save Area"), where
 * what precedes the interrupt, and its entry, would find no room.
 */
enum skip_code skip_reason_buffer(uint64_t buffer, uint64_t threshold, uint32_t filter);

/* Why a method whose own interrupts are NMIs does not run this workload. */
enum skip_code skip_reason_by_nmi(const struct workload *);
