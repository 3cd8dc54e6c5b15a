/*
 * The length of any instruction of the general and SSE sets, for a listing of code: bytes,
 * and in words only what branches (decode.h).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "workload.h"

/*
 * The length in bytes of the instruction at code[0], which runs as the part says;
 * `capacity` bytes may be read.  0: it is not known here (VEX, EVEX, XOP, 3DNow!), or
 * `capacity` ends before it does.  An instruction that would raise #UD may have a length,
 * too.
 */
uint8_t insn_length(const struct part *, const uint8_t *code, size_t capacity);
