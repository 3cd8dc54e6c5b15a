/*
 * The rule btf-untaken on all branches of a workload: BTF would stop after each that is not
 * taken, or at least after each Jcc, or after each LOOP and JrCXZ.
 */
#pragma once

#include "parsed.h"
#include "rule.h"
#include "transfers.h"

#define UNTAKEN_JCC   1u
#define UNTAKEN_LOOPS 2u

/*
 * Returns the stops of a method by BTF with those after branches of these kinds that are
 * not taken; list_free() frees them.  Beside LBR, such a stop has the newest record: the
 * return from the stop before, by `iretq`, or from a handler.  Without any such branch the
 * list is empty.
 */
struct transfer_list untaken_stops(const struct log *, const struct run *, unsigned kinds,
                                   uint64_t iretq);

/*
 * Returns how many of the stops after all such branches, or after each Jcc, are missing if
 * there are `count`; UINT64_MAX: those are too many.  The other returns how many stops hits
 * or a VM entry may have taken away, if the records differ first at `at`.
 */
uint64_t untaken_lost(const struct log *, const struct run *, uint64_t count);
uint64_t untaken_may_lack(const struct rule_run *, uint64_t at);

/* Returns the kinds of such branches that the run has.  Of one whose records are right,
 * hits cannot have taken all the stops after these. */
unsigned untaken_kinds(const struct log *, const struct run *);
