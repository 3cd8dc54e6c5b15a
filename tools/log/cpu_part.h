/*
 * What a log says of a processor and of what was found on it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpuid_leaves.h"
#include "facility.h"
#include "model.h"
#include "platform.h"
#include "span.h"

struct facility_found {
    enum probe_result probe_result;
    struct span evidence;
    size_t line;
    uint64_t interrupts, typical, most; /* how late these were; 0 of them: not measured */
    enum probe_result other;            /* found later by another command, if other_line */
    size_t other_line;
};

/* What was on when the processor was taken; empty: not logged. */
struct left {
    struct span debugctl, lbr_ctl; /* a number; debugctl may be `absent`              */
    struct span smi_count;         /* a number, or `absent`: SMIs are not counted     */
    struct span counters;          /* that were on: bits as in IA32_PERF_GLOBAL_CTRL  */
};

struct cpu_part {
    size_t number; /* the first processor that it describes */
    struct span brand, microcode;
    struct cpu_id id;
    struct cpuid_leaf *leaves;
    size_t leaf_count, leaf_capacity;
    const struct model *row; /* NULL: unknown */
    size_t lbr_depth;
    bool no_bts;                     /* IA32_MISC_ENABLE says so */
    const struct platform *platform; /* judge() finds it; NULL: unknown */
    const struct platform *beneath;  /* the same of what its hypervisor runs on */
    bool under_linux;                /* a process made the runs, by what Linux offers it */
    bool db_keeps_lbr; /* judge() sets it: there an injected #DB is expected to keep LBR on
                        */
    struct facility_found facilities[FACILITY_COUNT];
    size_t line, features_line, model_line;
    struct left left;
    size_t left_line;
};

/* One of several processors that took part. */
struct processor {
    size_t line, like; /* like: an earlier one of its kind, or itself */
    uint64_t apic;
    struct cpu_part part; /* of one that is like none before, except processor 0 */
    size_t lost_line;     /* it did not come back, and why */
    struct span lost_why;
};
