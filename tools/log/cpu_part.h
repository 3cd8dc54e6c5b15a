/*
 * What a log says of a processor and of what was found on it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpuid_leaves.h"
#include "facility.h"
#include "lines.h"
#include "model.h"
#include "platform.h"

struct cpu_part {
    size_t number;         /* the first processor that it describes */
    struct cpu_line named; /* its brand string and microcode */
    struct features_line features;
    struct model_line model;
    struct left_line left; /* what was on when the processor was taken */
    struct cpu_id id;
    struct cpuid_leaf *leaves;
    size_t leaf_count, leaf_capacity;
    const struct model *row; /* NULL: unknown */
    size_t lbr_depth;
    bool no_bts;                     /* IA32_MISC_ENABLE says so */
    const struct platform *platform; /* judge() finds it; NULL: unknown */
    const struct platform *host;     /* the same of what its hypervisor runs on */
    bool under_linux;                /* a process made the runs, by what Linux offers it */
    bool db_keeps_lbr; /* judge() sets it: there an injected #DB is expected to keep LBR on
                        */
    struct facility_line facilities[FACILITY_COUNT];
    struct facility_line again[FACILITY_COUNT]; /* found otherwise by a later command */
};

/* One of several processors that took part. */
struct processor {
    struct processor_line said;
    struct cpu_part part;  /* of one that is like none before, except processor 0 */
    struct lost_line lost; /* it did not come back, and why */
};
