/* The extra information of last-branch records, beside FROM and TO. */
#pragma once

#include <string.h>

#include "json.h"
#include "parsed.h"

/* Sums over several runs; all zero at first. */
struct info_sum {
    uint32_t words;
    size_t records, mispredicted, in_tsx;
    uint32_t *cycles; /* those that are known */
    size_t timed, capacity;
};
void infos_add(struct info_sum *, const struct run *);
uint32_t infos_median(struct info_sum *); /* the lower one of two; some are known */
void infos_free(struct info_sum *);

/* Prints one line for `check`, if there is any information. */
void infos_report(const struct log *);

/* A line for each record, for `show`; as the array "info", oldest first. */
void infos_show(const struct log *, const struct run *);
void json_infos(struct json *, const struct run *);
