/*
 * freeze.h.  SDM vol. 3B, "Freezing LBR and Performance Counters on PMI"; AMD64 APM vol. 2,
 * "Debug-Control MSR (DebugCtl)".
 *
 * Up to version 3 of architectural performance monitoring the interrupt clears
 * DEBUGCTL.LBR and GLOBAL_CTRL; from version 4 on it leaves them and sets LBR_FRZ and
 * CTR_FRZ in GLOBAL_STATUS, as AMD does with the first.
 */
#include "freeze.h"

#include "msr.h"
#include "registers.h"

bool freeze_is_documented(const struct cpu *cpu)
{
    return cpu->id.amd_freezes || cpu->id.perfmon >= PERFMON_WITH_FREEZE_BITS;
}

uint32_t freeze_status(const struct cpu *cpu)
{
    return cpu->id.amd_freezes ? MSR_AMD_GLOBAL_STATUS : MSR_PERF_GLOBAL_STATUS;
}

bool freeze_is_on(const struct cpu *cpu)
{
    uint64_t status = 0;
    return freeze_is_documented(cpu) && msr_read(freeze_status(cpu), &status) &&
           status & GLOBAL_STATUS_LBR_FRZ;
}

void freeze_thaw(const struct cpu *cpu)
{
    if (freeze_is_documented(cpu))
        msr_write(cpu->id.amd_freezes ? MSR_AMD_GLOBAL_STATUS_CLEAR
                                      : MSR_PERF_GLOBAL_OVF_CTRL,
                  GLOBAL_STATUS_LBR_FRZ | GLOBAL_STATUS_CTR_FRZ);
}

/* The bits belong to DEBUGCTL, whichever register turns recording on. */
bool freeze_add(struct enable *enable, uint64_t bits)
{
    if (enable->msr == MSR_DEBUGCTL)
        enable->on |= bits;
    return msr_write(MSR_DEBUGCTL, bits);
}
