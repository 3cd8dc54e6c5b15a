/*
 * The instruction that a cause is about, between its neighbours.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "causes.h"

#define CAUSE_INSNS 3
struct cause_code {
    size_t count;
    struct {
        uint64_t offset;          /* from the workload's start */
        const char *label, *text; /* scratch text; label: NULL without one */
        bool is_it; /* the branch that was expected, or else the one recorded */
    } insns[CAUSE_INSNS];
};

/* Count 0: the difference is not in the code of a workload. */
void cause_code_of(struct cause_code *, const struct log *, const struct cause *);
