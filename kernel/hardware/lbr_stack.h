/* The stack of last-branch records: the registers that `lbr` and `btf+lbr` read. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "branch.h"
#include "cpu.h"
#include "window.h"

/* The write that turns recording on: DEBUGCTL.LBR, or IA32_LBR_CTL on architectural LBR. */
struct enable lbr_stack_enable(const struct cpu *);

/* The value of lbr.ctl, which the model must have, with recording off. */
uint64_t lbr_stack_ctl_off(const struct cpu *);

/*
 * Empties the stack, with no filter, and keeps what was set; lbr_stack_restore puts it
 * back (after reading: it can clear the records).
 */
void lbr_stack_prepare(const struct cpu *);
void lbr_stack_restore(const struct cpu *);

/*
 * After lbr_stack_prepare: leaves out what the filter says, in its own register or in what
 * turns recording on.  False where the processor does not hold it.
 */
bool lbr_stack_filter(const struct cpu *, uint32_t filter, struct enable *);

/* lbr_stack_enable() with a filter in the register that turns recording on, not tried. */
struct enable lbr_stack_enable_through(const struct cpu *, uint32_t filter);

/*
 * The record that is `age` records older than the newest; false: there is none since
 * lbr_stack_prepare, or the stack is not so deep.  Recording should be off.
 */
bool lbr_stack_of_age(const struct cpu *, size_t age, struct branch *out);

/*
 * Reads the newest record that is at least `*age` entries old, and sets `*age` to its age.
 * On AMD, entries that branches on the wrong path took lie between records.
 */
bool lbr_stack_from_age(const struct cpu *, size_t *age, struct branch *out);

/* The newest record.  Recording should be off. */
struct branch lbr_stack_newest(const struct cpu *);

/* All records since lbr_stack_prepare, oldest first; returns how many (at most the depth).
 */
size_t lbr_stack_read(const struct cpu *, struct branch *out);

/*
 * How many entries hold no record since the processor used them for branches on the wrong
 * path.  Recording should be off.
 */
size_t lbr_stack_wrong_path(const struct cpu *);

/*
 * Reads what the newest `entries` records hold beside FROM and TO, in the order of
 * lbr_stack_read(), and for each record that it returns.
 */
void lbr_stack_read_infos(const struct cpu *, size_t entries, struct info *out);

/* Reads the stack in call-stack mode: from the newest down to the first empty entry. */
size_t lbr_stack_read_calls(const struct cpu *, struct branch *out);
