/*
 * The MSRs of the branch-trace hardware by the manuals' names: those that every processor
 * of a vendor has, and those in the model's row.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model.h"

#define TRACE_MSR_NAME_SIZE 32

struct trace_msr {
    char name[TRACE_MSR_NAME_SIZE];
    uint32_t number;
    bool harmless; /* whatever is written, it only traces: it touches no memory that it
                      was not given, and changes nothing else                     */
};

/* Decides which MSRs exist; with model NULL (unknown), only the vendor's. */
struct trace_msr_set {
    const char *vendor; /* CPUID.0 */
    const struct model *model;
    size_t lbr_depth;
    bool ds; /* CPUID.1:EDX.DS; matters to what is harmless alone */
};

/* The one at an index, from 0; false: there are no more. */
bool trace_msr_at(const struct trace_msr_set *, size_t index, struct trace_msr *out);

bool trace_msr_numbered(const struct trace_msr_set *, uint32_t number,
                        struct trace_msr *out);

/* By its name in any case of letters, with or without IA32_ or MSR_ before it. */
bool trace_msr_named(const struct trace_msr_set *, const char *name, struct trace_msr *out);
