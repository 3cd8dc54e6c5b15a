/* The handlers that a workload brings along: they lead straight into its code. */
#pragma once

#include "workload.h"

/* Installs them for one run, and puts back what was there. */
void stubs_set(const struct workload *);
void stubs_unset(const struct workload *);
