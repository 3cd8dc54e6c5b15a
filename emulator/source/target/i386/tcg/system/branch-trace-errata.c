/*
 * Branch-trace hardware: errata of real processors, see branch-trace-errata.h.
 *
 * bt_erratum() says which are on, and the other files ask it where an erratum is one line.
 * Here is what needs more.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "tcg/helper-tcg.h"

static const BTErrata *errata(const CPUX86State *env)
{
    return &env_archcpu((CPUX86State *)env)->bt_errata;
}

bool bt_erratum(const CPUX86State *env, BTErratum which)
{
    return errata(env)->on & BIT_ULL(which);
}

/* A property decides; without it the row does with bt-silicon=on, and otherwise it is off. */
void bt_errata_set(X86CPU *cpu)
{
    BTErrata *has = &cpu->bt_errata;

    has->on = cpu->bt_silicon_on ? cpu->bt_model->errata : 0;
    for (int i = 0; i < BT_ERRATA_END; i++) {
        if (has->asked[i] != ON_OFF_AUTO_AUTO) {
            has->on = deposit64(has->on, i, 1, has->asked[i] == ON_OFF_AUTO_ON);
        }
    }
}

/* Is this the Nth, with a property that says N? */
static bool is_nth(uint32_t *count, uint32_t n)
{
    return n && ++*count % n == 0;
}

/* ---- Processor Trace ---- */

/*
 * SDM vol. 3C, "Internal Buffer Overflow": one in a PSB+ can lose PSBEND (seen in
 * intel/libipt#90), and one at the very end of a trace leaves neither OVF nor TIP.PGD.
 */
bool bt_erratum_psb_cut(CPUX86State *env)
{
    return is_nth(&env->bt.errata.psbs, errata(env)->pt_psb_cut);
}

bool bt_erratum_end_cut(CPUX86State *env)
{
    return is_nth(&env->bt.errata.pt_ends, errata(env)->pt_end_cut);
}

/* ---- Records ---- */

/* Does a record of a near branch depend on an erratum?  Then it has no short path. */
bool bt_erratum_records(const CPUX86State *env)
{
    return errata(env)->bogus || errata(env)->wrong_from || errata(env)->lose_bts
        || bt_erratum(env, BT_ERRATUM_SMI_SPOILS);
}

/*
 * "Wrong FROM", of one record of many or of the first after an SMI: no source says which
 * address it is.  Chosen: that of the branch before, which looks like any other.
 */
uint64_t bt_erratum_from(CPUX86State *env, uint64_t from)
{
    BTErrataState *s = &env->bt.errata;
    uint32_t n = errata(env)->wrong_from;
    bool wrong = s->spoiled || (n && env->bt.faults.records % n == 0);
    uint64_t shown = wrong ? s->last_from : from;

    s->last_from = from;
    s->spoiled = false;
    return shown;
}

/* An SMI came. */
void bt_erratum_smi(CPUX86State *env)
{
    env->bt.errata.spoiled = bt_erratum(env, BT_ERRATUM_SMI_SPOILS);
}

/* Is a bogus entry due after this one of AMD's version 2?  Chosen: after each Nth record. */
bool bt_erratum_bogus(const CPUX86State *env)
{
    uint32_t n = errata(env)->bogus;

    return n && env->bt.faults.records % n == 0;
}

/* FROM as it is stored in memory, of a branch that changes the ring or not. */
uint64_t bt_erratum_bts_from(CPUX86State *env, uint64_t from, uint64_t to, bool ring_changes)
{
    const BTModel *m = env_archcpu(env)->bt_model;

    if (ring_changes && (env->bt.debugctl & (m->bts_off_os | m->bts_off_usr))
        && bt_erratum(env, BT_ERRATUM_BTS_RING_FROM)) {
        return to;              /* chosen */
    }
    return bt_erratum(env, BT_ERRATUM_BTS_INT_FROM)
        ? from + env->bt.errata.int_length : from;
}

/* AF36: a record of BTS can be lost while STPCLK# is active.  Here each Nth is. */
bool bt_erratum_lose_bts(CPUX86State *env)
{
    return is_nth(&env->bt.errata.bts, errata(env)->lose_bts);
}

/*
 * The copy of the newest record of Skylake counts as an insert into the LBR stack, if it is
 * one [unconfirmed].  Registers are changing, so an overflow waits for the next insert.
 */
void bt_erratum_doubled(CPUX86State *env)
{
    if (bt_erratum(env, BT_ERRATUM_DOUBLE_INSERTS) && bt_is_counted(env, BT_INSERTS)) {
        env->bt.happened[BT_INSERTS][(env->hflags & HF_CPL_MASK) != 0]++;
    }
}

/* An event begins to be recorded.  LENGTH is that of INT n, and 0 of all others. */
void bt_erratum_event(CPUX86State *env, uint64_t length)
{
    env->bt.errata.event = true;
    env->bt.errata.int_length = length;
}

void bt_erratum_event_end(CPUX86State *env)
{
    env->bt.errata.event = false;
    env->bt.errata.int_length = 0;
}

