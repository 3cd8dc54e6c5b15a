/*
 * An instruction as text, as Intel writes it, with names for the addresses in it.
 */
#pragma once

#include "code.h"
#include "symbols.h"

/*
 * Formats the instruction at an offset in a workload that was loaded at `at`: "jnz .top".
 * Where there is no instruction it formats the byte: "db 0x0f".  scratch_text().
 */
char *insn_text(const struct workload *, uint64_t offset, uint64_t at,
                const struct symbols *);
