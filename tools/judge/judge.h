/*
 * Judges a log; the verdicts are stored in the log.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "facility.h"
#include "parsed.h"
#include "pt.h"
#include "severity.h"
#include "verdict.h"

struct judge_options {
    bool no_skip;              /* a skip of what the model's row has is a failure */
    const struct platform *as; /* judge by this one; NULL: by the one that the log shows */
};

void judge(struct log *, const struct judge_options *);
bool log_has_no_error(const struct log *); /* false: what is wrong with it was said */
bool log_is_whole(const struct log *);     /* the same, for what needs all of it; says what
                                            * was skipped */
bool log_usable(struct log *, const char *name); /* read, judged; false: said why not */
/* Judges this run, unless it was; false: some of its records are none, which was said. */
bool run_usable(struct log *, const struct run *);

/* The fact about a facility on the platform that judge() found. */
const struct platform_fact *fact_of(const struct cpu_part *, enum facility); /* or NULL */

/*
 * Returns the rule that a deviation found on silicon rests on, if no manual states it: then
 * the deviation is measured, neither right nor wrong.  Otherwise NULL.
 */
const struct rule *facility_derived_rule(const struct cpu_part *, enum facility);

/*
 * Compares a probe result with what the platform is known for.  NOT_JUDGED: nothing is
 * known, nothing was probed, or the result is measured.
 */
enum expectation { NOT_JUDGED, AS_EXPECTED, NOT_AS_EXPECTED };
enum expectation facility_expected(const struct cpu_part *, enum facility);
