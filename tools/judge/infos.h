/* The extra information of last-branch records, beside FROM and TO. */
#pragma once

#include <string.h>

#include "json.h"
#include "parsed.h"

/* Judges the fields of a run's records, except the type (judge_records.c). */
void judge_infos(const struct log *, struct run *);

/* Prints one line for `check`, if there is any information. */
void infos_report(const struct log *);

/* A line for each record, for `show`; as the array "info", oldest first. */
void infos_show(const struct log *, const struct run *);
void json_infos(struct json *, const struct run *);
