/*
 * Branch-trace hardware of x86 processors: LBR, LER, BTS, BTF and Processor Trace.
 *
 * This has the kinds of branch, the fields of a row (one for each processor), the state
 * of a processor, and the calls between the files, in this order.  Files of QEMU itself
 * call it at the places that the hooks add; cpu.h includes it.
 *
 * The rows of branch-trace-models.c say how processors differ; the rest of the code asks
 * what a row has, never which processor it is.  The files with "misbehave", "errata" or
 * "silicon" in their names do what no manual has, and only when a property asks for it:
 * the hardware can be read without them.
 *
 * "SDM" is the Intel 64 and IA-32 Architectures Software Developer's Manual,
 * "APM" the AMD64 Architecture Programmer's Manual.  Sections are named by
 * title, since their numbers move between editions.  A fact is "measured" if
 * register dumps of real processors show it and no manual says it.  A rule that no
 * source states as such is "derived" if it follows from others, "unconfirmed" if a source
 * suggests it, and "chosen" if others would be as good.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef I386_BRANCH_TRACE_H
#define I386_BRANCH_TRACE_H

#include "branch-trace-errata.h"
#include "branch-trace-misbehave.h"
#include "branch-trace-silicon.h"

/* Deepest ring that a row may ask for; a power of two. */
#define BT_MAX_DEPTH 64

/*
 * The kinds of branch that LBR_SELECT and IA32_LBR_CTL distinguish.
 * BT_ZERO_CALL is a near relative call to the next instruction, which only
 * call-stack mode treats differently (SDM vol. 3B, "LBR Stack" of Haswell).
 * BT_LOOP is LOOP and JrCXZ, BT_EVENT an interrupt or exception, and BT_FAR every other far
 * transfer, INT n included.
 */
typedef enum BTKind {
    BT_NONE,
    BT_JCC,
    BT_LOOP,
    BT_REL_JMP,
    BT_IND_JMP,
    BT_REL_CALL,
    BT_ZERO_CALL,
    BT_IND_CALL,
    BT_RET,
    BT_FAR,
    BT_EVENT,
    BT_KINDS,
} BTKind;

static inline bool bt_conditional(BTKind kind)
{
    return kind == BT_JCC || kind == BT_LOOP;
}

/*
 * A kind and a privilege level, as the number of a bit in lbr_mask and bts_mask.  In
 * lbr_mask it is the level that the branch enters, in bts_mask the one that it leaves.
 */
#define BT_WHAT(kind, cpl) ((kind) + ((cpl) ? 16 : 0))
#define BT_WHAT_KIND(what) ((what) & 15)

