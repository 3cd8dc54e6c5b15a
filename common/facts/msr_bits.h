/*
 * The names of the bits in a trace MSR, as the manuals have them, for a person who reads a
 * value.
 */
#pragma once

#include <stdint.h>

#include "text.h"
#include "trace_msr.h"

/*
 * Puts " (LBR BTF)" for the bits that are set; a bit without a name is "bit9".  Of
 * MISC_ENABLE only the bits about tracing are put.  Puts nothing for 0, and for a register
 * whose bits have no names here.
 */
void msr_bits_put(struct text *, const struct trace_msr_set *, uint32_t number,
                  uint64_t value);
