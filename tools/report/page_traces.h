/*
 * Traces for the report page, one for each workload.
 */
#pragma once

#include "json.h"
#include "parsed.h"

/*
 * `traces`: for each workload the number of the log, from 0, the run's names, its graph as
 * `svg` (null: none was drawn) and its calls; then `graphviz`: false if a graph was wanted
 * and Graphviz is missing.
 */
void json_traces(struct json *, const struct log *logs, size_t count);
