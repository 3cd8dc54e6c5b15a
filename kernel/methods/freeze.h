/* Freezing by the performance-monitoring interrupt: DEBUGCTL bits 11 and 12. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"
#include "window.h"

/*
 * True if GLOBAL_STATUS says when the stack is frozen: from version 4 of performance
 * monitoring on, and on AMD.  Older processors clear DEBUGCTL.LBR instead, as a #DB does.
 */
bool freeze_is_documented(const struct cpu *);

/* If freeze_is_documented(): asks whether the stack is frozen, and lets recording go on.
 * LBR should be off. */
bool freeze_is_on(const struct cpu *);
void freeze_thaw(const struct cpu *);

/* The status register that says so, if there is one. */
uint32_t freeze_status(const struct cpu *);

/*
 * Call it after lbr_stack_prepare().  It adds these bits of DEBUGCTL to what turns
 * recording on, if the window writes DEBUGCTL, and else sets them at once.
 * lbr_stack_restore() clears them.  False: they raise #GP.
 */
bool freeze_add(struct enable *, uint64_t bits);
