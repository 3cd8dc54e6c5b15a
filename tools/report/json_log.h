/*
 * Fields that several verbs print for a log, a run or a rule, in JSON.
 */
#pragma once

#include "cost.h"
#include "json.h"
#include "parsed.h"
#include "rule.h"

void json_machine(struct json *, const char *key, const struct log *,
                  const struct cpu_part *);
void json_facilities(struct json *, const struct cpu_part *);
void json_rules_at(struct json *, const struct rule_place *); /* all */
/* The word for a kind of branch in all verbs; NULL for KIND_NONE and the marks. */
extern const char *const kind_words[KIND_COUNT];

/* Prints null for BRANCH_UNKNOWN: the address is unknown, or there is none. */
void json_address(struct json *, const char *key, uint64_t address);

void json_run_names(struct json *,
                    const struct run *); /* run, method, workload, processor */

/*
 * Prints the fields of a judged log in the open object.  Without `infos` the field `info`
 * is empty.
 */
void json_log_fields(struct json *, const struct log *, bool infos);
void json_cost(struct json *, const char *key, const struct cost_table *); /* verb_cost.c */

/* Prints the records of a source as an array; equal neighbours are one element. */
void json_transfers(struct json *, struct source *, const struct log_map *);
