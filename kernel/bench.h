/*
 * What one debug exception costs, handler by handler, on the same loop in one run.
 *
 * Ticks are the TSC's: on QEMU with `-icount shift=0` one tick is one instruction.
 */
#pragma once

#include "cpu.h"
#include "method.h"
#include "probe.h"

/* Emits a note for each: no tracing, an empty handler, step, btf where it works. */
void bench_handlers(const struct cpu *, const struct facilities *, const struct buffers *);
