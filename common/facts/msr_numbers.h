/*
 * The numbers of the MSRs of branch tracing that are the same on all models of a vendor.
 * The kernel programs them, and the log and the monitor name them.  SDM vol. 4, "IA-32
 * Architectural MSRs"; AMD64 APM vol. 2, "Performance Counter MSRs".
 */
#pragma once

#define MSR_SMI_COUNT                0x34 /* bits 31:0: SMIs since reset */
#define MSR_MISC_ENABLE              0x1a0
#define MSR_DEBUGCTL                 0x1d9
#define MSR_PERF_CAPABILITIES        0x345
#define PERF_CAPABILITIES_LBR_FORMAT 0x3full /* SDM vol. 4, IA32_PERF_CAPABILITIES */
#define MSR_FIXED_CTR_CTRL           0x38d
#define MSR_PERF_GLOBAL_STATUS       0x38e
#define MSR_PERF_GLOBAL_CTRL         0x38f
#define MSR_PERF_GLOBAL_OVF_CTRL     0x390 /* also IA32_PERF_GLOBAL_STATUS_RESET */
#define MSR_DS_AREA                  0x600
#define MSR_AMD_GLOBAL_STATUS        0xc0000300 /* PerfCntrGlobalStatus */
#define MSR_AMD_GLOBAL_CTL           0xc0000301 /* PerfCntrGlobalCtl */
#define MSR_AMD_GLOBAL_STATUS_CLEAR  0xc0000302 /* PerfCntrGlobalStatusClr */
#define MSR_AMD_GLOBAL_STATUS_SET    0xc0000303 /* PerfCntrGlobalStatusSet */