/* One processor.  A field for what it lacks is zero. */
typedef struct BTModel {
    const char *name;
    const char *ecores;         /* the row of the other cores of its chip */

    /*
     * DEBUGCTL: bits that are kept, bits that are ignored, and the meaning of
     * bits.  A write of any other bit raises #GP(0).
     */
    uint64_t debugctl_kept, debugctl_ignored;
    uint64_t lbr, btf, tr, bts, btint, bts_off_os, bts_off_usr;
    uint64_t freeze_lbrs, freeze_perfmon, freeze_smm;
    bool tr_stops_lbr;          /* LBR contents are undefined while TR = 1 */
    bool freeze_lbrs_stops_tr;  /* setting the one clears the other */

    /* The LBR stack: numbers of MSRs, 0 where there are none. */
    uint32_t from, to, info;
    uint8_t depth;              /* a power of two, no more than BT_MAX_DEPTH */
    bool linear;                /* records hold linear addresses, not offsets */
    bool packed;                /* FROM and TO share a register, 32 bits each */
    bool narrow;                /* all registers of records have 32 bits */
    bool cycles_in_to;          /* TO[63:48] are cycles, TO[47:0] address */
    uint64_t from_flags;        /* FROM[63], or [63:61]: flags, not address */
    bool records_read_only;     /* writes of them raise #GP */
    bool canonical;             /* writes of non-canonical records raise #GP */
    uint64_t info_writable;     /* writes of other bits of INFO raise #GP */
    uint64_t info_valid;        /* set in each INFO that is recorded */
    bool info_type;             /* INFO[59:56] is the type of the branch */
    uint64_t info_counters;     /* counters of events in INFO: any value */

    uint32_t tos;
    bool tos_read_only;         /* writes of it raise #GP */
    uint64_t tos_faults;        /* writes of these bits raise #GP */
    uint64_t tos_stray;         /* reads return these bits set; no meaning */

    uint32_t select;            /* LBR_SELECT */
    uint64_t select_kept, select_ignored;

    uint32_t last_from, last_to;        /* the newest record, read-only */
    bool lbrv;                  /* SVM can virtualise these, LER and DEBUGCTL */
    uint32_t ler_from, ler_to, ler_info;
    bool ler_read_only;         /* writes of it raise #GP */
    bool ler_skips_mce;

    /* Architectural LBR */
    uint32_t lbr_ctl, lbr_depth;
    uint32_t leaf_1c[3];        /* CPUID.1CH: EAX, EBX, ECX */
    uint32_t leaf_1a;           /* CPUID.1AH:EAX, the kind of core, if hybrid */

    /*
     * AMD's LBR stack of version 2: it has an enable bit of its own in
     * DebugExtnCtl, beside DebugCtl.LBR, which is for last_from and last_to.
     * FROM and TO take turns, and TO has a valid bit.
     */
    uint32_t extn_ctl;
    bool brs;                   /* branch sampling instead of such a stack */
    bool fuses;                 /* FROM may be the ALU instruction before Jcc */
    uint32_t leaf_80000022[2];  /* CPUID.8000_0022H: EAX, EBX */

    /* Debug store */
    uint32_t ds_area;           /* IA32_DS_AREA; CPUID.DS = 1, unless no_ds */
    bool no_ds;                 /* the register is there and nothing else */
    bool ds_area_narrow;        /* writes ignore its upper half */
    bool dtes64, ds_cpl;
    bool bts_predicted;         /* the "predicted" flag of a record means something */

    /* Processor Trace */
    uint32_t leaf_14[2][4];     /* CPUID.14H, by subleaf: EAX to EDX */
    bool pt_stops_lbr;          /* LBR and BTS are off while TraceEn = 1 */
    bool pt_long_tnt;           /* it sends up to 47 branches in a packet, not 6 */

    /* What goes with them */
    bool has_misc_enable;
    uint64_t misc_enable;
    bool smi_count;             /* MSR_SMI_COUNT exists */
    bool pdcm;                  /* IA32_PERF_CAPABILITIES exists */
    uint64_t perf_capabilities;
    uint32_t leaf_0a[4];        /* CPUID.0AH: EAX, EBX, ECX, EDX */
    uint8_t counters;           /* how many, where CPUID.0AH does not report it */
    bool counters_lenient;      /* their reserved bits are ignored, not #GP */
    bool amd_counters;          /* they are AMD's, the first four at C001_0000H */
    bool core_counters;         /* all are at C001_0200H as well */
    bool host_guest_needs_svme; /* while EFER.SVME = 0, a counter of the host or of the
                                   guest alone counts nothing (else everything) */
    uint16_t taken_event;       /* UMASK and EVENT of taken branches */
    uint16_t inserts_event;     /* likewise, of inserts into the LBR stack */
    uint32_t leaf_23[4][4];     /* CPUID.23H, by subleaf: EAX to EDX */
    bool taken_near;            /* taken_event counts near branches only */
    bool absent_reads_zero;     /* registers that it lacks read 0, not #GP */

    /* What bt-silicon=on turns on */
    BTSilicon silicon;
    uint64_t errata;
} BTModel;

