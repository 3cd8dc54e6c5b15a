/*
 * A local APIC on paper, since a process has none: a page where a workload writes as to
 * the registers, and the rules by which the processor would then be interrupted.
 *
 * An interrupt comes at once.  Nothing here is the build machine's word, but what it
 * strikes and what runs then is.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The page, as struct lent has it; the processor begins with IF set.  Freed by apic_end. */
uint64_t apic_begin(void);
void apic_end(void);

/* The same by WRMSR and RDMSR, in x2APIC mode; false: it is no such register. */
bool apic_write_msr(uint32_t msr, uint32_t low, uint32_t high);
bool apic_read_id(uint32_t msr, uint32_t *id);

/*
 * Before the next instruction: takes what the last one has written, and returns the vector
 * that strikes here, or -1.
 */
int apic_strikes(void);

/* A gate was gone through: IF is clear.  Returns the IF that is to be kept for IRETQ. */
bool apic_gate(void);
void apic_iret(bool flag); /* with the IF that it takes back */
void apic_sti(void);
void apic_cli(void);
