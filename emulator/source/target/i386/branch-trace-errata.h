/*
 * Branch-trace hardware: errata of real processors.
 *
 * An erratum is what a specification update, or the authors of decoders and drivers, say of
 * some processors, or what a source says that the manuals contradict or leave open.  How
 * often it happens there is seldom known: here it happens whenever it can, or at each Nth
 * chance, so that a test can count on it.  Identifiers are those of one product; the same
 * erratum has others elsewhere.  What is chosen is said where it is done.
 *
 * Each is off until its property asks for it.  Those that a row of branch-trace-models.c has
 * are on with bt-silicon=on as well, unless their property is off.
 *
 * The honest hardware asks bt_erratum(), or one of the functions bt_erratum_*() of
 * tcg/system/branch-trace-errata.c.
 *
 * Included by branch-trace.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef I386_BRANCH_TRACE_ERRATA_H
#define I386_BRANCH_TRACE_ERRATA_H

#include "qapi/qapi-types-common.h"

/* The name of each in the code, and its property. */
#define BT_ERRATA(X)                                                            \
    /* BDM70: MODE.Exec and FUP in a PSB+ before TIP.PGE */                     \
    X(PT_PSB_FUP, "bt-pt-psb-fup")                                              \
    /* SKL168: a CYC before a PSB is missing */                                 \
    X(PT_PSB_NO_CYC, "bt-pt-psb-no-cyc")                                        \
    /* SKD010: neither FUP nor TIP.PGE follows OVF */                           \
    X(PT_OVF_ALONE, "bt-pt-ovf-alone")                                          \
    /* SKD007: OVF after the first byte of a CYC */                             \
    X(PT_OVF_IN_CYC, "bt-pt-ovf-in-cyc")                                        \
    /* APL12: FUP after OVF out of a range */                                   \
    X(PT_OVF_FUP, "bt-pt-ovf-fup")                                              \
    /* APL11: OVF, then TIP.PGD, when the trace ends */                         \
    X(PT_OVF_PGD, "bt-pt-ovf-pgd")                                              \
    /* no packet from an overflow on, until TraceEn is cleared */               \
    X(PT_OVF_SILENCE, "bt-pt-ovf-silence")                                      \
    /* SKL014: TIP.PGD of a direct branch has no address */                     \
    X(PT_PGD_NO_IP, "bt-pt-pgd-no-ip")                                          \
    /* Goldmont: FUP of INT n has the next address */                           \
    X(PT_FUP_NLIP, "bt-pt-fup-nlip")                                            \
    /* BDM106: #GP for TraceEn without BranchEn */                              \
    X(PT_BRANCH_EN, "bt-pt-branch-en")                                          \
    /* TGL052: wrong bytes in a single range above 4 KiB */                     \
    X(PT_BAD_RANGE, "bt-pt-bad-range")                                          \
    /* AMD's version 2 has no entry of interrupts and exceptions */             \
    X(V2_NO_EVENTS, "bt-v2-no-events")                                          \
    /* BU10: the first record after an SMI has the FROM of the branch before */ \
    X(SMI_SPOILS, "bt-smi-spoils")                                              \
    /* W125: FROM in memory is TO where the ring changes, with BTS_OFF_* */     \
    X(BTS_RING_FROM, "bt-bts-ring-from")                                        \
    /* FROM in memory of INT n is the next instruction */                       \
    X(BTS_INT_FROM, "bt-bts-int-from")                                          \
    /* BTS_OFF_OS and BTS_OFF_USR test the level that a branch enters */        \
    X(BTS_OFF_ENTERED, "bt-bts-off-entered")                                    \
    /* the PMI of BTS freezes nothing */                                        \
    X(BTS_NO_FREEZE, "bt-bts-no-freeze")                                        \
    /* #DB writes LER, or has a record */                                       \
    X(LER_DB, "bt-ler-db")                                                      \
    X(RECORD_DB, "bt-record-db")                                                \
    /* BDM131: bits 63:61 of TO in LER are not those of a sign */               \
    X(LER_TO_TOP, "bt-ler-to-top")                                              \
    /* Zen 4: neither are bits 63:57 of the pair and of LER */                  \
    X(PAIR_TOP, "bt-pair-top")                                                  \
    /* a copy of the newest record counts as an insert */                       \
    X(DOUBLE_INSERTS, "bt-double-inserts")                                      \
    /* the LBR stack's filters of Jcc and of far branches do not apply to */    \
    X(LOOP_UNFILTERED, "bt-loop-unfiltered")                                    \
    X(EVENTS_UNFILTERED, "bt-far-keeps-exceptions")                             \
    /* AG70: BS for each #DB while TF is set */                                 \
    X(DB_BS, "bt-db-bs")                                                        \
    /* an interrupt that waits takes the place of a step */                     \
    X(DROP_STEP, "bt-drop-step")                                                \
    /* a step of a long REP has up to 64 iterations, one of REP INS all */      \
    X(REP_64, "bt-rep-64")                                                      \
    X(REP_IO_ONCE, "bt-rep-io-once")                                            \
    /* BTF stops after Jcc that is not taken, and where an event is handled */  \
    X(BTF_UNTAKEN, "bt-btf-untaken")                                            \
    X(BTF_EVENTS, "bt-btf-events")                                              \
    /* a PMI freezes only the other of the two */                               \
    X(NO_LBR_FREEZE, "bt-no-lbr-freeze")                                        \
    X(NO_CTR_FREEZE, "bt-no-ctr-freeze")                                        \
    /* bit 58 of C000_0303H does not freeze */                                  \
    X(NO_SOFT_FREEZE, "bt-no-soft-freeze")                                      \
    /* AAK100: counters count only after Intel's work-around */                 \
    X(NEHALEM_COUNTERS, "bt-nehalem-counters")                                  \
    /* SRF7: a far transfer counts as two branches */                           \
    X(FAR_TWICE, "bt-far-twice")

