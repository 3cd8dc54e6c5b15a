/*
 * One instruction as text, in the manual's order of operands, with names for where it
 * branches to.
 */
#pragma once

#include "symbols.h"

#define DISASM_MAX 128

/*
 * The instruction at an offset in a workload that lay at that address, as it runs there;
 * `symbols` may be NULL.  What is no instruction is given as its first byte: "db 0x0f".
 */
void disasm(char out[DISASM_MAX], const struct workload *, uint64_t offset, uint64_t at,
            const struct symbols *);
