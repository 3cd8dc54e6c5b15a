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

struct pmi_collector {
    struct branch *first, *next, *end;
    unsigned idle;       /* interrupts in a row that found nothing to have moved */
    bool left;           /* the window was */
    struct ran_line ran; /* what the log says of the interrupts */
};

struct pmi_collector pmi_collector_none(const struct buffers *);

/* One record more; what finds no room ends the run, here or at the next interrupt. */
void pmi_collector_add(struct pmi_collector *, struct branch);

/* Adds a record without ends, which marks missing records, unless the newest is one. */
void pmi_collector_gap(struct pmi_collector *);

/* Notes that an interrupt came `late` events, or records, after the one that asked. */
void pmi_collector_late(struct pmi_collector *, uint64_t late);

/* The interrupt of a counter, and how far that came; was_on: as in counter.h. */
struct counted pmi_collector_count(struct pmi_collector *, bool was_on);

/*
 * At the end of an interrupt, whether the run goes on.  It does not where no room is left,
 * nor after `idle_max` interrupts in a row with nothing that moved between them.
 */
bool pmi_collector_goes_on(struct pmi_collector *, struct frame *, bool moved,
                           unsigned idle_max);

/*
 * Waits a while, as long as `due` says that an interrupt is missing: it can come after the
 * window is closed, and its handler then finds recording off.  An interrupt that comes even
 * later is ignored, so that nothing changes while drain() reads.
 */
void pmi_collector_wait(bool (*due)(void));

/* Says how late the interrupts of a probe's run came, if that is known. */
void pmi_collector_say(const struct ran_line *, struct facility_line *);

/*
 * Sets which fields the line of such a run has: by the processor, as the reader expects it,
 * also of a run that is gone and counted nothing.
 */
void pmi_collector_fields(struct ran_line *, const struct interrupt_config *,
                          const struct pmu *);

/* Ends a counter's run: waits so, and adds the events counted after its last interrupt. */
void pmi_collector_rest(struct pmi_collector *);
struct trace pmi_collector_trace(const struct pmi_collector *);
