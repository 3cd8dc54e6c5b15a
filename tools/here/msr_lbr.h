/*
 * The last-branch records and the last exception record, read from the processor's own
 * registers.
 */
#pragma once

#include "attempt.h"
#include "facility.h"
#include "own_machine.h"

/*
 * Opens the MSRs of that processor, notes in *own what they say of it, and begins to guard
 * what recording changes.  What is refused here is refused in each attempt from then on,
 * up to msr_lbr_end().
 */
void msr_lbr_begin(struct own_machine *own, struct attempt *);
void msr_lbr_end(void);

/* Why the records of this processor cannot be read so, or NULL. */
const char *msr_lbr_lacks(const struct own_machine *, enum facility);
