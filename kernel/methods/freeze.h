/* Freezing by the performance-monitoring interrupt: DEBUGCTL bits 11 and 12. */
#pragma once

#include <stdbool.h>

#include "cpu.h"
#include "method.h"

/*
 * True if GLOBAL_STATUS says when the stack is frozen: from version 4 of performance
 * monitoring on, and on AMD.  Older processors clear DEBUGCTL.LBR instead, as a #DB does.
 */
bool freeze_is_documented(const struct cpu *);

/* If freeze_is_documented(): asks whether the stack is frozen, and lets recording go on.
 * LBR should be off. */
bool freeze_is_on(const struct cpu *);
void freeze_thaw(const struct cpu *);

/*
 * Call it after lbr_stack_prepare().  It adds FREEZE_LBRS_ON_PMI to what turns recording
 * on, if the window writes DEBUGCTL, and else sets it at once.  lbr_stack_restore() clears
 * it.  False: the bit raises #GP.
 */
bool freeze_add(struct enable *);

/* The state that the interrupt of a counter found, with both bits set. */
struct frozen {
    bool accepted;            /* no #GP on the bits        */
    bool came;                /* the interrupt came at all */
    bool stack;               /* its own entry was not recorded any more           */
    bool stack_by;            /* ...and LBR was clear, or the status says frozen   */
    bool counters;            /* GLOBAL_CTRL was clear, or the status says frozen  */
    bool counters_documented; /* ...and a source says that this is to be seen */
};
struct frozen freeze_try(const struct cpu *, const struct buffers *);

/* Tries the interrupt of BTS, on processors where LBR may be on with it. */
struct frozen freeze_try_bts(const struct cpu *, const struct buffers *);
