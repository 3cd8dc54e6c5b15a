/* DR6 and DR7, and what DR6 held at the debug exceptions of a run. */
#pragma once

#include <stdint.h>

#include "lines.h"

struct debug_registers {
    uint64_t status, control; /* DR6 and DR7 */
};
struct debug_registers debug_registers_read(void);
void debug_registers_write(const struct debug_registers *);

/* No breakpoint is on, and nothing has happened. */
void debug_registers_clear(void);

/* Begins a run: nothing has happened, and nothing is noted. */
void debug_registers_begin(void);

/*
 * In a handler of #DB: notes DR6, and resets it.  Each #DB writes B0 to B3 anew, but never
 * clears another bit, so without the reset what the next #DB sets cannot be seen (SDM vol.
 * 3B, "Debug Status Register (DR6)").
 */
uint64_t debug_registers_take(void);

/* After a run whose handlers left DR6 as it was: notes what all of them left together. */
void debug_registers_take_all(void);

/* What was noted since the beginning of the run. */
struct debug_status debug_registers_noted(void);
