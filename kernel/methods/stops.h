/*
 * Collecting where the processor stopped: what the #DB handlers of the stepping
 * methods have in common.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "idt.h"
#include "method.h"

/* Empties the collection and lets `handle` take #DB. */
void stops_begin(const struct buffers *, handler *handle);
void stops_end(void);

/* One more record; where there is no room the window is left: BUDGET. */
void stops_add(struct frame *, struct branch);

/*
 * Counts the event and returns true if it is a stop.  One at the window's CALL is a stop
 * too: no processor should make it, and the record says that this one did.  After the
 * window's return it clears TF, so that this was the last stop.  A bus lock is neither an
 * event nor a stop.
 */
bool stops_event(struct frame *);

/* The collection: the drain() of a method that needs no more. */
struct trace stops_trace(const struct cpu *, const struct buffers *);
