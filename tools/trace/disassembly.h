/*
 * An instruction in words, as Intel writes them, with names for the places it speaks of.
 */
#pragma once

#include "code.h"
#include "symbols.h"

/* "jnz .top"; NULL where code_at() finds none.  The caller's memory. */
char *insn_text(struct code *, const struct symbols *, uint64_t address);
