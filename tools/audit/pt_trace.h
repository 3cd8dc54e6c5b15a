/*
 * Reads a trace of Intel Processor Trace packets: the bytes of one trace buffer, or all of
 * those in perf's own file, with the files that it says were mapped.
 */
#pragma once

#include "audit.h"

/* Returns false after saying why on standard error. */
bool pt_trace_read(struct audit *);
