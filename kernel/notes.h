/* Notes in the log on what an option asked for and did not get, or that nothing looks at.
 */
#pragma once

#include "session.h"

/* Notes which performance counters the firmware left on, and which one is used. */
void notes_of_counters(const struct session *);

void notes_of_options(const struct session *);

/* The sentence about a workload of the load options that does not exist, or NULL. */
const char *notes_refusal(const struct options *);