/* What properties change in a row: some real processors have it, and some do not. */
typedef struct BTVariant {
    bool dtes64;                /* DS records have 64 bits everywhere, if the row's do */
    bool fuse;                  /* branches are fused, if the row has that   */
    bool no_bts;                /* BTS_UNAVAILABLE: TR, BTS, BTINT are ignored */
    bool no_ler;                /* LER never changes                         */
    bool no_ds_cpl;             /* no CPL-qualified records in memory        */
    bool nehalem_select;        /* LBR_SELECT of Nehalem; see kept_by_select() */
    uint32_t clear_1c_ebx;      /* CPUID.1CH:EBX lacks these bits: no filter
                                   by CPL, none by kind, no call stack       */
    bool no_v2_freeze;          /* CPUID.8000_0022H:EAX lacks bit 2: no freeze
                                   on a PMI of AMD's LBR stack and counters  */
    uint32_t set_0a_ebx;        /* CPUID.0AH:EBX has these bits: architectural
                                   events that are not available             */
    bool fred;                  /* CR4.FRED is set in long mode, without effect */
    char *signature;            /* of the hypervisor, in CPUID.40000000H     */
    bool no_pt;                 /* no Processor Trace                        */
    bool pt_defer;              /* its TIPs wait for the TNT packet before   */
    uint32_t pt_overflow;       /* its internal buffer is full at each Nth packet
                                   for a branch                              */
} BTVariant;

#define BT_VARIANT_PROPERTIES(cpu)                                          \
    DEFINE_PROP_BOOL("bt-dtes64", cpu, bt_variant.dtes64, true),            \
    DEFINE_PROP_BOOL("bt-fuse", cpu, bt_variant.fuse, true),                \
    DEFINE_PROP_BOOL("bt-no-bts", cpu, bt_variant.no_bts, false),           \
    DEFINE_PROP_BOOL("bt-no-ler", cpu, bt_variant.no_ler, false),           \
    DEFINE_PROP_BOOL("bt-no-ds-cpl", cpu, bt_variant.no_ds_cpl, false),     \
    DEFINE_PROP_BOOL("bt-nehalem-select", cpu, bt_variant.nehalem_select,   \
                     false),                                                \
    DEFINE_PROP_UINT32("bt-clear-1c-ebx", cpu, bt_variant.clear_1c_ebx, 0), \
    DEFINE_PROP_BOOL("bt-no-v2-freeze", cpu, bt_variant.no_v2_freeze, false), \
    DEFINE_PROP_UINT32("bt-set-0a-ebx", cpu, bt_variant.set_0a_ebx, 0),     \
    DEFINE_PROP_BOOL("bt-fred", cpu, bt_variant.fred, false),               \
    DEFINE_PROP_STRING("bt-signature", cpu, bt_variant.signature),          \
    DEFINE_PROP_BOOL("bt-no-pt", cpu, bt_variant.no_pt, false),             \
    DEFINE_PROP_BOOL("bt-pt-defer", cpu, bt_variant.pt_defer, false),       \
    DEFINE_PROP_UINT32("bt-pt-overflow", cpu, bt_variant.pt_overflow, 0)

/* CPUID.1CH:EBX */
#define BT_1C_CPL_FILTER        (1U << 0)
#define BT_1C_KIND_FILTER       (1U << 1)
#define BT_1C_CALL_STACK        (1U << 2)

#define BT_LBR_CTL_LBREN        (1ULL << 0)
#define BT_LBR_CTL_OS           (1ULL << 1)
#define BT_LBR_CTL_USR          (1ULL << 2)
#define BT_LBR_CTL_CALL_STACK   (1ULL << 3)
#define BT_LBR_CTL_TYPES        (0x7fULL << 16)

