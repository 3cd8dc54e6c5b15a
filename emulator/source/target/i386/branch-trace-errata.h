/*
 * Branch-trace hardware: errata of real processors, each off until its property asks.
 *
 * An erratum is what a specification update, or the authors of decoders and drivers, say of
 * some processors.  How often it happens there is seldom known: here it happens whenever it
 * can, or at each Nth chance, so that a test can count on it.  Identifiers are those of one
 * product; the same erratum has others elsewhere.  What is chosen is said where it is done.
 *
 * The honest hardware asks bt_errata(), or one of the functions bt_erratum_*() of
 * tcg/system/branch-trace-errata.c.
 *
 * Included by branch-trace.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef I386_BRANCH_TRACE_ERRATA_H
#define I386_BRANCH_TRACE_ERRATA_H

typedef struct BTErrata {
    /* Processor Trace; identifiers and effects from libipt's intel-pt.h */
    bool pt_psb_fup;            /* BDM70: MODE.Exec and FUP in a PSB+ before TIP.PGE */
    bool pt_psb_no_cyc;         /* SKL168: a CYC before a PSB is missing */
    uint32_t pt_psb_cut;        /* each Nth PSB+ ends with an overflow, not with PSBEND */
    bool pt_ovf_alone;          /* SKD010: neither FUP nor TIP.PGE follows OVF */
    bool pt_ovf_in_cyc;         /* SKD007: OVF after the first byte of a CYC */
    bool pt_ovf_fup;            /* APL12: FUP after OVF out of a range */
    bool pt_ovf_pgd;            /* APL11: OVF, then TIP.PGD, when the trace ends */
    bool pt_ovf_silence;        /* no packet from an overflow on, until TraceEn is cleared */
    bool pt_pgd_no_ip;          /* SKL014: TIP.PGD of a direct branch has no address */
    bool pt_fup_nlip;           /* Goldmont: FUP of INT n has the next address */
    bool pt_branch_en;          /* BDM106: #GP for TraceEn without BranchEn */
    bool pt_bad_range;          /* TGL052: wrong bytes in a single range above 4 KiB */

    /* Records.  Numbers count those of LBR and BTS as one. */
    uint32_t bogus;             /* 1452: an entry with TO[61] after each Nth of version 2 */
    bool v2_no_events;          /* version 2 has no entry of interrupts and exceptions */
    uint32_t wrong_from;        /* each Nth record has the FROM of the branch before */
    bool smi_spoils;            /* BU10: so has the first one after an SMI */
    bool bts_ring_from;         /* W125: FROM in memory is TO where the ring changes, with
                                   BTS_OFF_OS or BTS_OFF_USR */
    bool bts_int_from;          /* FROM in memory of INT n is the next instruction */
    bool ler_db;                /* #DB writes LER */

    /* Single steps */
    bool db_bs;                 /* AG70: BS for each #DB while TF is set */
    bool drop_step;             /* an interrupt that waits takes the place of a step */

    /* Freezes and counters */
    bool no_lbr_freeze, no_ctr_freeze;  /* a PMI freezes only the other of the two */
    bool no_soft_freeze;        /* bit 58 of C000_0303H does not freeze */
    bool nehalem_counters;      /* AAK100: they count only after Intel's work-around */
    uint32_t small_period;      /* HSW11: a storm of PMIs after periods below N */
    bool far_twice;             /* SRF7: a far transfer counts as two branches */
    uint32_t overcount;         /* each Nth branch counts twice */
} BTErrata;

/* Cleared by RESET. */
typedef struct BTErrataState {
    uint32_t psbs, branches;    /* how many there were */
    bool cyc_dropped;           /* since the last PSB */
    bool pge_lost;              /* the next TIP.PGE is missing */
    bool spoiled;               /* the next record has a wrong FROM */
    uint64_t last_from;         /* of the branch before */
    uint32_t cured;             /* general counters that count, for nehalem_counters */
    uint64_t period[8];         /* of general counters, when software last wrote them */

    /* While an event is being recorded, and so never migrated */
    bool event;
    uint64_t int_length;        /* of INT n */
} BTErrataState;

