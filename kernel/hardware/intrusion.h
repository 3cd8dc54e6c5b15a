/*
 * Intrusions into a run: SMIs, which the firmware handles out of sight, and stray NMIs
 * (idt.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct intrusions {
    uint32_t smis; /* 0 where the processor does not count them */
    uint64_t nmis;
};

/*
 * SMIs since reset; false: this processor does not count them.  SDM vol. 4, "MSRs in
 * Processors Based on Intel Microarchitecture Code Name Nehalem": MSR_SMI_COUNT, whose
 * bits 31:0 count.
 */
bool intrusion_smi_count(uint32_t *count);

/* All intrusions on this processor so far. */
struct intrusions intrusion_count(void);

/* The intrusions since then. */
struct intrusions intrusion_since(const struct intrusions *then);
