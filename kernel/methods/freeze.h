/* Freezing by the performance-monitoring interrupt: DEBUGCTL bits 11 and 12. */
#pragma once

#include <stdbool.h>

#include "cpu.h"
#include "method.h"

/* What the interrupt of a counter found, with both bits set. */
struct frozen {
    bool accepted;      /* no #GP on the bits        */
    bool came;          /* the interrupt came at all */
    bool stack;         /* its own entry was not recorded any more           */
    bool stack_by;      /* ...and LBR was clear, or the status says frozen   */
    bool counters;      /* GLOBAL_CTRL was clear, or the status says frozen  */
    bool counters_told; /* ...and a source says that this is to be seen */
};
struct frozen freeze_try(const struct cpu *, const struct buffers *);

/* The same of the interrupt of BTS, where LBR may be on beside it. */
struct frozen freeze_try_bts(const struct cpu *, const struct buffers *);
