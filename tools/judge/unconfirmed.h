/*
 * Which rule, not confirmed, a record rests on.
 */
#pragma once

#include <stdbool.h>

#include "parsed.h"
#include "rule.h"

/*
 * Returns the derived or unconfirmed rule that this difference rests on, or NULL.  What
 * silicon does there is MEASURED, neither right nor wrong.
 */
const struct rule *unconfirmed_rule_of(const struct run *, const struct rule_record *);

/* True if a rule accounts for this record of a workload, which differs by its class. */
bool rule_concerns(const struct rule *, const struct rule_record *);

struct rule_place rule_place_of(const struct run *);

/* If a record is lost, the rule concerns that one, not the one found in its place. */
static inline bool rule_concerns_want(enum difference_class class)
{
    return class == LOST || class == WRONG_FROM || class == WRONG_TO || class == WRONG;
}
static inline bool rule_concerns_got(enum difference_class class)
{
    return class == EXTRA || class == WRONG_FROM || class == WRONG_TO || class == WRONG;
}

/*
 * True if this log is judged as one of silicon: its platform is not emulated, or it is the
 * emulator in silicon mode.
 */
bool on_silicon(const struct cpu_part *);
