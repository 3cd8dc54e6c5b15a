/*
 * The MSRs that the monitor's user has written.
 *
 * The firmware gets the machine back between two commands, and what it is given may not
 * trace it: so what was written is taken away with the machine and put back before the
 * next command that is about MSRs, where it stays until it is written anew.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"
#include "method.h"

/* They hold from begin to end; what the processor stores meanwhile has its buffer. */
void msr_overrides_begin(const struct cpu *, const struct buffers *);
void msr_overrides_end(const struct cpu *);

/* Between them: whether there is room for one that was not written yet. */
bool msr_overrides_fit(uint32_t msr);

/* Between them: false where it faulted; then nothing has changed. */
bool msr_overrides_write(uint32_t msr, uint64_t value);