#define BT_ERRATUM_NAME(name, property) BT_ERRATUM_ ## name,
typedef enum BTErratum {
    BT_ERRATA(BT_ERRATUM_NAME)
    BT_ERRATA_END
} BTErratum;

typedef struct BTErrata {
    OnOffAuto asked[BT_ERRATA_END];
    uint64_t on;                /* bits BTErratum of those that are in force */

    /* At each Nth chance.  Numbers of records count those of LBR and BTS as one. */
    uint32_t pt_psb_cut;        /* PSB+ ends with an overflow, not with PSBEND */
    uint32_t pt_end_cut;        /* the last packets of a trace are lost, without OVF */
    uint32_t bogus;             /* 1452: an entry with TO[61] follows one of version 2 */
    uint32_t wrong_from;        /* a record has the FROM of the branch before */
    uint32_t lose_bts;          /* AF36: a record is not written to memory */
    uint32_t overcount;         /* a branch counts twice */

    uint32_t small_period;      /* HSW11: a storm of PMIs after periods below N */
} BTErrata;

/* Cleared by RESET. */
typedef struct BTErrataState {
    uint32_t psbs, branches;    /* how many there were */
    uint32_t pt_ends, bts;
    bool cyc_dropped;           /* since the last PSB */
    bool pge_lost;              /* the next TIP.PGE is missing */
    bool spoiled;               /* the next record has a wrong FROM */
    uint64_t last_from;         /* of the branch before */
    uint32_t cured;             /* general counters that count, for NEHALEM_COUNTERS */
    uint64_t period[8];         /* of general counters, when software last wrote them */

    /* While an event is being recorded, and so never migrated */
    bool event;
    uint64_t int_length;        /* of INT n */
} BTErrataState;

#define BT_ERRATUM_PROPERTY(name, property)                                     \
    DEFINE_PROP_ON_OFF_AUTO(property, X86CPU,                                   \
                            bt_errata.asked[BT_ERRATUM_ ## name], ON_OFF_AUTO_AUTO),
#define BT_ERRATA_PROPERTIES(cpu)                                               \
    BT_ERRATA(BT_ERRATUM_PROPERTY)                                              \
    DEFINE_PROP_UINT32("bt-pt-psb-cut", cpu, bt_errata.pt_psb_cut, 0),          \
    DEFINE_PROP_UINT32("bt-pt-end-cut", cpu, bt_errata.pt_end_cut, 0),          \
    DEFINE_PROP_UINT32("bt-bogus", cpu, bt_errata.bogus, 0),                    \
    DEFINE_PROP_UINT32("bt-wrong-from", cpu, bt_errata.wrong_from, 0),          \
    DEFINE_PROP_UINT32("bt-lose-bts", cpu, bt_errata.lose_bts, 0),              \
    DEFINE_PROP_UINT32("bt-overcount", cpu, bt_errata.overcount, 0),            \
    DEFINE_PROP_UINT32("bt-small-period", cpu, bt_errata.small_period, 0)

#endif /* I386_BRANCH_TRACE_ERRATA_H */
