/*
 * The MSRs of one processor, through /dev/cpu/N/msr (msr(4)); and a guard that puts their
 * values back, whatever becomes of this program.
 */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attempt;

/*
 * False after noting in the attempt what was refused; the error is MSR_DEVICE_TAKEN if
 * another of these programs has the processor.  This one has it until msr_device_close(),
 * or until it, its children and its guard have ended: they share the lock.
 */
#define MSR_DEVICE_TAKEN EUSERS
bool msr_device_open(int processor, struct attempt *);
void msr_device_close(void);

/* False, with errno: EIO where the access faulted (#GP). */
bool msr_device_read(uint32_t msr, uint64_t *value);
bool msr_device_write(uint32_t msr, uint64_t value);

/*
 * From here on another process waits until this one and all its children have ended, or
 * called msr_guard_end(), and then writes back the values that these MSRs have now, in this
 * order.  It is in a session of its own, so that no signal to this program's group, and no
 * terminal, reaches it.  False after noting in the attempt what was refused.
 */
#define MSR_GUARDED_MAX 4
bool msr_guard_begin(const uint32_t *msrs, size_t count, struct attempt *);

/* Returns the value that a guarded register had. */
uint64_t msr_guard_value(uint32_t msr);

/* Has them written back, and waits for it.  If the guard was killed, this does it. */
void msr_guard_end(void);

/* The device, for a write by a gate; its position is what the gate's write goes to. */
int msr_device_at(uint32_t msr);
