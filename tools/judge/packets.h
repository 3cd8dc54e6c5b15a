/*
 * Checks packets beyond their records: the status after them, that they fit the code, where
 * they end, and the branches not taken.
 */
#pragma once

#include "parsed.h"

/*
 * Says which bit of IA32_RTIT_STATUS must not be set after these packets, or NULL.  To be
 * freed.
 */
char *packets_status_wrong(const struct run *);

/* True if the buffer became full, so that the processor stopped the trace. */
bool packets_filled(const struct run *);

/* Says where the run's packets do not fit the code.  To be freed. */
char *packets_misfit(const struct run *);

/*
 * Says why this misfit need not be the processor's fault, or NULL: on silicon the manual
 * permits it, or says nothing about it.
 */
const char *packets_excuse(const struct run *);

/* Says what is wrong with the packets of a run whose records are right, or NULL.  To be
 * freed. */
char *packets_wrong(const struct log *, const struct run *);
