/*
 * One performance counter, which asks for its interrupt at every Nth event: what the
 * methods that a counter interrupts have in common.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"
#include "idt.h"
#include "method.h"
#include "window.h"

/* Why there is none, in the words of the log, or NULL. */
const char *counter_lacks(const struct cpu *);

/* By which event it is tried: one that there is, and of which something must come. */
struct event_choice counter_tried(const struct cpu *);

/* The event and the period that the options ask for, or the event of taken branches. */
struct interrupt_config counter_chosen(const struct cpu *, const struct buffers *,
                                       uint64_t period);

/*
 * Sets it up, but does not turn it on; `enable` gets the register with which the window
 * does, as the one register or, where `beside` another, as the second.
 */
void counter_begin(const struct cpu *, const struct interrupt_config *,
                   struct enable *enable, bool beside);
void counter_end(void);

/*
 * The same beside what records, for an event that is counted from 0 on and interrupts
 * never.  False where the selector does not hold it: nothing is set up then.  After the
 * window counter_rest() is what was counted.
 */
bool counter_watch(const struct cpu *, uint32_t event, uint32_t umask,
                   struct enable *enable);

/*
 * For the handler of the interrupt, while it is off: what it counted of the workload since
 * it was last loaded, and how many of these came after the one that overflowed it, as far
 * as can be told; then it is loaded anew.  What the interrupt's own way in and out counts
 * is known of branches and instructions: it is none of these.  was_on: when it struck.
 */
struct counted {
    uint64_t events, late;
};
struct counted counter_again(bool was_on);

/*
 * For the gate (pmi_gate.h): whether the counter has passed zero since it was loaded.  True
 * where the counter does not hold what is written, so that nothing can be told.
 */
bool counter_asked(const struct frame *);

/*
 * For the gate, after an NMI that came from elsewhere: makes up for the events of that
 * NMI's own way in and out, so that no period is shorter by them.  False: none of them
 * asks.
 */
bool counter_stray(const struct frame *, bool goes_on);

/* The next NMI is stray, and its entry makes no period shorter either. */
void counter_foresee(void);

/* Can the lateness of an interrupt be known? */
bool counter_tells_late(void);

/* Counts the rest when the run is over, without an interrupt; loads nothing. */
uint64_t counter_rest(void);

/* Returns how many of these events came after the one that overflowed the counter. */
uint64_t counter_behind(void);

/* Did it overflow without an interrupt? */
bool counter_unheard(void);
