/*
 * Branch-trace hardware: misbehaviour on purpose, to test whether software that uses the
 * hardware notices.
 *
 * The honest hardware asks bt_faults(), or one of the functions bt_bad_*(), where something
 * may go wrong.  They are in tcg/system/branch-trace-misbehave.c, and without a property
 * nothing does.
 *
 * Included by branch-trace.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef I386_BRANCH_TRACE_MISBEHAVE_H
#define I386_BRANCH_TRACE_MISBEHAVE_H

/* Numbers are of records, those of LBR and BTS counted as one; 0 is never. */
typedef struct BTFaults {
    uint32_t drop;              /* each Nth record is not written            */
    uint32_t twice;             /* each Nth record is written twice          */
    bool shift_from;            /* FROM is one byte too high                 */
    bool keep_btf, keep_lbr;    /* #DB leaves BTF, or LBR and LBREn, set      */
    bool miscount_tos;          /* TOS is one too high; see tos_value()      */
    bool drop_btf;              /* BTF cannot be set, as in KVM              */
    uint32_t swap;              /* each Nth BTS record is swapped with the
                                   one before it                             */
    uint32_t pmi_skid;          /* a PMI comes N taken branches late         */
    uint32_t lose_pmi;          /* each Nth PMI does not come                */
    bool keep_lvt;              /* a PMI does not mask its LVT entry         */
    bool late_threshold;        /* BTS requests its PMI one record late      */
    bool no_freeze;             /* a PMI freezes nothing                     */
    bool stale_tos;             /* TOS stays as it was when LBR was turned on */
    bool ignore_debugctl;       /* writes of DEBUGCTL are ignored            */
    uint64_t fault_debugctl;    /* bits of DEBUGCTL that raise #GP           */
    bool pt_no_ovf;             /* no OVF after an overflow (bt-pt-overflow) */
    uint32_t pt_drop_tnt;       /* each Nth bit of TNT is lost               */
    uint32_t pt_wrong_tip;      /* the address of each Nth TIP is one too high */
    bool pt_wrong_ret;          /* returns are compressed that go elsewhere  */
    bool pt_ignore_os;          /* OS and USER: all rings are traced         */
    bool pt_ignore_cr3;         /* CR3Filter: whatever CR3 is                */
    bool pt_ignore_range;       /* ADDRn_CFG: wherever EIP is                */
    bool pt_no_cyc;             /* CYCEn: there is no CYC                    */
    bool pt_mtc_once;           /* no MTC after the first since TraceEn was set */
    bool pt_pmi_twice;          /* the PMI of a full region comes again      */
} BTFaults;

/* What the Nth needs; cleared by RESET. */
typedef struct BTFaultState {
    uint32_t records, pmis;     /* how many there were                       */
    uint32_t pmi_in;            /* taken branches until a PMI comes late     */
    uint32_t pt_branches, pt_tips;      /* how many there were               */
    bool pt_mtc_sent;           /* since TraceEn was set                     */
    uint32_t pt_pmi_again;      /* taken branches until a PMI comes again    */
} BTFaultState;

#define BT_FAULT_PROPERTIES(cpu)                                            \
    DEFINE_PROP_UINT32("bt-drop", cpu, bt_faults.drop, 0),                  \
    DEFINE_PROP_UINT32("bt-double", cpu, bt_faults.twice, 0),               \
    DEFINE_PROP_BOOL("bt-shift-from", cpu, bt_faults.shift_from, false),    \
    DEFINE_PROP_BOOL("bt-keep-btf", cpu, bt_faults.keep_btf, false),        \
    DEFINE_PROP_BOOL("bt-keep-lbr", cpu, bt_faults.keep_lbr, false),        \
    DEFINE_PROP_BOOL("bt-miscount-tos", cpu, bt_faults.miscount_tos, false), \
    DEFINE_PROP_BOOL("bt-drop-btf", cpu, bt_faults.drop_btf, false),        \
    DEFINE_PROP_UINT32("bt-swap", cpu, bt_faults.swap, 0),                  \
    DEFINE_PROP_UINT32("bt-pmi-skid", cpu, bt_faults.pmi_skid, 0),          \
    DEFINE_PROP_UINT32("bt-lose-pmi", cpu, bt_faults.lose_pmi, 0),          \
    DEFINE_PROP_BOOL("bt-keep-lvt", cpu, bt_faults.keep_lvt, false),        \
    DEFINE_PROP_BOOL("bt-late-threshold", cpu, bt_faults.late_threshold,    \
                     false),                                                \
    DEFINE_PROP_BOOL("bt-no-freeze", cpu, bt_faults.no_freeze, false),      \
    DEFINE_PROP_BOOL("bt-stale-tos", cpu, bt_faults.stale_tos, false),      \
    DEFINE_PROP_BOOL("bt-ignore-debugctl", cpu, bt_faults.ignore_debugctl,  \
                     false),                                                \
    DEFINE_PROP_UINT64("bt-fault-debugctl", cpu, bt_faults.fault_debugctl,  \
                       0),                                                  \
    DEFINE_PROP_BOOL("bt-pt-no-ovf", cpu, bt_faults.pt_no_ovf, false),      \
    DEFINE_PROP_UINT32("bt-pt-drop-tnt", cpu, bt_faults.pt_drop_tnt, 0),    \
    DEFINE_PROP_UINT32("bt-pt-wrong-tip", cpu, bt_faults.pt_wrong_tip, 0),  \
    DEFINE_PROP_BOOL("bt-pt-wrong-ret", cpu, bt_faults.pt_wrong_ret, false), \
    DEFINE_PROP_BOOL("bt-pt-ignore-os", cpu, bt_faults.pt_ignore_os, false), \
    DEFINE_PROP_BOOL("bt-pt-ignore-cr3", cpu, bt_faults.pt_ignore_cr3,      \
                     false),                                                \
    DEFINE_PROP_BOOL("bt-pt-ignore-range", cpu, bt_faults.pt_ignore_range,  \
                     false),                                                \
    DEFINE_PROP_BOOL("bt-pt-no-cyc", cpu, bt_faults.pt_no_cyc, false),      \
    DEFINE_PROP_BOOL("bt-pt-mtc-once", cpu, bt_faults.pt_mtc_once, false),  \
    DEFINE_PROP_BOOL("bt-pt-pmi-twice", cpu, bt_faults.pt_pmi_twice, false)

#endif /* I386_BRANCH_TRACE_MISBEHAVE_H */
