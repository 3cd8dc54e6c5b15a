/*
 * The branch-trace hardware of each processor model: rows of data, no decisions.
 *
 * A row holds only what the processor cannot report; CPUID and IA32_PERF_CAPABILITIES are
 * asked first.  Each row names its source.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "confidence.h"
#include "filter.h"
#include "info.h"

#define HYPERVISOR_KVM "KVMKVMKVM"
#define HYPERVISOR_XEN "XenVMMXenVMM"

/* QEMU's TCG announces this at CPUID.40000000H, the emulator as well as stock QEMU. */
#define HYPERVISOR_TCG "TCGTCGTCGTCG"

/* The emulator announces this there in its silicon mode. */
#define HYPERVISOR_TCG_AS_METAL "TCG-as-metal"

/* What CPUID says, as cpuid_decode() takes it from the leaves, and one MSR. */
struct cpu_id {
    char vendor[13];
    uint32_t signature;               /* CPUID.1:EAX                    */
    uint32_t family, model, stepping; /* DisplayFamily and DisplayModel */
    bool has_hypervisor;              /* CPUID.1:ECX[31]                */
    char hypervisor[13];              /* CPUID.40000000H; may be empty  */
    bool arch_lbr;                    /* CPUID.7.0:EDX[19]              */
    bool amd_lbr_v2;                  /* CPUID.80000022:EAX[1]          */
    uint8_t amd_lbr_v2_depth;         /* CPUID.80000022:EBX[9:4]        */
    bool ds, dtes64, ds_cpl, pdcm;    /* CPUID.1                        */
    uint8_t arch_lbr_depths;          /* CPUID.1C:EAX[7:0]              */
    bool arch_lbr_linear;             /* CPUID.1C:EAX[31]               */
    uint8_t arch_lbr_filters;         /* CPUID.1C:EBX[2:0]: ARCH_LBR_BY_... */
    uint8_t arch_lbr_fields;          /* CPUID.1C:ECX[2:0]: ARCH_LBR_MISPREDICT... */
    uint8_t lbr_format;               /* PERF_CAPABILITIES[5:0], if pdcm */
    bool amd_global_counters;         /* CPUID.80000022:EAX[0]          */
    bool amd_freezes;                 /* CPUID.80000022:EAX[2]          */
    bool amd_brs;                     /* CPUID.80000008:EBX[31]         */
    bool tsx;                         /* CPUID.7.0:EBX[4] or EBX[11]    */
    bool pt;                          /* CPUID.7.0:EBX[25]              */
    bool pt_cr3, pt_ranges, pt_mtc;   /* CPUID.14H:EBX[0], [2] and [3]  */
    bool pt_psb;                      /* CPUID.14H:EBX[1]: PSB by bytes, and CYC */
    bool pt_preserves;                /* CPUID.14H:EBX[6]: PendPSB and PendToPAPMI */
    uint8_t pt_range_count;           /* CPUID.14H.1:EAX[2:0]           */
    uint16_t pt_mtc_periods;          /* CPUID.14H.1:EAX[31:16]         */
    bool pt_topa, pt_topa_regions;    /* CPUID.14H:ECX[0], ECX[1]       */
    bool pt_single;                   /* CPUID.14H:ECX[2]               */
    uint8_t perfmon;                  /* CPUID.0AH:EAX[7:0]              */
    uint32_t events_denied;           /* bit n: not pre-defined event n: pmu_take() */
    uint32_t general_counters;        /* bit n: general counter n exists          */
    uint32_t fixed_counters;          /* bit n: fixed counter n exists            */
    uint8_t core_type;                /* CPUID.1AH:EAX[31:24]: CORE_TYPE_...; 0: unknown */
};

/* SDM vol. 2A, "CPUID", leaf 1AH: which core of a hybrid processor this one is. */
#define CORE_TYPE_SHIFT 24
#define CORE_TYPE_ATOM  0x20
#define CORE_TYPE_CORE  0x40

/* SDM vol. 2A, "CPUID", leaf 1CH: how architectural LBR filters. */
#define ARCH_LBR_BY_RING  1
#define ARCH_LBR_BY_KIND  2
#define ARCH_LBR_BY_STACK 4 /* call-stack mode */
#define ARCH_LBR_FILTERS  7

/* SDM vol. 2A, "CPUID", leaf 1CH: what a record holds beside FROM and TO. */
#define ARCH_LBR_MISPREDICT 1
#define ARCH_LBR_TIMED      2
#define ARCH_LBR_TYPE       4
#define ARCH_LBR_FIELDS     7

/* Masks in DEBUGCTL; the positions differ (NetBurst). 0: has no such bit. */
struct debugctl_bits {
    uint32_t lbr, btf, tr, bts, btint, bts_off_os, bts_off_usr;
};

/* The form of an entry in its registers. */
enum lbr_form {
    LBR_PAIR,    /* FROM and TO, 64 bits each                             */
    LBR_PAIR_32, /* the same, 32 bits each                                */
    LBR_PACKED,  /* one register: FROM in the low half, TO in the high one */
};

