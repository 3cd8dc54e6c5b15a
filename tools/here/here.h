/* Traces the workloads of ring 3 in processes of this machine, and writes a log. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * The log of that processor, in memory from malloc(); *length: its size.  NULL: Linux does
 * not let this process run there.  `build`: of this program.  `by_msr`: the last-branch
 * records are read from the processor's registers.
 */
char *here_log(const char *build, int processor, bool by_msr, size_t *length);
