/*
 * Branch-trace hardware: the performance counters that belong to it.
 *
 * SDM vol. 3B, "Architectural Performance Monitoring" and the lists of events of P6; APM
 * vol. 2, "Performance Monitoring Counters".  Only what tracers and Linux need is counted:
 * instructions, branches, taken branches, records in the LBR stack, and cycles, which are
 * instructions.
 *
 * Sums count these events, one for each privilege level: the translator adds to them, see
 * branch-trace.c.inc, or branch-trace-record.c calls bt_count_branch().  A counter is the
 * difference of two such sums, so that any number of counters costs the same.  It is
 * brought up to date only when read, when registers change, and at bt.limit, before which
 * no counter of that event can overflow.  Their registers are in -msr-count.c.
 *
 * So an overflow is exact: for branches its interrupt comes before the first instruction
 * after the branch.  For instructions it comes at the end of the block after that which
 * overflowed.  An instruction that QEMU begins a second time, in a block of its own, was
 * counted the first time: see bt_begun_again().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "exec/exec-all.h"
#include "tcg/helper-tcg.h"

#define EVTSEL_EVENT    0xffff          /* with the unit mask */
#define EVTSEL_USR      BIT(16)
#define EVTSEL_OS       BIT(17)
#define EVTSEL_INT      BIT(20)
#define EVTSEL_EN       BIT(22)
#define EVTSEL_UMASK2   MAKE_64BIT_MASK(40, 8)
/* AMD's */
#define EVTSEL_GUEST    BIT_ULL(40)
#define EVTSEL_HOST     BIT_ULL(41)

#define FIXED_OS        BIT(0)
#define FIXED_USR       BIT(1)
#define FIXED_PMI       BIT(3)

/* The four bits of IA32_FIXED_CTR_CTRL that belong to a fixed counter. */
static unsigned fixed_control(CPUX86State *env, unsigned n)
{
    return extract64(env->msr_fixed_ctr_ctrl, 4 * (n - BT_MAX_GENERAL), 4);
}

uint64_t bt_counter_bit(unsigned n)
{
    return BIT_ULL(n < BT_MAX_GENERAL ? n : 32 + n - BT_MAX_GENERAL);
}

/* The bits that a counter has.  AMD's have 48, and those of P6 have 40. */
uint64_t bt_counter_mask(const BTModel *m, unsigned n)
{
    unsigned width = n >= BT_MAX_GENERAL ? extract32(m->leaf_0a[3], 5, 8)
                   : bt_perfmon_version(m) ? extract32(m->leaf_0a[0], 16, 8)
                   : m->amd_counters ? 48 : 40;

    return MAKE_64BIT_MASK(0, width ? width : 40);
}

/*
 * SDM vol. 3B, "Pre-defined Architectural Performance Events" and the lists of
 * events of P6; AMD's are those that Linux uses for every family.  False if
 * this event is not counted here: its counters stay at 0.
 */
static bool counted_of(const BTModel *m, uint64_t evtsel, uint8_t *counted)
{
    unsigned event = evtsel & EVTSEL_EVENT;

    if (m->amd_counters) {
        /* Their unit mask means nothing; bits 35:32 belong to the event's number. */
        event = extract64(evtsel, 32, 4) ? 0xffff : event & 0xff;
    } else if (evtsel & EVTSEL_UMASK2) {
        return false;
    }
    if (event == 0x00c0) {
        *counted = BT_INSNS;
    } else if (event == (m->amd_counters ? 0x0076 : 0x003c)
               || (event == 0x013c && bt_perfmon_version(m))
               || (event == 0x0079 && !bt_perfmon_version(m))) {
        *counted = BT_INSNS;            /* cycles */
    } else if (m->taken_event && event == m->taken_event) {
        *counted = BT_TAKEN;
    } else if (m->inserts_event && event == m->inserts_event) {
        *counted = BT_INSERTS;
    } else if (event == (m->amd_counters ? 0x00c2 : 0x00c4)) {
        *counted = BT_BRANCHES;
    } else {
        return false;
    }
    return true;
}

