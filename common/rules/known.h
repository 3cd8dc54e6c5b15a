/*
 * Which differences of records the rules account for.  The judge and the kernel's screen
 * both ask here.
 */
#pragma once

#include "rule.h"

typedef bool rule_asked(const struct rule *, const struct rule_record *);
bool rule_explains(const struct rule *, const struct rule_record *);

/*
 * Finds the derived or unconfirmed rule that accounts for a difference.  The record in
 * question may be on either side.  How many transfers each side goes on by, to pass it, is
 * in got_by and want_by.  rule_asked: asks a rule, as rule_explains() does.
 */
struct rule_step {
    const struct rule *rule; /* NULL: none accounts for it */
    uint8_t got_by, want_by;
};
struct rule_step rule_of_difference(const struct rule_run *got, const struct rule_run *want,
                                    const struct difference *, rule_asked *);

/*
 * Returns the rule that alone accounts for how the records together differ, with how in
 * words; or NULL.  Both sources are rewound.
 */
const struct rule *rule_of_all(const struct rule_run *, const struct difference *,
                               struct source *got, struct source *want, const char **how);

/*
 * Returns what rule_of_all() does, for records without those of the handlers of what
 * hit the run, for which hit_rule() accounts.
 */
const struct rule *rule_beside_hits(const struct rule_run *, const struct difference *,
                                    struct source *got, struct source *want,
                                    const char **how);

/* True if rules account for every difference; both sources are rewound. */
bool rules_explain_all(struct source *got, struct source *want, const struct rule_run *);

/*
 * The rule that accounts for what a probe found, or for a count: one that no manual states,
 * or an erratum of this processor.  NULL: there is none, or the place is an emulator.
 */
const struct rule *rule_of_probe(const struct rule_place *, const struct rule_probe *);
const struct rule *rule_of_count(const struct rule_place *, const struct rule_count *);
