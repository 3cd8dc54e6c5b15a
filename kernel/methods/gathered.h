/*
 * What a method that interrupts keep at work has gathered: the records so far, what was
 * lost, and what there is to tell of the interrupts themselves.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "counter.h"
#include "idt.h"
#include "method.h"

struct gathered {
    struct branch *first, *next, *end;
    unsigned idle; /* interrupts in a row that found nothing to have moved */
    bool left;     /* the window was */
    uint64_t events, lost;
    struct interrupts interrupts;
};

struct gathered gathered_none(const struct buffers *);

/* One record more; what finds no room ends the run, here or at the next interrupt. */
void gathered_add(struct gathered *, struct branch);

/* A record without ends: here some are missing.  One is enough. */
void gathered_gap(struct gathered *);

/* An interrupt came so many events, or records, behind the one that asked for it. */
void gathered_late(struct gathered *, uint64_t late);

/* The interrupt of a counter, and how far that came; was_on: as in counter.h. */
struct counted gathered_count(struct gathered *, bool was_on);

/*
 * At the end of an interrupt, whether the run goes on.  It does not where no room is left,
 * nor behind `idle_max` interrupts in a row with nothing that moved between them.
 */
bool gathered_goes_on(struct gathered *, struct frame *, bool moved, unsigned idle_max);

/*
 * When the window is closed an interrupt may still be on its way, which its handler then
 * finds with recording off.  Waits for it, a while, as long as one is due; one that comes
 * even later is forgotten, so that nothing changes under who drains.
 */
void gathered_wait(bool (*due)(void));

/* When all is over: waits so, and adds what the counter counted behind its last interrupt.
 */
void gathered_rest(struct gathered *);
struct trace gathered_trace(const struct gathered *);
