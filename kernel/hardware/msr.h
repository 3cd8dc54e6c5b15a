/*
 * Model-specific registers that may not exist: access that survives #GP.
 *
 * Reading an absent MSR, or writing a bit that the processor does not have, raises
 * #GP(0) (SDM vol. 2, "RDMSR", "WRMSR").  A bad MSR is an answer, not a crash.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* False where the access faulted; *value is then untouched. */
bool msr_read(uint32_t msr, uint64_t *value);
bool msr_write(uint32_t msr, uint64_t value);

/* Writes and reads back; false where it faulted or does not read as it was written. */
bool msr_set(uint32_t msr, uint64_t value);

/* For the #GP handler: where to continue after a fault at `rip`, or 0. */
uint64_t msr_resume(uint64_t rip);
