/* Identifies the processor and what it announces; probe.h tries whether that is true. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cpuid_leaves.h"
#include "model.h"
#include "pmu.h"

struct cpu {
    struct cpu_id id;
    uint64_t microcode;
    char brand[CPUID_BRAND_SIZE];
    bool has_misc_enable, has_perf_capabilities;
    uint64_t misc_enable, perf_capabilities;
    struct cpuid_leaf leaves[CPUID_LEAVES_MAX]; /* those that the log shows */
    size_t leaf_count;
    const struct model *model; /* NULL: unknown                       */
    const struct pmu *pmu;     /* the same of its counters */
    uint8_t counter;           /* the general one to use, from 0: pmc_free() chose it */
    size_t lbr_depth;          /* entries in use                      */
    uint8_t lbr_from_flags;    /* bits at the top of FROM that are no address */
};

struct cpu cpu_identify(void);

/* Are these two alike in everything that a method or the host asks about? */
bool cpu_alike(const struct cpu *, const struct cpu *);