/*
 * SDM vol. 2A, CPUID.0AH:EBX: a set bit says that the architectural event is not
 * available.  Its counters then stay at 0 [derived].
 */
static bool available(CPUX86State *env, uint64_t evtsel)
{
    static const uint16_t architectural[] = {
        0x003c, 0x00c0, 0x013c, 0x4f2e, 0x412e, 0x00c4, 0x00c5,
        0x01a4, 0x02a4, 0x0073, 0x019c, 0x02c2, 0x01e4,
    };
    uint32_t absent = bt_leaf_0a_ebx(env_archcpu(env));

    for (int i = 0; i < ARRAY_SIZE(architectural); i++) {
        if ((absent & BIT(i)) && (evtsel & EVTSEL_EVENT) == architectural[i]) {
            return false;
        }
    }
    return true;
}

/* SDM vol. 3B, "Architectural Performance Monitoring": is it enabled? */
static bool enabled(CPUX86State *env, const BTModel *m, unsigned n)
{
    if (bt_has_global(m) && !(env->msr_global_ctrl & bt_counter_bit(n))) {
        return false;
    }
    if (bt_freezes_in_status(m)
        && (env->msr_global_status & BT_STATUS_CTR_FRZ)) {
        return false;
    }
    if (n >= BT_MAX_GENERAL) {
        return true;
    }
    /* On P6 the first register enables both counters. */
    return env->msr_gp_evtsel[m->amd_counters || bt_perfmon_version(m) ? n : 0]
        & EVTSEL_EN;
}

/*
 * APM vol. 2, "Host/Guest Only Bits": GuestOnly and HostOnly.  Both together are as
 * none (Linux, arch/x86/events/amd/core.c).  Without EFER.SVME a counter with one of them
 * counts nothing (the same, of 2012), or they are ignored (KVM's selftest
 * svm_pmu_host_guest_test, of 2026).  Unconfirmed: which processor does which.
 */
static bool counts_here(CPUX86State *env, const BTModel *m, uint64_t evtsel)
{
    uint64_t only = evtsel & (EVTSEL_GUEST | EVTSEL_HOST);

    if (!m->amd_counters || !only) {
        return true;
    }
    if (!(env->efer & MSR_EFER_SVME)) {
        return !m->host_guest_needs_svme;
    }
    return only & (env->hflags & HF_GUEST_MASK ? EVTSEL_GUEST : EVTSEL_HOST);
}

static BTSource source_of(CPUX86State *env, const BTModel *m, unsigned n)
{
    BTSource source = { };

    if (n < bt_general(m)) {
        uint64_t evtsel = env->msr_gp_evtsel[n];

        if (enabled(env, m, n) && available(env, evtsel)
            && bt_erratum_counts(env, n) && counts_here(env, m, evtsel)
            && counted_of(m, evtsel, &source.counted)) {
            source.level[0] = evtsel & EVTSEL_OS;
            source.level[1] = evtsel & EVTSEL_USR;
        }
    } else if (n >= BT_MAX_GENERAL && n < BT_MAX_GENERAL + MIN(bt_fixed(m), 3)
               && enabled(env, m, n)) {
        /* Instructions, cycles, reference cycles; slots stay at 0. */
        source.counted = BT_INSNS;
        source.level[0] = fixed_control(env, n) & FIXED_OS;
        source.level[1] = fixed_control(env, n) & FIXED_USR;
    }
    return source;
}

static uint64_t sum(const BranchTrace *bt, BTSource source)
{
    return (source.level[0] ? bt->happened[source.counted][0] : 0)
        + (source.level[1] ? bt->happened[source.counted][1] : 0);
}

static bool counts(BTSource source)
{
    return source.level[0] || source.level[1];
}

static bool wants_pmi(CPUX86State *env, unsigned n)
{
    return n < BT_MAX_GENERAL ? env->msr_gp_evtsel[n] & EVTSEL_INT
                              : fixed_control(env, n) & FIXED_PMI;
}