#define BT_ERRATA_PROPERTIES(cpu)                                           \
    DEFINE_PROP_BOOL("bt-pt-psb-fup", cpu, bt_errata.pt_psb_fup, false),    \
    DEFINE_PROP_BOOL("bt-pt-psb-no-cyc", cpu, bt_errata.pt_psb_no_cyc, false), \
    DEFINE_PROP_UINT32("bt-pt-psb-cut", cpu, bt_errata.pt_psb_cut, 0),      \
    DEFINE_PROP_BOOL("bt-pt-ovf-alone", cpu, bt_errata.pt_ovf_alone, false), \
    DEFINE_PROP_BOOL("bt-pt-ovf-in-cyc", cpu, bt_errata.pt_ovf_in_cyc, false), \
    DEFINE_PROP_BOOL("bt-pt-ovf-fup", cpu, bt_errata.pt_ovf_fup, false),    \
    DEFINE_PROP_BOOL("bt-pt-ovf-pgd", cpu, bt_errata.pt_ovf_pgd, false),    \
    DEFINE_PROP_BOOL("bt-pt-ovf-silence", cpu, bt_errata.pt_ovf_silence, false), \
    DEFINE_PROP_BOOL("bt-pt-pgd-no-ip", cpu, bt_errata.pt_pgd_no_ip, false), \
    DEFINE_PROP_BOOL("bt-pt-fup-nlip", cpu, bt_errata.pt_fup_nlip, false),  \
    DEFINE_PROP_BOOL("bt-pt-branch-en", cpu, bt_errata.pt_branch_en, false), \
    DEFINE_PROP_BOOL("bt-pt-bad-range", cpu, bt_errata.pt_bad_range, false), \
    DEFINE_PROP_UINT32("bt-bogus", cpu, bt_errata.bogus, 0),                \
    DEFINE_PROP_BOOL("bt-v2-no-events", cpu, bt_errata.v2_no_events, false), \
    DEFINE_PROP_UINT32("bt-wrong-from", cpu, bt_errata.wrong_from, 0),      \
    DEFINE_PROP_BOOL("bt-smi-spoils", cpu, bt_errata.smi_spoils, false),    \
    DEFINE_PROP_BOOL("bt-bts-ring-from", cpu, bt_errata.bts_ring_from, false), \
    DEFINE_PROP_BOOL("bt-bts-int-from", cpu, bt_errata.bts_int_from, false), \
    DEFINE_PROP_BOOL("bt-ler-db", cpu, bt_errata.ler_db, false),            \
    DEFINE_PROP_BOOL("bt-db-bs", cpu, bt_errata.db_bs, false),              \
    DEFINE_PROP_BOOL("bt-drop-step", cpu, bt_errata.drop_step, false),      \
    DEFINE_PROP_BOOL("bt-no-lbr-freeze", cpu, bt_errata.no_lbr_freeze, false), \
    DEFINE_PROP_BOOL("bt-no-ctr-freeze", cpu, bt_errata.no_ctr_freeze, false), \
    DEFINE_PROP_BOOL("bt-no-soft-freeze", cpu, bt_errata.no_soft_freeze, false), \
    DEFINE_PROP_BOOL("bt-nehalem-counters", cpu, bt_errata.nehalem_counters, \
                     false),                                                \
    DEFINE_PROP_UINT32("bt-small-period", cpu, bt_errata.small_period, 0),  \
    DEFINE_PROP_BOOL("bt-far-twice", cpu, bt_errata.far_twice, false),      \
    DEFINE_PROP_UINT32("bt-overcount", cpu, bt_errata.overcount, 0)

#endif /* I386_BRANCH_TRACE_ERRATA_H */
