/*
 * What the rules are told of a run, and which of them apply to it.  common/rules/known.h
 * finds the rule that accounts for a difference.
 */
#pragma once

#include <stdbool.h>

#include "parsed.h"
#include "known.h"

/* True if a rule accounts for this record of a workload, which differs by its class. */
bool rule_concerns(const struct rule *, const struct rule_record *);

/*
 * Of which kind a record is, as a bit: INT n, an exception, an interrupt, the two kinds of
 * #DB, or none; that of a handler's IRET is its event's.  No source says that they are
 * alike in what no manual states.  0: a stop at no event, or at an NMI, because
 * the IRETQ of the #DB lets the next NMI in, where TF is clear.
 */
unsigned rule_kind_of(const struct rule_record *);

struct rule_place rule_place_on(const struct cpu_part *); /* of no method */
struct rule_place rule_place_of(const struct run *);
struct rule_run rule_run_of(const struct log *,
                            const struct run *); /* without its events */

/* True if the rule of this name applies to the run, on its platform. */
bool rule_is_of_run(const char *name, const struct run *);

/*
 * Returns the near branch to which straight code leads from FROM, within the length of one
 * instruction, and which can go to TO; BRANCH_UNKNOWN: there is none.  Software looks no
 * further for the branch of a fused FROM.
 */
uint64_t fused_branch(const struct workload *, uint64_t at, const struct transfer *);
