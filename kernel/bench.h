/*
 * Measures the least that one debug exception can cost: its handler does nothing.
 * The cost of the methods' handlers is in their runs (`everybranch cost`).
 *
 * Ticks are the TSC's: on QEMU with `-icount shift=0` one tick is one instruction.
 */
#pragma once

#include "cpu.h"
#include "method.h"

/* Emits a note for each: no tracing, and that handler. */
void bench_handlers(const struct cpu *, const struct buffers *);
