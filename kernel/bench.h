/*
 * What one debug exception costs whose handler does nothing: the least that there can be.
 * What the methods' handlers cost beside it is told by their runs (`everybranch cost`).
 *
 * Ticks are the TSC's: on QEMU with `-icount shift=0` one tick is one instruction.
 */
#pragma once

#include "cpu.h"
#include "method.h"

/* Emits a note for each: no tracing, and that handler. */
void bench_handlers(const struct cpu *, const struct buffers *);