/* Is this entry of AMD's version 2, which belongs to an interrupt or exception, missing? */
bool bt_erratum_no_entry(const CPUX86State *env, const BTModel *m)
{
    return env->bt.errata.event && m->extn_ctl && !m->brs
        && bt_erratum(env, BT_ERRATUM_V2_NO_EVENTS);
}

/* ---- Single steps ---- */

/*
 * A hypervisor that injects an event at VM entry loses the single step that is pending (SDM
 * vol. 3C, "VM-Entry Injection and Pending Debug Exceptions").  Here the event is an interrupt
 * that waits when a step is due: it comes, and the step does not.
 */
bool bt_erratum_no_step(const CPUX86State *env)
{
    CPUState *cs = env_cpu((CPUX86State *)env);

    return bt_erratum(env, BT_ERRATUM_DROP_STEP)
        && (((cs->interrupt_request & CPU_INTERRUPT_HARD) && (env->eflags & IF_MASK))
            || (cs->interrupt_request & CPU_INTERRUPT_NMI));
}

/*
 * An event was delivered.  APM vol. 2, "Debug Breakpoint Facilities": with BTF "every branch
 * instruction, interrupt, or exception" is a stop, although the event clears TF.  Nobody
 * has recorded which it is; here the #DB comes before the first instruction of the handler.
 */
void bt_erratum_event_stops(CPUX86State *env, const BTEvent *event, bool is_db)
{
    X86CPU *cpu = env_archcpu(env);

    if (!is_db && event->tf && (env->bt.debugctl & cpu->bt_model->btf)
        && bt_erratum(env, BT_ERRATUM_BTF_EVENTS)) {
        env->dr[6] |= DR6_BS;
        do_interrupt_all(cpu, EXCP01_DB, 0, 0, env->eip, 0);
    }
}

/*
 * A single step of a repeated string instruction has up to 64 iterations on Knights Landing,
 * when the count is above 16; otherwise it is one iteration, as on all other processors (rr,
 * src/Task.cc; rr#1904, rr#1948).  Chosen: each number up to 64 is equally likely, and such
 * a step may be the last one.
 */
#define REP_ONE_EACH    16
#define REP_MOST        64

/* How many iterations the step that begins has, when COUNT are left: at most these. */
target_ulong helper_bt_rep(CPUX86State *env, target_ulong count)
{
    return count <= REP_ONE_EACH
        ? 1 : MIN(count, 1 + bt_random(env, BT_RANDOM_REP, REP_MOST));
}

/* ---- Counters ---- */

/*
 * AAK100, AAP53, BD53: "Performance Monitor Counters May Count Incorrectly", or not at all,
 * until four events that count nothing were programmed and enabled together (Linux,
 * intel_pmu_nhm_workaround(), which does so for each counter it adds).  Chosen: a counter
 * counts nothing before, nor when another event is programmed into it afterwards.
 */
static const uint32_t magic[] = { 0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1 };

static bool is_magic(uint64_t selector)
{
    return selector == magic[0] || selector == magic[1] || selector == magic[2];
}

bool bt_erratum_counts(const CPUX86State *env, unsigned n)
{
    return !bt_erratum(env, BT_ERRATUM_NEHALEM_COUNTERS)
        || (env->bt.errata.cured & BIT(n));
}

/* IA32_PERF_GLOBAL_CTRL is about to change. */
void bt_erratum_global(CPUX86State *env, uint64_t value)
{
    bool cured = (env->msr_global_ctrl & 0xf) == 0xf && !value;

    for (int i = 0; i < ARRAY_SIZE(magic); i++) {
        cured &= env->msr_gp_evtsel[i] == magic[i];
    }
    if (cured) {
        env->bt.errata.cured = UINT32_MAX;
    }
}

/* The selector of counter N is about to change. */
void bt_erratum_selector(CPUX86State *env, unsigned n, uint64_t value)
{
    uint64_t old = env->msr_gp_evtsel[n];

    if (old && !is_magic(old) && ((old ^ value) & 0xffff)) {
        env->bt.errata.cured &= ~BIT(n);
    }
}

/* Software has written VALUE to general counter N, whose bits are MASK. */
void bt_erratum_written(CPUX86State *env, unsigned n, uint64_t value, uint64_t mask)
{
    if (n < ARRAY_SIZE(env->bt.errata.period)) {
        env->bt.errata.period[n] = mask - value + 1;
    }
}

/*
 * Counter N has overflowed, with a PMI.  HSW11: "interrupt took too long", a storm, and on
 * Nehalem a loop that does not end, after short periods (Linux, hsw_limit_period(),
 * nhm_limit_period()).  Chosen: the counter stays at its end, so that every further event
 * overflows, until software writes it.  Returns what it holds.
 */
uint64_t bt_erratum_overflowed(CPUX86State *env, unsigned n, uint64_t value, uint64_t mask)
{
    uint32_t least = errata(env)->small_period;

    return n < ARRAY_SIZE(env->bt.errata.period) && env->bt.errata.period[n] < least
        ? mask : value;
}

/* A branch was taken, or not.  Does it count twice? */
bool bt_erratum_twice(CPUX86State *env, BTKind kind)
{
    return (kind == BT_FAR && bt_erratum(env, BT_ERRATUM_FAR_TWICE))
        || is_nth(&env->bt.errata.branches, errata(env)->overcount);
}
