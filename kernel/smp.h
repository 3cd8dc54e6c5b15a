/*
 * All processors at once: the BSP's side.  It prepares what the APs need, tells
 * them what to do, and prints what they did.
 *
 * With one processor, or none started, each of these does nothing.
 */
#pragma once

#include "handoff.h"
#include "plan.h"
#include "session.h"

/* Once: takes the memory of all that the handoff wants started, or of fewer. */
void smp_prepare(struct session *);

/* The data with which APs are started, as the BSP's are now. */
struct start smp_start(struct session *);

/* In a piece: waits for those that were started, or starts them where no firmware does. */
void smp_gather(struct session *);

/* How many processors there are, with the BSP. */
size_t smp_count(void);

/* Each tries the facility, all at the same time. */
void smp_probe(struct session *, enum facility);

/* After that: who they are, and what they found. */
void smp_emit(struct session *);

/* All runs of a plan, by each of them. */
void smp_run(struct session *, const struct plan_request *);

/* Stray NMIs of the APs. */
uint64_t smp_nmis(void);

/* They give their processors back, or halt for good.  Whether all did. */
bool smp_leave(struct session *);
