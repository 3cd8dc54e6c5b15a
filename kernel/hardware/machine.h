/*
 * Taking the processor from the firmware and giving it back as it was.
 *
 * Own GDT, TSS with stacks for the exceptions that need a good one, IDT, and page
 * tables that map only what the kernel uses, no page both writable and executable.
 * Interrupts stay off; the window lets only the watchdog through.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "idt.h"
#include "memory.h"
#include "workload.h"

/*
 * Selectors of the kernel's own tables, in the order in which SYSCALL, SYSRET, SYSENTER and
 * SYSEXIT find them.  Those of ring 3 are the numbers that Linux gives its processes, so
 * that a process of the build machine can run the same code (tests/native).
 */
#define SELECTOR_CODE     0x10
#define SELECTOR_DATA     0x18
#define SELECTOR_CODE3_32 0x23 /* CS.L = 0                             */
#define SELECTOR_DATA3    0x2b
#define SELECTOR_CODE3    0x33
#define SELECTOR_SYSEXIT  0x3b /* SELECTOR_DATA3 again, for SYSEXIT    */
#define SELECTOR_TSS      0x40
#define SELECTOR_LDT      0x50
#define SELECTOR_BASED3   0x07 /* in the LDT: CS.L = 0, base PART_BASE */

/* Why the machine cannot be taken, in a sentence, or NULL. */
const char *machine_lacks(void);

/* Once: takes what it needs from `memory`, all of which it maps. */
void machine_prepare(struct memory *, uint64_t trampoline);

/*
 * Takes the processor; the mirror image gives it back.  As often as is wanted, by turns.
 * machine_try() does both as far as one of the steps, with nothing in between.
 */
enum machine_step {
    MACHINE_TABLES,     /* page tables and control registers         */
    MACHINE_SEGMENTS,   /* GDT, IDT, TR and debug registers          */
    MACHINE_INTERRUPTS, /* the interrupt controllers: that is all    */
    MACHINE_STEPS
};
void machine_take(void);
void machine_try(enum machine_step last);

/* DEBUGCTL as it was before it was taken; false: there is none. */
bool machine_debugctl(uint64_t *value);
void machine_give_back(void);

/*
 * For another processor: page tables in which the image's data are a copy of its own, so
 * that it runs the same code with all the state that code keeps for itself.  trampoline: a
 * page that it comes through, or 0.
 */
struct tss;
struct machine_ap {
    uint64_t tables, data;
    struct tss *tss;
};
struct machine_ap machine_prepare_ap(struct memory *, uint64_t trampoline);

/* Makes the copy, as the first processor's data are now.  With the firmware's tables. */
void machine_copy_data(const struct machine_ap *);

/* As machine_take(), on that processor; machine_give_back() is the same for all. */
void machine_take_ap(const struct machine_ap *);

/* The end of the stack on which ring 0 handles what comes from ring 3. */
uint64_t machine_ring0_stack(void);

/* Where the interrupted code lies, its CS base added, and whether it has 32 bits. */
uint64_t machine_address(const struct frame *);
bool machine_runs_32_bits(const struct frame *);

/* The environment of workloads.  Ring 3 may use their code and their stack for ring 3. */
const struct workload_env *machine_workload_env(void);

/* Calls function(argument) on the stack that ends at `top`. */
void machine_on_stack(uint64_t top, void (*function)(void *), void *argument);

/* How many bytes of code, the image's or a loaded workload's, lie here; 0: none do. */
uint64_t machine_code_at(uint64_t address);
