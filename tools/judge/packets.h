/*
 * What packets show beside records: that they fit the code, and the branches not taken.
 */
#pragma once

#include "parsed.h"

/* Of a run whose packets do not fit the code, in words for the caller to free. */
char *packets_misfit(const struct run *);

/* What is wrong with one whose records are right, in such words, or NULL. */
char *packets_wrong(const struct log *, const struct run *);
