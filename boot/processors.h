/*
 * The other processors: found, started with the kernel's entry, and had back.
 */
#pragma once

#include "handoff.h"

/* Fills in how many there are, and how they will be started.  Before memory is taken. */
void processors_find(struct handoff *);

/* Lets all of them call it, and goes on at once.  NULL entry: nothing is done. */
void processors_start(const struct start *);

/* True if the firmware has all of them back; waits some seconds for them. */
bool processors_back(void);
