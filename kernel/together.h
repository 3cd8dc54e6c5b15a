/*
 * Every processor at once: the first one's side.  It prepares what the others need, tells
 * them what to do, and prints what they did.
 *
 * With one processor, or none started, each of these does nothing.
 */
#pragma once

#include "handoff.h"
#include "plan.h"
#include "session.h"

/* Once: takes the memory of all that the handoff wants started, or of fewer. */
void together_prepare(struct session *);

/* What the others are started with, as the first one's data are now. */
struct start together_start(struct session *);

/* In a piece: waits for those that were started, or starts them where no firmware does. */
void together_gather(struct session *);

/* How many there are, the first one among them. */
size_t together_count(void);

/* Each tries the facility, all at the same time. */
void together_probe(struct session *, enum facility);

/* Behind that: who they are, and what they found. */
void together_tell(struct session *);

/* All runs of a plan, by each of them. */
void together_run(struct session *, const struct plan *);

/* Stray NMIs of the APs. */
uint64_t together_nmis(void);

/* They give their processors back, or halt for good.  Whether all did. */
bool together_leave(struct session *);