/* Does branch sampling keep the interrupt of this counter for later? */
static bool hold(CPUX86State *env, const BTModel *m, unsigned n)
{
    uint64_t control = env->bt.extn_ctl;

    if (!m->brs || !(control & BT_EXTN_CTL_BRSMEN)
        || n != (control & BT_EXTN_CTL_PMC) >> 24) {
        return false;
    }
    env->bt.brs_holds = true;
    return true;
}

/* Brings the values up to date.  True when an overflow wants an interrupt. */
static bool settle(CPUX86State *env)
{
    const BTModel *m = env_archcpu(env)->bt_model;
    BranchTrace *bt = &env->bt;
    bool pmi = false;

    for (unsigned n = 0; n < BT_COUNTERS; n++) {
        uint64_t mask = bt_counter_mask(m, n);
        uint64_t now = sum(bt, bt->source[n]);

        if (!counts(bt->source[n])) {
            continue;
        }
        bt->counter[n] += now - bt->seen[n];
        bt->seen[n] = now;
        if (bt->counter[n] > mask) {
            bt->counter[n] &= mask;
            if (bt_has_global(m)) {
                env->msr_global_status |= bt_counter_bit(n);
            }
            if (wants_pmi(env, n)) {
                bt->counter[n] = bt_erratum_overflowed(env, n, bt->counter[n], mask);
                pmi |= !hold(env, m, n);
            }
        }
    }
    return pmi;
}

/* Brings the values up to date, and requests an interrupt that is due. */
void bt_count_settle(CPUX86State *env)
{
    if (env_archcpu(env)->bt_model && settle(env)) {
        bt_request_pmi(env);
    }
}

/* The value of a counter, brought up to date, to be read or changed. */
uint64_t *bt_counter(CPUX86State *env, unsigned n)
{
    bt_count_settle(env);
    return &env->bt.counter[n];
}

bool bt_is_counted(const CPUX86State *env, BTCounted what)
{
    return env->bt.limit[what] != 0;
}

/* bt_update() calls this when the set of counted events has changed. */
void bt_count_update(CPUX86State *env)
{
    const BTModel *m = env_archcpu(env)->bt_model;
    BranchTrace *bt = &env->bt;
    bool pmi = settle(env), on = false;

    memset(bt->limit, 0, sizeof(bt->limit));
    for (unsigned n = 0; n < BT_COUNTERS; n++) {
        BTSource source = source_of(env, m, n);
        uint64_t *limit = &bt->limit[source.counted];
        uint64_t overflow;

        bt->source[n] = source;
        bt->seen[n] = sum(bt, source);
        on |= counts(source) && wants_pmi(env, n);
        if (counts(source)) {
            overflow = bt->happened[source.counted][0]
                + bt->happened[source.counted][1]
                + bt_counter_mask(m, n) - bt->counter[n] + 1;
            *limit = *limit ? MIN(*limit, overflow) : overflow;
        }
    }
    bt_late_nmi(env, on);
    if (bt->silicon.pmi_waits) {
        uint64_t *limit = &bt->limit[BT_INSNS];

        *limit = *limit ? MIN(*limit, bt->silicon.pmi_insns)
                        : bt->silicon.pmi_insns;
    }
    if (pmi) {
        bt_request_pmi(env);
    }
}

static void reached(CPUX86State *env)
{
    bt_count_settle(env);
    bt_skid_limit(env);
    bt_update(env);
}

static void count(CPUX86State *env, BTCounted what, bool user)
{
    BranchTrace *bt = &env->bt;

    if (bt_is_counted(env, what)) {
        bt->happened[what][user]++;
        if (bt->happened[what][0] + bt->happened[what][1] >= bt->limit[what]) {
            reached(env);
        }
    }
}

/* A branch was taken at CPL 0, or above it (USER). */
void bt_count_branch(CPUX86State *env, BTKind kind, bool user)
{
    const BTModel *m = env_archcpu(env)->bt_model;

    for (int n = bt_erratum_twice(env, kind) ? 2 : 1; n > 0; n--) {
        if (kind != BT_FAR || !m->taken_near) {
            count(env, BT_TAKEN, user);
        }
        count(env, BT_BRANCHES, user);
    }
}

