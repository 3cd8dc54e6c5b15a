/*
 * Checks packets beyond their records: the status after them, that they fit the code, where
 * they end, and the branches not taken.
 */
#pragma once

#include "parsed.h"

/* True if IA32_RTIT_STATUS has a bit that must not be set after these packets. */
bool judge_status(struct run *);

/* True if the buffer became full, so that the processor stopped the trace. */
bool packets_filled(const struct run *);
bool judge_filled(const struct log *, struct run *); /* the same; compares its records */

/* Says where the run's packets do not fit the code.  To be freed. */
char *packets_misfit(const struct run *);
bool judge_misfit(const struct log *, struct run *); /* false: not all is there */

/* Of a run whose records are right: the branches not taken, and the end. */
void judge_bits(const struct log *, struct run *);
