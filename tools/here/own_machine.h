/* The machine that this program runs on, as CPUID and Linux describe it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpuid_leaves.h"
#include "model.h"

#define DMI_SIZE 39 /* four of them fit into a line of the log */

struct own_machine {
    int processor; /* Linux's number of it */
    struct cpu_id id;
    bool has_misc_enable, has_perf_capabilities; /* msr_lbr_begin() reads these two */
    uint64_t misc_enable, perf_capabilities;
    struct cpuid_leaf leaves[CPUID_LEAVES_MAX];
    size_t leaf_count;
    char brand[CPUID_BRAND_SIZE];
    uint64_t microcode; /* 0: Linux does not say */
    const char *fred;   /* on, off or unknown; NULL: the processor has none */
    const struct model *model;
    size_t lbr_depth;
    char release[65]; /* of Linux */
    bool has_dmi;     /* Linux has some of the texts below */
    char bios_vendor[DMI_SIZE], bios_version[DMI_SIZE], bios_date[DMI_SIZE];
    char system_vendor[DMI_SIZE], system_product[DMI_SIZE];
    char board_vendor[DMI_SIZE], board_product[DMI_SIZE];
};

/*
 * The nth processor that this process might use at its start; -1: there are no more.
 */
int own_machine_processor(size_t n);

/* Keeps this process on that processor, and describes it.  False where it cannot be. */
bool own_machine_read(struct own_machine *, int processor);
