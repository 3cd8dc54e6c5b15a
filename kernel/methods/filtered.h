/* Tries whether the processor takes the filter that a run asks for. */
#pragma once

#include <stdint.h>

#include "cpu.h"
#include "visible.h"

/*
 * Why it cannot be set.  Nothing is left set.  On another processor than the calling one
 * nothing is tried.
 */
enum skip_code filtered_lacks(const struct cpu *, const struct method_facts *,
                              uint32_t filter, bool is_here);

/* BTS' bits in DEBUGCTL for it. */
uint64_t filtered_bts(const struct cpu *, uint32_t filter);

/* Processor Trace's bits in IA32_RTIT_CTL: those of the rings that are traced. */
uint64_t filtered_pt(uint32_t filter);
