/*
 * How late the interrupts of a counter, or of a BTS buffer, came: the skid.  Lateness is
 * counted in events of the counter, or in records of BTS.
 *
 * No manual gives a bound.  The authors of rr met 100 conditional branches and more on
 * Intel, and 10,000 and more on Zen (rr, src/PerfCounters_x86.h).  So each log holds what
 * the probe measured on its machine.  Other checks ask here what lateness explains.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "parsed.h"

/* Older logs, and events that no processor's row has, do not say how late they came. */
bool lateness_is_logged(const struct run *);
uint64_t lateness_in_all(const struct run *); /* of all interrupts together */

size_t piece_size(const struct cpu_part *); /* records of a full piece of branch sampling */

/* What a counter counts from one interrupt to the next, or the workload's records in it. */
uint64_t interrupt_each(const struct run *);

/*
 * True on an emulator on which the probe's interrupts were never late: then none may be. If
 * those of BTS are late and a counter's are not, the emulator has BTS wrong.
 */
bool lateness_is_none(const struct run *);

/* True if the lateness is counted in taken branches, as the probe's is, or in records. */
bool lateness_compares(const struct run *);

/* What the counter counted, or how many records there are, up to where the interrupts were
 * due. */
uint64_t counted_in_time(const struct run *);
uint64_t records_in_time(const struct run *);

/* True if more interrupts came than the count in time has periods. */
bool interrupts_are_early(const struct run *);

/* True if the rule count-small-period may account for what its interrupts do. */
bool period_is_unsafe(const struct run *);

/* True if no entry in AMD's stack of version 2 is of an interrupt; how many of lost= are.
 */
bool interrupts_lack_entries(const struct run *);
uint64_t interrupts_entries_lost(const struct run *);

/* Returns how many events, or records of a buffer, came after the last interrupt; and after
 * the next one was due. */
uint64_t events_since_last(const struct run *);
uint64_t unheard_late(const struct run *);

/*
 * For a counter's run: true if `lost` says that the last interrupt is missing, and when the
 * window closed it was at most a little later than twice the latest of the probe.  The
 * same for a buffer's run, of which nothing is lost.
 */
bool unheard_explained(const struct run *);
bool unheard_drain_explained(const struct run *);

/*
 * True if the last interrupt may have been taken after the workload's return, where it is
 * no stop: it was late, or some of the probe's were, and it was less than an event late.
 * `of_stops` is how late those with a stop were in all.
 */
bool last_may_stop_outside(const struct run *, uint64_t of_stops);

/* The handler's IRETQ, and a branch on either side of it. */
#define HANDLER_EVENTS 2

/*
 * Returns how many branches may be missing because interrupts were late, each gap for one;
 * `uncounted` are those that the counter does not count, `beside` the same among the
 * records after each gap, which took the room of counted ones, `stack` the records that an
 * interrupt finds in a full LBR stack, and `taken` the records of handlers that were in it.
 * Nothing counts the records that did not fit into a buffer: a thousand may be missing in
 * each gap, or twice the latest of the probe.
 */
uint64_t lateness_explains(const struct run *, uint64_t uncounted, uint64_t beside,
                           uint64_t stack, uint64_t taken);

/* The latest that one may be, by the probe's; UINT64_MAX: nothing says. */
uint64_t lateness_max(const struct run *);

/* lateness_max() for an event that does not show how late its interrupts come. */
uint64_t lateness_untold(const struct run *);

/* "17 events late": of all interrupts.  The scratch texts of heap.h. */
const char *lateness_text(const struct run *);
/* ", less the 17 by which they came late", or "". */
const char *lateness_less(const struct run *);

/* Why the sums of the line `ran` contradict each other, the count or the records; or NULL.
 */
char *lateness_cannot_be(const struct run *);
char *lateness_wrong(const struct log *, const struct run *); /* by the stops; or NULL */

/* Returns how much of the lateness is of interrupts without a stop, whose sum this is. */
uint64_t lateness_beyond(const struct run *, uint64_t of_stops);

/* Judges whether few runs of each processor lack an interrupt that was due well before
 * their end. */
void judge_all_late(struct log *);

/*
 * Returns how many branches a fixed interrupt waits at most for IF, which the delivery of
 * an event clears and the IRETQ of its handler sets (SDM vol. 3A, "Flag Usage By Exception-
 * or Interrupt-Handler Procedure"); UINT64_MAX: the expected trace does not show it.
 */
uint64_t lateness_by_if(const struct log *, const struct run *);

/* Judges how late any interrupt of the run came. */
void judge_lateness(const struct log *, struct run *);