#define BT_EXTN_CTL_LBRSE       (1ULL << 6)
/* The same register with branch sampling */
#define BT_EXTN_CTL_BRSMEN      (1ULL << 2)
#define BT_EXTN_CTL_ONES        (3ULL << 3)
#define BT_EXTN_CTL_VB          (1ULL << 5)
#define BT_EXTN_CTL_MSROFF      (15ULL << 16)
#define BT_EXTN_CTL_PMC         (7ULL << 24)
#define BT_TO_VALID             (1ULL << 63)
#define BT_TO_SPECULATIVE       (1ULL << 62)
#define BT_TO_BOGUS             (1ULL << 61)    /* erratum 1452 */
#define BT_TO_FLAGS             (3ULL << 62)
#define BT_EXTN_ADDRESS         ((1ULL << 57) - 1)

#define BT_SELECT_CPL_EQ_0      (1ULL << 0)
#define BT_SELECT_CPL_NEQ_0     (1ULL << 1)
#define BT_SELECT_EN_CALLSTACK  (1ULL << 9)

/* CPUID.8000_0022H:EAX */
#define BT_80000022_FREEZES     (1U << 2)

#define BT_STATUS_TOPA_PMI      (1ULL << 55)
#define BT_STATUS_LBR_FRZ       (1ULL << 58)
#define BT_STATUS_CTR_FRZ       (1ULL << 59)
#define BT_STATUS_OVF_BUFFER    (1ULL << 62)

/*
 * The events that are counted, each by the level of privilege that it happens at.
 * A cycle is an instruction (a fiction).
 */
typedef enum BTCounted {
    BT_INSNS, BT_BRANCHES, BT_TAKEN, BT_INSERTS, BT_COUNTED
} BTCounted;

/* Counters: IA32_PMCn or AMD's, then IA32_FIXED_CTRn. */
#define BT_MAX_GENERAL  8
#define BT_MAX_FIXED    8
#define BT_COUNTERS     (BT_MAX_GENERAL + BT_MAX_FIXED)

/* The event and the levels that a counter counts just now.  Without a level it is off. */
typedef struct BTSource {
    uint8_t counted;
    bool level[2];              /* of CPL 0, of CPL > 0 */
} BTSource;

#define BT_PT_CALLS     64      /* how many calls a return is compared with */
#define BT_PT_TIPS      72      /* bytes for TIP packets that wait */

/* How many address ranges a processor with Processor Trace may have. */
#define BT_PT_RANGES    4

/*
 * Processor Trace: its registers, and what the processor remembers of the trace.
 * LOOK says what is to be done when the next block begins, see bt_pt_look().
 */
typedef struct BTProcessorTrace {
    uint64_t ctl, status, output_base, mask_ptrs, cr3_match;
    uint64_t range[BT_PT_RANGES][2];    /* first and last address */
    uint32_t look;
    uint32_t bytes;             /* of packets since the last PSB, PSB included */
    uint64_t region, region_size;       /* where output goes; size 0: to be looked up */
    uint64_t entry;             /* of that region, in the table of regions */
    uint64_t last_ip;           /* the address that the next one is compressed against */
    uint8_t mode;               /* of the last MODE.Exec, or none since PSB */
    uint64_t tnt;               /* conditional branches to be sent, newest in bit 0 */
    uint32_t tnt_count;
    uint64_t tnt_cycles;        /* the value of cycles at the oldest of them */
    uint64_t cycles;            /* since the last CYC */
    uint64_t counted_to;        /* the address up to which cycles are counted */
    uint64_t mtc;               /* the time of the last MTC or TSC, in periods of MTC */
    uint8_t mtc_byte;           /* of the last MTC, or of the time when TraceEn was set */
    bool smm_trace_en;          /* RSM sets TraceEn */
    uint64_t after_call;        /* offset in CS of the instruction after a call */
    uint64_t call[BT_PT_CALLS]; /* a ring of those */
    uint32_t newest_call, calls;
    uint8_t tip[BT_PT_TIPS];    /* TIP packets to be sent after the TNT packet */
    uint32_t tip_bytes;
    bool overflow;              /* packets are being lost */
    uint32_t lost;              /* how many packets the overflow has lost */
    uint32_t packets;           /* how many packets for branches there were */
} BTProcessorTrace;

