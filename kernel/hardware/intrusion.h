/*
 * What breaks into a run unasked: SMIs, which the firmware handles out of sight, and NMIs
 * that nobody waits for.
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

/* All that this processor has seen so far... */
struct intrusions intrusion_count(void);

/* ...and what came between then and now. */
struct intrusions intrusion_since(const struct intrusions *then);
