/*
 * Performance counters that somebody else uses: some firmware counts in its SMI handlers
 * and never says so (Linux finds it by the enable bits, too: "BIOS has corrupted hw-PMU
 * resources", arch/x86/events/core.c).
 */
#pragma once

#include <stdint.h>

#include "cpu.h"

/*
 * The counters that are on, bits as in IA32_PERF_GLOBAL_CTRL: general ones from 0 on, fixed
 * ones from 32 on.  Before any of them is set up.
 */
uint64_t pmc_on(const struct cpu *);

/* The first general one that is off; 0 where none is, or none is known. */
uint8_t pmc_free(const struct cpu *, uint64_t on);