/*
 * Registers and records; cleared by RESET.  They are at the end of what RESET clears, so
 * that no offset that stock TCG uses moves.
 */
typedef struct BranchTrace {
    /* Bits BT_WHAT() of the branches that are recorded at present. */
    uint32_t lbr_mask, bts_mask, pair_mask;
    /* Bits of branches that helper_bt_near() alone records, in LBR or in BTS. */
    uint32_t simple_mask, simple_bts_mask;
    /* Offset in CS of the branch instruction that is being executed. */
    uint64_t insn;

    uint64_t debugctl, select, lbr_ctl, extn_ctl;
    uint32_t depth, newest;     /* the ring; newest indexes the arrays below */
    uint64_t from[BT_MAX_DEPTH], to[BT_MAX_DEPTH], info[BT_MAX_DEPTH];
    uint64_t pair_from, pair_to;        /* the last branch, beside what DebugExtnCtl has */
    uint64_t ler_from, ler_to, ler_info;
    uint64_t ds_area;
    uint64_t smm_debugctl, smm_lbr_ctl;
    bool no_step;               /* see bt_no_step() */
    bool guest_loaded;          /* VMRUN has loaded the guest's registers */
    bool brs_holds;             /* a PMI waits until the records are full */
    uint32_t stale;             /* newest when LBR was turned on */

    /*
     * How many events have been counted so far, and the sum of both levels at which
     * the counters must be looked at.  counter[] is the value of a counter at the
     * time when the sum of its levels was seen[].
     */
    uint64_t happened[BT_COUNTED][2], limit[BT_COUNTED];
    uint64_t counter[BT_COUNTERS], seen[BT_COUNTERS];
    BTSource source[BT_COUNTERS];

    BTProcessorTrace pt;
    BTFaultState faults;
    BTErrataState errata;
    BTSiliconState silicon;
} BranchTrace;

/* Index in the ring of the newest record, or of the one AGE records older. */
static inline unsigned bt_newest(const BranchTrace *bt, unsigned age)
{
    return (bt->newest - age) & (bt->depth - 1);
}

static inline bool bt_has_pt(const BTModel *m)
{
    return m->leaf_14[0][2];
}

static inline unsigned bt_perfmon_version(const BTModel *m)
{
    return m->leaf_0a[0] & 0xff;
}

/*
 * Version 4 of architectural performance monitoring freezes in a status, and
 * so does version 2 of AMD's.
 */
static inline bool bt_freezes_in_status(const BTModel *m)
{
    return bt_perfmon_version(m) >= 4 || (m->leaf_80000022[0] & 1);
}

/* True if there are registers for all counters together. */
static inline bool bt_has_global(const BTModel *m)
{
    return bt_perfmon_version(m) >= 2 || (m->leaf_80000022[0] & 1);
}

static inline unsigned bt_general(const BTModel *m)
{
    return bt_perfmon_version(m) ? (m->leaf_0a[0] >> 8) & 0xff : m->counters;
}

/* Measured: Atom 330 has three, although its CPUID says one. */
static inline unsigned bt_fixed(const BTModel *m)
{
    return bt_perfmon_version(m) < 2 ? 0 : MAX(3, m->leaf_0a[3] & 31);
}

/* The fixed counters: CPUID.23H may report more than CPUID.0AH does. */
static inline uint32_t bt_fixed_mask(const BTModel *m)
{
    return ((1U << bt_fixed(m)) - 1) | m->leaf_23[1][1];
}

/* The bits of IA32_PERF_GLOBAL_CTRL: general counters, fixed counters. */
static inline uint64_t bt_global_enables(const BTModel *m)
{
    return ((1ULL << bt_general(m)) - 1) | (uint64_t)bt_fixed_mask(m) << 32;
}

