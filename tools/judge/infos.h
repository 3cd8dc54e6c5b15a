/* The extra information of last-branch records, beside FROM and TO. */
#pragma once

#include <string.h>

#include "json.h"
#include "parsed.h"

/* Prints one line for `check`, if there is any information. */
void infos_report(const struct log *);

/* A line for each record, for `show`; as the array "info", oldest first. */
void infos_show(const struct log *, const struct run *);
void json_infos(struct json *, const struct run *);
