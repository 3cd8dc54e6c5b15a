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
 * Sets up a counter beside what records, from 0 and without an interrupt.  False: the
 * selector does not hold the event, and nothing is set up.  After the window counter_rest()
 * returns the count.
 */
bool counter_watch(const struct cpu *, uint32_t event, uint32_t umask,
                   struct enable *enable);

/*
 * For the handler of the interrupt, while the counter is off: loads it again, and returns
 * how many events of the workload it had counted, and how many of them came after the one
 * that overflowed it, as far as can be known.  Events of the interrupt's own entry and exit
 * are left out, since they are known for branches and instructions.  was_on: the counter
 * was on when the interrupt struck.
 */
struct counted {
    uint64_t events, late;
};
struct counted counter_again(bool was_on);

/*
 * For the gate (pmi_gate.h): has the counter passed zero since it was loaded?  Also true if
 * the counter does not hold what is written, so that this cannot be known.
 */
bool counter_asked(const struct frame *);

/*
 * For the gate, after an NMI that came from elsewhere: makes up for the events of that
 * NMI's own entry and exit, so that they shorten no period.  True: one of them overflowed
 * the counter.
 */
bool counter_stray(const struct frame *, bool goes_on);

/* The next NMI is stray, and its entry makes no period shorter either. */
void counter_foresee(void);

/* Can the lateness of an interrupt be known? */
bool counter_tells_late(void);

/* Counts the rest when the run is over, without an interrupt; loads nothing. */
uint64_t counter_rest(void);

/* Returns how many of these events came after the one that overflowed the counter. */
uint64_t counter_since_overflow(void);

/* Did it overflow without an interrupt? */
bool counter_unheard(void);