/* What the translator knows of the fusion of a conditional branch. */
typedef struct BTFusion {
    bool possible;              /* this processor fuses, and the block records */
    bool before, now;           /* the instruction before this one, and this one, can be
                                   fused with a conditional branch after it */
    uint8_t distance;           /* from the fused instruction to this branch, or 0 */
    uint64_t start;             /* of the instruction before */
} BTFusion;

/* What do_interrupt_all() must remember about the interrupted code. */
typedef struct BTEvent {
    uint64_t eip, cs_base;
    unsigned cpl;
    bool tf;
} BTEvent;

#ifdef CONFIG_USER_ONLY

static inline bool bt_realize(X86CPU *cpu, Error **errp) { return true; }
static inline uint64_t bt_features(const X86CPU *cpu, int w) { return 0; }
static inline void bt_cr4_changed(struct CPUArchState *env) { }
static inline void bt_reset(X86CPU *cpu) { }
static inline void bt_cpuid(X86CPU *cpu, uint32_t leaf, uint32_t subleaf,
                            uint32_t *eax, uint32_t *ebx,
                            uint32_t *ecx, uint32_t *edx) { }
static inline BTEvent bt_event_begin(struct CPUArchState *env)
{
    return (BTEvent) { };
}
static inline void bt_event_end(struct CPUArchState *env, const BTEvent *event,
                                int intno, int is_int, int is_hw) { }
static inline uint64_t bt_time(void) { return 0; }
static inline bool bt_pause_traps(struct CPUArchState *env) { return true; }
static inline void bt_icebp(struct CPUArchState *env) { }
static inline bool bt_rdpmc(struct CPUArchState *env, uintptr_t ra)
{
    return false;
}

#else

/* branch-trace-migration.c */
extern const VMStateDescription vmstate_branch_trace;

/* branch-trace-models.c */
const BTModel *bt_find_model(const char *name);
void bt_list_models(Error **errp);

/* branch-trace-cpu.c */
uint32_t bt_leaf_1c_ebx(const X86CPU *cpu);
uint32_t bt_leaf_0a_ebx(const X86CPU *cpu);
bool bt_v2_freezes(const X86CPU *cpu);
uint64_t bt_features(const X86CPU *cpu, int w);
void bt_cr4_changed(struct CPUArchState *env);
bool bt_realize(X86CPU *cpu, Error **errp);
void bt_reset(X86CPU *cpu);
void bt_init(X86CPU *cpu, const struct CPUArchState *before);
void bt_cpuid(X86CPU *cpu, uint32_t leaf, uint32_t subleaf,
              uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx);

/* tcg/system/branch-trace-filter.c */
bool bt_call_stack(const struct CPUArchState *env);
void bt_update(struct CPUArchState *env);

/* tcg/system/branch-trace-record.c */
BTEvent bt_event_begin(struct CPUArchState *env);
void bt_event_end(struct CPUArchState *env, const BTEvent *event,
                  int intno, int is_int, int is_hw);
void bt_record_once(struct CPUArchState *env, uint32_t what, uint32_t entered,
                    uint64_t from, uint64_t from_base,
                    uint64_t to, uint64_t to_base);
bool bt_inserts(const struct CPUArchState *env, uint32_t entered);
void bt_clear_records(struct CPUArchState *env);
void bt_brs_release(struct CPUArchState *env);

/* tcg/system/branch-trace-bts.c */
void bt_bts_store(struct CPUArchState *env, uint64_t from, uint64_t to);

/* tcg/system/branch-trace-step.c */
bool bt_no_step(struct CPUArchState *env);
void bt_hlt(struct CPUArchState *env);
bool bt_pause_traps(struct CPUArchState *env);
void bt_icebp(struct CPUArchState *env);

