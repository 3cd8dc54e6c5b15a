/*
 * Runs a program in C in this process, stopping at its branches only: ten times as fast as
 * step(), where a hypervisor intercepts each step.  tests/expected/test holds one against
 * the other.
 */
#pragma once

#include "step.h"

/* As step(), but for near branches only: what a compiler makes of a program in C. */
struct step_trace breakpoints(const struct workload *program, uint64_t budget);
