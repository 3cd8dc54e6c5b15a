/*
 * The instructions that a workload runs between the window's call and its return.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "parsed.h"

struct retired {
    uint64_t insns;
    uint64_t not_taken; /* conditional branches...                                 */
    uint64_t filtered;  /* ...and how many of them in a ring that the run leaves out */
    uint64_t branches;  /* all that an instruction makes, these too; not the call  */
    uint64_t in_a_row;  /* in the longest row that ends with a near taken one */
    uint64_t unsure;    /* instructions for which no source says that they retire  */
    bool known;         /* the log has all of the code                             */
};
struct retired retired_of(const struct log *, const struct run *);

/* True if an instruction that the workload runs begins at this address of it. */
bool runs_at(const struct log *, const struct run *, uint64_t address);

/* Returns how many transfers of these kinds (COUNTS()) the workload makes; how many lead to
 * another segment or ring, events and returns from them too; and how many the counter of
 * the run counts at least, by its event's row. */
uint64_t count_kinds(const struct log *, const struct run *, uint32_t kinds);
uint64_t count_far(const struct log *, const struct run *);
uint64_t count_least(const struct log *, const struct run *);