/* A stack of last-branch records. */
struct lbr_layout {
    uint8_t depth; /* entries; 0 where CPUID says it: see model_lbr_depth */
    enum lbr_form form;
    uint32_t from, to; /* MSR of entry 0                                      */
    uint8_t stride;    /* MSRs from one entry to the next; 0 means 1          */
    uint32_t info;     /* 0: none                                             */
    uint32_t tos;      /* 0: none, entry 0 is the newest (or the only one)    */
    uint32_t select;   /* the filter's own register, 0: none                  */
    const struct filter_form *filter; /* the filter's bits, in `select` or `ctl`; or NULL */
    uint32_t ctl;        /* what turns it on, 0: DEBUGCTL does                  */
    uint64_t ctl_enable; /* the bit of `ctl` that does it; #DB clears it        */
    uint32_t set_depth;  /* IA32_LBR_DEPTH, 0: none; a write clears all entries */
    uint8_t from_flags;  /* bits at the top of FROM that are flags, no address  */
    uint8_t to_flags;    /* the same of TO                                      */
    const struct info_form *fields; /* what these, or info, say; NULL: nothing */
    bool to_valid;        /* TO[63] says that the entry is valid (AMD)           */
    uint8_t formats;      /* bit n: reports LBR_FMT n; 0: none, or by CPUID      */
    bool format_misleads; /* LBR_FMT does not tell from_flags here               */
    bool writable;        /* records can be cleared by writing them              */
    bool offsets;         /* they hold offsets in CS: see model_lbr_offsets      */
    bool fuses;           /* FROM can be the instruction fused with the branch   */
    bool doubles_newest;  /* the newest record can be a copy of the one before   */
};

/* DisplayModels of one family, from first to last; and all of any later family. */
struct signatures {
    uint16_t family;
    struct {
        uint16_t first, last;
    } models[2];
};

struct model {
    const char *name;   /* a-z, 0-9, _ and -: a word in the log          */
    const char *about;  /* the products, in one line                     */
    const char *vendor; /* CPUID.0                                       */
    uint16_t family;
    uint16_t numbers[40]; /* DisplayModels                                 */
    uint8_t number_count;
    bool any_number; /* every model of the family; arch_lbr: by CPUID */
    bool and_later;  /* and of any later family, except NetBurst's (0FH) */
    bool needs_arch_lbr;
    bool needs_amd_lbr_v2;
    struct signatures signatures; /* of a row that needs a bit of CPUID, or none */
    struct debugctl_bits debugctl;
    struct lbr_layout lbr;
    struct lbr_layout brs; /* AMD branch sampling, where CPUID agrees          */
    uint32_t ler_from, ler_to;
    uint32_t ler_info;      /* laid out as the INFO of the stack; 0: none     */
    bool ler_of_int;        /* stated: INT n updates it, as exceptions do      */
    bool bts;               /* DS area and BTS, where CPUID.DS agrees        */
    bool pt;                /* Processor Trace, where CPUID agrees           */
    uint16_t without_pt[5]; /* DisplayModels of such a row that have none, up to a 0 */
    bool btf_unconfirmed;   /* only a probe tells whether BTF does anything */
    bool btf_unsure;     /* no manual says if BTF also stops at handlers and untaken Jccs */
    uint16_t pmi_latest; /* branches by which a counter's interrupt is known to be late,
                            or nearly; 0: there is no such number */
    bool sysenter;       /* has SYSENTER and SYSEXIT in 64-bit mode       */
    bool tr_excludes_lbr; /* TR and LBR must not both be set               */
    const char *source;   /* of the row                                    */
    enum confidence confidence;
};

extern const struct model models[];
extern const size_t model_count;

/* The row for this processor, or NULL: unknown. */
const struct model *model_find(const struct cpu_id *);

/*
 * Finds the row when only vendor, family and model are known; NULL if there is none, or if
 * Intel has no such family.  On Intel, a number without a stack in its row means
 * architectural LBR.
 */
const struct model *model_by_signature(const struct cpu_id *);

/*
 * Returns how many entries are used: the row's number, or the largest depth that CPUID.1C
 * offers (bit n: 8 * (n + 1) entries; SDM vol. 2A, "CPUID", leaf 1CH).
 */
#define ARCH_LBR_DEPTH_STEP 8
size_t model_lbr_depth(const struct model *, const struct cpu_id *);

/*
 * True if last-branch records hold offsets in CS instead of addresses.  LBR_FMT or CPUID.1C
 * decides, or else the row.
 */
bool model_lbr_offsets(const struct model *, const struct cpu_id *);

/*
 * True if a processor of the row, one of its numbers, may have Processor Trace: Broadwell,
 * Goldmont and what followed (Linux, tools/perf/Documentation/perf-intel-pt.txt).
 */
bool model_may_have_pt(const struct model *);

/* The row of this name, or NULL. */
const struct model *model_named(const char *name);
