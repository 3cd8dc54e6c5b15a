/*
 * What several verbs say of a log, a run or a rule, in JSON, under the same names.
 */
#pragma once

#include "cost.h"
#include "json.h"
#include "parsed.h"

extern const char *const json_verdicts[VERDICTS]; /* "pass", "skip", ... */

void json_machine(struct json *, const char *key, const struct log *,
                  const struct cpu_part *);
void json_facilities(struct json *, const struct cpu_part *);
void json_limit(struct json *, const char *key, const struct limit *);
/* The word of a kind of branch, the same in all verbs; NULL: KIND_NONE and the marks. */
extern const char *const kind_words[KIND_COUNT];

/* null: it is not known, or there is none (BRANCH_UNKNOWN). */
void json_address(struct json *, const char *key, uint64_t address);

void json_run_names(struct json *,
                    const struct run *); /* run, method, workload, processor */

/* A judged log, in the object that is open; without `infos` the field `info` is empty. */
void json_log_fields(struct json *, const struct log *, bool infos);
void json_cost(struct json *, const char *key, const struct cost_table *); /* verb_cost.c */

/* The records of a source, equal neighbours as one: an array. */
void json_transfers(struct json *, const char *key, struct source *,
                    const struct log_map *);
