/* What this processor is and says it has.  Nothing here is tried out: probe.h does. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model.h"

struct cpu {
    struct cpu_id id;
    uint32_t signature; /* CPUID.1:EAX                            */
    uint64_t microcode;
    char hypervisor[13]; /* CPUID.40000000H; empty: none announced */
    char brand[49];
    uint8_t perfmon; /* CPUID.0AH:EAX[7:0] */
    bool has_misc_enable, has_perf_capabilities;
    uint64_t misc_enable, perf_capabilities;
    const struct model *model; /* NULL: unknown                       */
    size_t lbr_depth;          /* entries in use                      */
    uint8_t lbr_from_flags;    /* bits at the top of FROM that are no address */
};

struct cpu cpu_identify(void);
