/*
 * Branch-trace hardware: errata of real processors, see branch-trace-errata.h.
 *
 * bt_errata() says which are on; the others ask it where an erratum is one line.  Here is
 * what needs more.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"

const BTErrata *bt_errata(const CPUX86State *env)
{
    return &env_archcpu((CPUX86State *)env)->bt_errata;
}

/* ---- Records ---- */

/* Does a record of a near branch depend on an erratum?  Then it has no short path. */
bool bt_erratum_records(const CPUX86State *env)
{
    const BTErrata *has = bt_errata(env);

    return has->bogus || has->wrong_from || has->smi_spoils;
}

/*
 * "Wrong FROM", of one record of many or of the first after an SMI: no source says which
 * address it is.  Chosen: that of the branch before, which looks like any other.
 */
uint64_t bt_erratum_from(CPUX86State *env, uint64_t from)
{
    const BTErrata *has = bt_errata(env);
    BTErrataState *s = &env->bt.errata;
    bool wrong = s->spoiled
        || (has->wrong_from && env->bt.faults.records % has->wrong_from == 0);
    uint64_t shown = wrong ? s->last_from : from;

    s->last_from = from;
    s->spoiled = false;
    return shown;
}

/* An SMI came. */
void bt_erratum_smi(CPUX86State *env)
{
    env->bt.errata.spoiled = bt_errata(env)->smi_spoils;
}

/* Is a bogus entry due after this one of AMD's version 2?  Chosen: after each Nth record. */
bool bt_erratum_bogus(const CPUX86State *env)
{
    uint32_t n = bt_errata(env)->bogus;

    return n && env->bt.faults.records % n == 0;
}

/* FROM as it is stored in memory, of a branch that changes the ring or not. */
uint64_t bt_erratum_bts_from(CPUX86State *env, uint64_t from, uint64_t to, bool ring_changes)
{
    const BTErrata *has = bt_errata(env);
    const BTModel *m = env_archcpu(env)->bt_model;

    if (has->bts_ring_from && ring_changes
        && (env->bt.debugctl & (m->bts_off_os | m->bts_off_usr))) {
        return to;              /* chosen */
    }
    return has->bts_int_from ? from + env->bt.errata.int_length : from;
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
    return env->bt.errata.event && bt_errata(env)->v2_no_events
        && m->extn_ctl && !m->brs;
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

    return bt_errata(env)->drop_step
        && (((cs->interrupt_request & CPU_INTERRUPT_HARD) && (env->eflags & IF_MASK))
            || (cs->interrupt_request & CPU_INTERRUPT_NMI));
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
    return !bt_errata(env)->nehalem_counters || (env->bt.errata.cured & BIT(n));
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
    uint32_t least = bt_errata(env)->small_period;

    return n < ARRAY_SIZE(env->bt.errata.period) && env->bt.errata.period[n] < least
        ? mask : value;
}

/* A branch was taken, or not.  Does it count twice? */
bool bt_erratum_twice(CPUX86State *env, BTKind kind)
{
    const BTErrata *has = bt_errata(env);

    return (kind == BT_FAR
            && (has->far_twice || env_archcpu(env)->bt_model->far_counts_twice))
        || (has->overcount && ++env->bt.errata.branches % has->overcount == 0);
}
