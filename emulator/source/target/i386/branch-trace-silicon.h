/*
 * Branch-trace hardware: silicon mode, which is behaviour that real processors of a class
 * were seen to have, and that no manual promises.
 *
 * A row of branch-trace-models.c has the numbers, which bt-silicon=on puts in force, and a
 * property for each behaviour changes one of them: see bt_silicon_set().  The code is in
 * tcg/system/branch-trace-silicon*.c, whose comments have the sources.
 *
 * Included by branch-trace.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef I386_BRANCH_TRACE_SILICON_H
#define I386_BRANCH_TRACE_SILICON_H

/* 0 or false: off.  Each choice is drawn from a pseudo-random sequence. */
typedef struct BTSilicon {
    uint32_t skid;              /* a PMI comes up to N conditional branches late */
    uint32_t least_skid;        /* and at least N                               */
    uint32_t long_skid;         /* one of N PMIs up to BT_LONG_SKID             */
    uint32_t double_newest;     /* one of N stops of LBR leaves a copy          */
    bool double_replaces;       /* it takes the place of the newest record      */
    uint32_t wrong_path;        /* one of N records of version 2 has one before it
                                   that did not retire                         */
    bool predictor;             /* branches are predicted, and take time        */
    bool misses_direct;         /* direct jumps and calls can be mispredicted   */
    bool sibling;               /* the other thread of the core disturbs these  */
    uint32_t smi;               /* after one of N taken branches comes an SMI   */
    uint32_t late_nmi;          /* one of N NMIs of counters comes after these
                                   were turned off                             */
} BTSilicon;

#define BT_LONG_SKID    10000

/* A property of BTSilicon that was not given: the row decides. */
#define BT_BY_ROW       UINT32_MAX

#define BT_SILICON_PROPERTIES(cpu)                                          \
    DEFINE_PROP_BOOL("bt-silicon", cpu, bt_silicon_on, false),              \
    DEFINE_PROP_UINT32("bt-seed", cpu, bt_seed, 1),                         \
    DEFINE_PROP_UINT32("bt-skid", cpu, bt_asked.skid, BT_BY_ROW),           \
    DEFINE_PROP_UINT32("bt-least-skid", cpu, bt_asked.least_skid, BT_BY_ROW), \
    DEFINE_PROP_UINT32("bt-long-skid", cpu, bt_asked.long_skid, BT_BY_ROW), \
    DEFINE_PROP_UINT32("bt-double-newest", cpu, bt_asked.double_newest,     \
                       BT_BY_ROW),                                          \
    DEFINE_PROP_BOOL("bt-double-replaces", cpu, bt_asked.double_replaces,   \
                     false),                                                \
    DEFINE_PROP_UINT32("bt-wrong-path", cpu, bt_asked.wrong_path, BT_BY_ROW), \
    DEFINE_PROP_ON_OFF_AUTO("bt-predictor", cpu, bt_predictor,              \
                            ON_OFF_AUTO_AUTO),                              \
    DEFINE_PROP_UINT32("bt-smi", cpu, bt_asked.smi, BT_BY_ROW),             \
    DEFINE_PROP_UINT32("bt-late-nmi", cpu, bt_asked.late_nmi, BT_BY_ROW),   \
    DEFINE_PROP_ON_OFF_AUTO("bt-sibling", cpu, bt_sibling,                  \
                            ON_OFF_AUTO_AUTO)

/* Each behaviour draws from a sequence of its own, see bt_random(). */
typedef enum BTRandom {
    BT_RANDOM_SKID,
    BT_RANDOM_NEWEST,
    BT_RANDOM_WRONG_PATH,
    BT_RANDOM_PREDICTOR,
    BT_RANDOM_SMI,
    BT_RANDOM_NMI,
    BT_RANDOM_SIBLING,
    BT_RANDOM_REP,
    BT_RANDOMS = 8,             /* room for more, without a new migration format */
} BTRandom;

/*
 * A small predictor: 2-bit counters for Jcc, a table of branch targets, a stack of
 * calls.  Powers of two.
 */
#define BT_PREDICT_COUNTERS     1024
#define BT_PREDICT_TARGETS      256
#define BT_PREDICT_CALLS        16

typedef struct BTPredictor {
    bool on;
    uint8_t counter[BT_PREDICT_COUNTERS];
    uint64_t branch[BT_PREDICT_TARGETS], target[BT_PREDICT_TARGETS];
    uint64_t call[BT_PREDICT_CALLS];
    uint32_t calls;             /* how many are in the ring, modulo its size    */
    bool missed;                /* the branch just taken was mispredicted       */
    uint64_t last_to;           /* where the one before it went, or 0           */
    uint64_t cycles;            /* since the last record                        */
} BTPredictor;

/* State of what BTSilicon asks for; cleared by RESET. */
typedef struct BTSiliconState {
    uint64_t random[BT_RANDOMS];
    bool pmi_waits;             /* a PMI is late; it comes at the first of: */
    uint32_t pmi_branches;      /* this number of further conditional branches */
    uint64_t pmi_insns;         /* this sum of happened[BT_INSNS] */
    BTPredictor predictor;
    bool nmi_late;              /* it is an NMI that comes after counters were turned off */
    bool nmi_off;               /* they are off */
    uint64_t time;              /* bt_time(), while it is migrated */
    bool call_stack;            /* LBR is, or was at last, in call-stack mode */
} BTSiliconState;

#endif /* I386_BRANCH_TRACE_SILICON_H */
