/*
 * The window: on, call, off, in one routine without a branch of its own between.
 *
 * A trace holds the workload and exactly one call in and one return out.  What is
 * turned on is what the method's arm() asked for.
 */
#pragma once

#include <stdint.h>

#include "idt.h"
#include "lines.h"

/*
 * What the window writes.  msr 0: none; rflags: bits beside the interrupt flag.  A counter
 * is turned on after the other register and off before it; 0: there is none beside it.
 */
struct enable {
    uint32_t msr;
    uint64_t on, off;
    uint64_t rflags;
    uint32_t counter;
    uint64_t counter_on, counter_off;
};

/*
 * True: each window sets FREEZE_WHILE_SMM in DEBUGCTL, so that the firmware's code in an
 * SMI is not recorded (SDM vol. 3B, "IA32_DEBUGCTL MSR").  Architectural LBR does not need
 * it: it is off in SMM.
 */
void window_freezes_in_smm(bool);

/* These bits of DEBUGCTL with that one added, as the window writes them. */
uint64_t window_debugctl(uint64_t on);

/*
 * Fills in what the method left open: adds FREEZE_WHILE_SMM, and where there is no counter,
 * makes the first register the second one too.  So the window needs no conditional jump,
 * which a counter would count.
 */
struct enable window_both(const struct enable *);

struct window_exit {
    enum outcome outcome;
    uint64_t vector, at; /* of CRASHED: which exception, at which instruction */
    uint64_t result;     /* of ENDED: RAX at the return                       */
    uint32_t open; /* the most windows open on all processors, when this opened or closed */
    uint64_t ticks; /* of the TSC, from before the window to after it    */
};

/* Once, before the first window: how long one may stay open; 0: for ever. */
void window_init(uint32_t seconds);

/* Where all processors count the windows that are open at this instant. */
void window_count(uint32_t *open);

/* Runs `code` inside; interrupts are on inside it and off again after it. */
struct window_exit window_run(const struct enable *, const uint8_t *code);

/* Is the processor in the window, or in a handler that interrupted it? */
bool window_is_open(void);

/* In a handler: makes its return leave the window at once. */
void window_abort(struct frame *, enum outcome);

/* The call, and the instruction after it. */
extern const uint8_t window_call[], window_back[] __attribute__((visibility("hidden")));

/* From the instruction that runs first with recording on, to the end of the window. */
extern const uint8_t window_on[], window_end[] __attribute__((visibility("hidden")));

/* Is rip in the part of the window before the call, the call itself included? */
bool window_is_before(uint64_t rip);

/* Is rip in the rest of the window, after the return? */
bool window_is_over(uint64_t rip);

/* Was the counter on when rip was interrupted, unless its handler turned it off? */
bool window_counts(uint64_t rip);
