/*
 * The length of any instruction of the general and SSE sets, for a listing of code in
 * bytes.  Branches are decoded by decode.h.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "workload.h"

/*
 * The length in bytes of the instruction at code[0], which runs as the part says;
 * `capacity` bytes may be read.  0: this table does not know it (VEX, EVEX, XOP, 3DNow!),
 * or it is longer than `capacity`.  An instruction that would raise #UD may have a length,
 * too.
 */
uint8_t insn_length(const struct part *, const uint8_t *code, size_t capacity);
