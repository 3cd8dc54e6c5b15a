/*
 * Registers and bits that the kernel touches, under the manuals' names.
 *
 * SDM vol. 4, "IA-32 Architectural MSRs"; vol. 3A, "System Registers"; AMD64 APM
 * vol. 2, "Model-Specific Registers".
 */
#pragma once

#include "msr_numbers.h"

#define BIT(n) (1ull << (n))

#define RFLAGS_TF  BIT(8)
#define RFLAGS_IF  BIT(9)
#define RFLAGS_ONE BIT(1) /* reads as 1, always */

#define CR0_WP    BIT(16)
#define CR3_PCID  0xfffull /* where CR4.PCIDE is set */
#define CR4_PGE   BIT(7)
#define CR4_LA57  BIT(12) /* five levels of page tables */
#define CR4_PCIDE BIT(17)
#define CR4_SMEP  BIT(20) /* ring 0 runs nothing of ring 3... */
#define CR4_SMAP  BIT(21) /* ...and touches nothing           */
#define CR4_PKE   BIT(22) /* keys protect pages of ring 3 */
#define CR4_CET   BIT(23)
#define CR4_PKS   BIT(24) /* ...and of ring 0             */
#define CR4_FRED  BIT(32) /* events without an IDT        */

#define DR6_CLEAR 0xffff0ff0ull /* what DR6 holds when nothing happened */
#define DR6_BLD   BIT(11)       /* 0: a bus lock was detected           */
#define DR6_BS    BIT(14)       /* a single step                        */
#define DR7_OFF   0x400ull

#define MSR_APIC_BASE                0x1b
#define APIC_BASE_X2APIC             BIT(10)
#define APIC_BASE_ENABLE             BIT(11)
#define MSR_BIOS_SIGN_ID             0x8b /* microcode revision in the high half        */
#define MSR_SYSENTER_CS              0x174
#define MSR_SYSENTER_ESP             0x175
#define MSR_SYSENTER_EIP             0x176
#define MISC_ENABLE_NO_BTS           BIT(11) /* BTS_UNAVAILABLE                            */
#define DEBUGCTL_BTF                 BIT(1) /* EFLAGS.TF traps on branches only; the same on all */
#define MSR_PAT                      0x277
#define PAT_1                        (0xffull << 8) /* for pages with PWT alone */
#define PAT_1_WRITE_COMBINING        (0x01ull << 8)
#define PERF_CAPABILITIES_FREEZE_SMM BIT(12) /* DEBUGCTL has FREEZE_WHILE_SMM       */
#define DEBUGCTL_FREEZE_LBRS         BIT(11)
#define DEBUGCTL_FREEZE_PERFMON      BIT(12)
#define DEBUGCTL_FREEZE_WHILE_SMM    BIT(14)
#define GLOBAL_STATUS_TOPA           BIT(55) /* a region with INT is full */
#define GLOBAL_STATUS_LBR_FRZ        BIT(58)
#define GLOBAL_STATUS_CTR_FRZ        BIT(59)
#define PERFMON_WITH_FREEZE_BITS     4
#define PERFMON_WITH_GLOBAL          2           /* the version that has PERF_GLOBAL_CTRL */
#define BRS_ALWAYS                   (3ull << 3) /* C000010F: reserved, must be 1s         */
#define BRS_VALID                    BIT(5) /* vb: there are records                  */
#define BRS_NEXT                     16     /* msroff: the entry to write next        */
#define BRS_NEXT_MASK                0xfull /* ...4 bits; 0 again when all are filled */
#define MSR_RTIT_OUTPUT_BASE         0x560
#define MSR_RTIT_OUTPUT_MASK_PTRS    0x561
#define RTIT_OUTPUT_RESERVED         0x7full /* reads as 1s                            */
#define RTIT_OUTPUT_ENTRY_SHIFT      7       /* of the table; or a mask: bits 31:7     */
#define RTIT_OUTPUT_OFFSET_SHIFT     32
#define TOPA_END                     BIT(0) /* its address is that of the next table      */
#define TOPA_INT                     BIT(2) /* an interrupt when the region is full       */
#define TOPA_STOP                    BIT(4) /* tracing stops when the region is full      */
#define MSR_RTIT_CTL                 0x570
#define RTIT_TRACE_EN                BIT(0)
#define RTIT_CYC                     BIT(1)
#define RTIT_OS                      BIT(2)
#define RTIT_USER                    BIT(3)
#define RTIT_CR3_FILTER              BIT(7)
#define RTIT_TOPA                    BIT(8)
#define RTIT_MTC                     BIT(9)
#define RTIT_BRANCH_EN               BIT(13)
#define RTIT_MTC_PERIOD_SHIFT        14
#define RTIT_RANGE(n)                (1ull << (32 + 4 * (n))) /* tracing is on within it */
#define MSR_RTIT_STATUS              0x571
#define RTIT_STATUS_ERROR            BIT(4)
#define RTIT_STATUS_STOPPED          BIT(5)
#define MSR_RTIT_CR3_MATCH           0x572
#define MSR_RTIT_RANGE_FIRST(n)      (0x580 + 2 * (n))
#define MSR_RTIT_RANGE_LAST(n)       (0x581 + 2 * (n))
#define MSR_TSC_DEADLINE             0x6e0
#define MSR_S_CET                    0x6a2
#define S_CET_SHADOW_STACK           BIT(0) /* SH_STK_EN */
#define MSR_EFER                     0xc0000080
#define EFER_SCE                     BIT(0) /* SYSCALL is there */
#define EFER_NXE                     BIT(11)
#define MSR_STAR                     0xc0000081 /* selectors of SYSCALL and SYSRET   */
#define STAR_SYSCALL_SHIFT           32
#define STAR_SYSRET_SHIFT            48
#define MSR_LSTAR                    0xc0000082 /* where SYSCALL goes                */
#define MSR_FMASK                    0xc0000084 /* flags that SYSCALL clears         */
#define MSR_FS_BASE                  0xc0000100
#define MSR_GS_BASE                  0xc0000101

/* The first leaf of a range reports the last one. */
#define RANGE_BASIC    0
#define RANGE_EXTENDED 0x80000000u

/* Guests whose memory is encrypted. */
#define LEAF_TDX           0x21
#define LEAF_SEV           0x8000001fu
#define SEV_SUPPORTED      BIT(1) /* EAX: there is MSR C0010131 */
#define MSR_AMD_SEV_STATUS 0xc0010131

/* CPUID.80000001H:EDX. */
#define LEAF_EXTENDED_FEATURES 0x80000001u
#define FEATURE_NX             BIT(20)

/* Vectors.  SDM vol. 3A, "Exceptions and Interrupts". */
#define VECTOR_DE       0
#define VECTOR_DB       1
#define VECTOR_NMI      2
#define VECTOR_DF       8
#define VECTOR_GP       13
#define VECTOR_PF       14
#define VECTOR_MC       18
#define VECTOR_WAKE     0xfc /* of the highest class, as the next: all others wait */
#define VECTOR_LER_MARK 0x31 /* of an INT: kernel/methods/ler_mark.asm */
#define VECTOR_PMI      0xfd
#define VECTOR_WATCHDOG 0xfe
#define VECTOR_SPURIOUS 0xff
#define VECTORS         256