/*
 * A record went to the LBR stack, by a branch that entered CPL 0, or one above it.
 * Derived: the level that it enters counts, and a return of call-stack mode, which
 * removes a record, is no insert.
 */
void bt_count_insert(CPUX86State *env, bool user)
{
    count(env, BT_INSERTS, user);
}

/* A conditional branch was not taken. */
void helper_bt_not_taken(CPUX86State *env, uint32_t cpl)
{
    bt_pt_not_taken(env);
    count(env, BT_BRANCHES, cpl);
    bt_skid_conditional(env);
    bt_predict_not_taken(env);
}

/* The sum of instructions is at its limit. */
void helper_bt_limit(CPUX86State *env)
{
    reached(env);
}

/*
 * An instruction that faulted does not count.  #DB is not a fault of the instruction
 * that began, and one that could not be fetched did not begin.
 */
void bt_count_fault(CPUX86State *env, const BTEvent *event, int intno)
{
    bool fetch = intno == EXCP0E_PAGE
        && env->cr[2] - (event->cs_base + event->eip) < TARGET_MAX_INSN_SIZE;

    if (bt_is_counted(env, BT_INSNS) && intno != EXCP01_DB && !fetch) {
        env->bt.happened[BT_INSNS][event->cpl != 0]--;
    }
}

/*
 * An instruction that the hypervisor intercepts does not count either [derived: RIP in the
 * VMCB is its address].  Interrupts come before an instruction, and the trap #DB after one.
 */
void bt_count_intercept(CPUX86State *env, uint64_t code, uint64_t info_1)
{
    bool between = (code >= SVM_EXIT_INTR && code <= SVM_EXIT_VINTR)
        || code == SVM_EXIT_EXCP_BASE + EXCP01_DB || code == (uint64_t)SVM_EXIT_ERR;
    bool fetch = (code == SVM_EXIT_NPF || code == SVM_EXIT_EXCP_BASE + EXCP0E_PAGE)
        && (info_1 & PG_ERROR_I_D_MASK);

    if (env_archcpu(env)->bt_model && (env->hflags & HF_GUEST_MASK)
        && bt_is_counted(env, BT_INSNS) && !between && !fetch) {
        env->bt.happened[BT_INSNS][(env->hflags & HF_CPL_MASK) != 0]--;
    }
}

/* EFER.SVME may have changed, which GuestOnly and HostOnly depend on. */
void bt_efer_changed(CPUX86State *env)
{
    if (env_archcpu(env)->bt_model) {
        bt_cr4_changed(env);
        bt_update(env);
    }
}

/*
 * RDMSR, WRMSR and RDPMC have begun and not retired yet: they do not see
 * themselves counted.
 */
bool bt_count_unretire(CPUX86State *env)
{
    bool began = bt_is_counted(env, BT_INSNS);

    if (began) {
        env->bt.happened[BT_INSNS][(env->hflags & HF_CPL_MASK) != 0]--;
    }
    return began;
}

void bt_count_retire(CPUX86State *env, bool began)
{
    if (began && bt_is_counted(env, BT_INSNS)) {
        env->bt.happened[BT_INSNS][(env->hflags & HF_CPL_MASK) != 0]++;
    }
}

/* RDPMC: ECX is the number of a counter, with bit 30 of a fixed one. */
bool bt_rdpmc(CPUX86State *env, uintptr_t ra)
{
    const BTModel *m = env_archcpu(env)->bt_model;
    uint32_t n = env->regs[R_ECX];
    bool fixed = n & BIT(30), began;
    uint64_t value;

    if (!m || (!bt_general(m) && !bt_fixed_mask(m))) {
        return false;
    }
    n &= ~BIT(30);
    if (fixed ? n >= BT_MAX_FIXED || !(bt_fixed_mask(m) & BIT(n))
              : n >= bt_general(m)) {
        raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
    }
    began = bt_count_unretire(env);
    value = *bt_counter(env, n + (fixed ? BT_MAX_GENERAL : 0));
    bt_count_retire(env, began);
    env->regs[R_EAX] = (uint32_t)value;
    env->regs[R_EDX] = value >> 32;
    return true;
}
