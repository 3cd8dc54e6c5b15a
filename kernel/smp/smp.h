/*
 * All processors at once: the BSP's side.  It prepares what the APs need, gives them
 * orders, and prints who they are and which of them are lost.
 *
 * With one processor, or none started, each of these does nothing.
 */
#pragma once

#include "ap.h"
#include "handoff.h"
#include "worker.h"

/* Once: takes the memory of all that the handoff wants started, or of fewer. */
void smp_prepare(struct memory *, const struct handoff *, struct worker *bsp);

/* The data with which APs are started, as the BSP's are now. */
struct start smp_start(void);

/* In a piece: waits for those that were started, or starts them where no firmware does. */
void smp_gather(void);

/* How many processors there are, with the BSP, which is number 0. */
size_t smp_count(void);
struct worker *smp_worker(size_t n);
struct participant *smp_participant(size_t n);
struct ap *smp_ap(size_t n); /* from 1 */

/* Lets an AP do this work, for which nobody waits here. */
void smp_order(struct ap *, void (*work)(struct ap *));

/* Each AP tries the facility, all at the same time. */
void smp_probe(enum facility);

/* After that: who they are, and what they found.  Careful: the runs need only the BSP. */
void smp_emit(bool careful);

/* Logs once of each AP that is gone that it is; from then on an AP is lost. */
void smp_emit_lost(void);
bool smp_has_lost(void);

/* Stray NMIs of the APs. */
uint64_t smp_nmis(void);

/* They give their processors back, or halt for good.  Whether all did. */
bool smp_leave(void);
