/*
 * Tries each facility, by its effect.
 */
#pragma once

#include "facilities.h"

struct cpu;
struct buffers;
void probe_one(struct facilities *, enum facility, const struct cpu *,
               const struct buffers *);

/* It is not tried, since that log ended in it. */
void probe_avoid(struct facilities *, enum facility, const char *log);
