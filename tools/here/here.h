/* Traces the workloads of ring 3 in processes of this machine, and writes a log. */
#pragma once

#include <stddef.h>

/* The log, in memory from malloc(); *length: its size.  `build`: of this program. */
char *here_log(const char *build, size_t *length);
