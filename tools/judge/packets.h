/*
 * Checks packets beyond their records: the status after them, that they fit the code, where
 * they end, and the branches not taken.
 */
#pragma once

#include "parsed.h"

/* True if the status says that the processor could not write all packets, or cannot be. */
bool judge_status(struct run *);

/* The other bits of the status, and packets that were not switched on or are none. */
void judge_form(const struct log *, struct run *);

/* True if the buffer became full, so that the processor stopped the trace. */
bool packets_filled(const struct run *);
bool judge_filled(const struct log *, struct run *); /* the same; compares its records */

/* Says where the run's packets do not fit the code.  To be freed. */
char *packets_misfit(const struct run *);
/* Judges such packets; true: all records are there, and right. */
struct disputed;
bool judge_misfit(const struct log *, struct run *, struct disputed *);

/* Of a run whose records are right: the branches not taken, and the end. */
void judge_bits(const struct log *, struct run *);

/* Once all runs are judged: how many lost packets. */
void judge_all_losses(struct log *);