/* tcg/system/branch-trace-count.c */
void bt_count_settle(struct CPUArchState *env);
void bt_count_update(struct CPUArchState *env);
void bt_count_branch(struct CPUArchState *env, BTKind kind, bool user);
void bt_count_insert(struct CPUArchState *env, bool user);
void bt_count_fault(struct CPUArchState *env, const BTEvent *event, int intno);
void bt_count_intercept(struct CPUArchState *env, uint64_t code, uint64_t info_1);
void bt_efer_changed(struct CPUArchState *env);
bool bt_is_counted(const struct CPUArchState *env, BTCounted what);
bool bt_count_unretire(struct CPUArchState *env);
void bt_count_retire(struct CPUArchState *env, bool began);
uint64_t *bt_counter(struct CPUArchState *env, unsigned n);
uint64_t bt_counter_mask(const BTModel *m, unsigned n);
uint64_t bt_counter_bit(unsigned n);
bool bt_rdpmc(struct CPUArchState *env, uintptr_t ra);

/* tcg/system/branch-trace-pmi.c */
void bt_request_pmi(struct CPUArchState *env);
void bt_request_bts_pmi(struct CPUArchState *env);
void bt_pmi_arrives(struct CPUArchState *env);
void bt_registers_changed(struct CPUArchState *env);
void bt_pmi_branch(struct CPUArchState *env, BTKind kind);

/* tcg/system/branch-trace-smm.c */
void bt_smm_enter(struct CPUArchState *env);
void bt_smm_leave(struct CPUArchState *env);

/* tcg/system/branch-trace-svm.c */
void bt_vmrun(struct CPUArchState *env);
void bt_vmexit(struct CPUArchState *env);
bool bt_vmrun_traps(struct CPUArchState *env);

/* tcg/system/branch-trace-msr.c, -msr-record.c */
bool bt_rdmsr(struct CPUArchState *env, uintptr_t ra);
bool bt_wrmsr(struct CPUArchState *env, uint64_t value, uintptr_t ra);
uint64_t bt_debugctl(struct CPUArchState *env, uint64_t value);
uint64_t bt_stack_register(struct CPUArchState *env, unsigned n);
void bt_set_stack_register(struct CPUArchState *env, unsigned n, uint64_t value);

/* tcg/system/branch-trace-pt.c */
bool bt_pt_enabled(const struct CPUArchState *env);
void bt_pt_taken(struct CPUArchState *env, BTKind kind);
void bt_pt_not_taken(struct CPUArchState *env);
void bt_pt_event(struct CPUArchState *env, const BTEvent *event, uint64_t from);
void bt_pt_cr3(struct CPUArchState *env);
void bt_pt_begin(struct CPUArchState *env);
void bt_pt_end(struct CPUArchState *env);
void bt_pt_init(struct CPUArchState *env);
void bt_pt_look(struct CPUArchState *env);
void bt_pt_smm_enter(struct CPUArchState *env);
void bt_pt_smm_leave(struct CPUArchState *env);

/* tcg/system/branch-trace-pt-msr.c */
bool bt_pt_owns(const BTModel *m, uint32_t msr);
uint64_t bt_pt_read(struct CPUArchState *env, uint32_t msr);
bool bt_pt_write(struct CPUArchState *env, uint32_t msr, uint64_t value);

/* tcg/system/branch-trace-misbehave.c */
const BTFaults *bt_faults(const struct CPUArchState *env);
bool bt_bad_records(const struct CPUArchState *env);
int bt_bad_copies(struct CPUArchState *env);
bool bt_bad_swap(struct CPUArchState *env);
uint64_t bt_bad_threshold(struct CPUArchState *env, unsigned size);
unsigned bt_bad_tos(struct CPUArchState *env);
unsigned bt_bad_stale(struct CPUArchState *env);
uint64_t bt_bad_debugctl_loses(struct CPUArchState *env);
bool bt_bad_pmi(struct CPUArchState *env);
bool bt_bad_pmi_waits(const struct CPUArchState *env);
void bt_bad_pmi_branch(struct CPUArchState *env);
void bt_bad_pmi_again(struct CPUArchState *env);
uint64_t bt_bad_pt_ctl(struct CPUArchState *env, uint64_t ctl);
bool bt_bad_pt_tnt(struct CPUArchState *env);
bool bt_bad_pt_tip(struct CPUArchState *env);
bool bt_bad_pt_mtc(struct CPUArchState *env);
void bt_bad_pt_region_full(struct CPUArchState *env);

