/*
 * The kernel's own check of a run, for a person with no second machine: the records are
 * compared with the expected trace.  What counters, interrupts and other methods say of the
 * run is not looked at, and packets are not decoded: no run passes here.
 *
 * It goes to the screen, marked as such, and never into the log: the host judges.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu.h"
#include "display.h"
#include "emit.h"
#include "facilities.h"
#include "method.h"

void self_check_init(char *screen, size_t capacity, struct pack *unpack, const struct cpu *,
                     const struct facilities *);

/* For each facility, why its probe result is no failure on this platform; or NULL. */
const char *const *self_check_expected(void);

/* Facilities whose probe result is a failure on this platform. */
size_t self_check_wrong_facilities(void);

/*
 * One run that was made, or (NULL) skipped, and of one that was made again the last, with
 * what is known of all its tries.
 */
void self_check_run(const struct run_request *, const struct run_result *,
                    const struct branch *records, const struct run_tries *);

/*
 * The record, from 1, at which a run that came to its end first differs from what is
 * expected, or 0: it does not.
 */
uint64_t self_check_difference(const struct run_request *, const struct run_result *,
                               const struct branch *records);

/* True if this platform does what silicon does, so that an SMI may hit a run. */
bool self_check_on_silicon(void);

/* How many runs so far there are of each kind. */
const size_t *self_check_counts(void);

/* Closes the text.  Avoided: something was not tried since an earlier boot died of it. */
void self_check_end(const struct end_line *, bool avoided);