/* tcg/system/branch-trace-errata.c */
bool bt_erratum(const struct CPUArchState *env, BTErratum which);
void bt_errata_set(X86CPU *cpu);
bool bt_erratum_psb_cut(struct CPUArchState *env);
bool bt_erratum_end_cut(struct CPUArchState *env);
bool bt_erratum_records(const struct CPUArchState *env);
uint64_t bt_erratum_from(struct CPUArchState *env, uint64_t from);
void bt_erratum_smi(struct CPUArchState *env);
bool bt_erratum_bogus(const struct CPUArchState *env);
uint64_t bt_erratum_bts_from(struct CPUArchState *env, uint64_t from, uint64_t to,
                             bool ring_changes);
bool bt_erratum_lose_bts(struct CPUArchState *env);
void bt_erratum_doubled(struct CPUArchState *env);
void bt_erratum_event(struct CPUArchState *env, uint64_t length);
void bt_erratum_event_end(struct CPUArchState *env);
bool bt_erratum_no_entry(const struct CPUArchState *env, const BTModel *m);
void bt_erratum_event_stops(struct CPUArchState *env, const BTEvent *event, bool is_db);
bool bt_erratum_no_step(const struct CPUArchState *env);
bool bt_erratum_counts(const struct CPUArchState *env, unsigned n);
void bt_erratum_global(struct CPUArchState *env, uint64_t value);
void bt_erratum_selector(struct CPUArchState *env, unsigned n, uint64_t value);
void bt_erratum_written(struct CPUArchState *env, unsigned n, uint64_t value, uint64_t mask);
uint64_t bt_erratum_overflowed(struct CPUArchState *env, unsigned n, uint64_t value,
                               uint64_t mask);
bool bt_erratum_twice(struct CPUArchState *env, BTKind kind);

/* tcg/system/branch-trace-silicon.c */
void bt_silicon_set(X86CPU *cpu);
void bt_silicon_reset(X86CPU *cpu);
bool bt_silicon_watches(const struct CPUArchState *env);
uint32_t bt_random(struct CPUArchState *env, BTRandom which, uint32_t below);
bool bt_wrong_path(struct CPUArchState *env, uint64_t *from, uint64_t *to,
                   uint64_t *flags);
void bt_lbr_updated(struct CPUArchState *env, bool was_on);

/* tcg/system/branch-trace-silicon-pmi.c */
bool bt_skid_begin(struct CPUArchState *env);
void bt_skid_conditional(struct CPUArchState *env);
void bt_skid_limit(struct CPUArchState *env);
void bt_skid_end(struct CPUArchState *env);
void bt_skid_write(struct CPUArchState *env);
void bt_late_nmi(struct CPUArchState *env, bool counters_on);
bool bt_late_nmi_comes(struct CPUArchState *env);

/* tcg/system/branch-trace-silicon-smi.c */
void bt_smi(struct CPUArchState *env);
bool bt_smi_at_trap(struct CPUArchState *env);
void bt_time_passes(uint64_t ticks);
uint64_t bt_time(void);

/* tcg/system/branch-trace-silicon-predict.c */
void bt_predict_reset(X86CPU *cpu);
void bt_predict_taken(struct CPUArchState *env, BTKind kind,
                      uint64_t from, uint64_t to);
void bt_predict_not_taken(struct CPUArchState *env);
void bt_predict_recorded(struct CPUArchState *env);
void bt_predict_begin(struct CPUArchState *env);
bool bt_predicts(const struct CPUArchState *env);

#endif /* CONFIG_USER_ONLY */

#endif /* I386_BRANCH_TRACE_H */
