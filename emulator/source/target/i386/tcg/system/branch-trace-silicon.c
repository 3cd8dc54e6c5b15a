/*
 * Branch-trace hardware: behaviour that real processors were seen to have, and no
 * manual promises.
 *
 * Each behaviour has a property, and bt-silicon=on turns on those of the row.
 * Every choice is drawn from a pseudo-random sequence that bt-seed starts, when
 * something happens in the guest: never by the clock, or by chance of the host.
 * So a guest that does the same sees the same.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/stats64.h"
#include "cpu.h"
#include "hw/i386/apic_internal.h"

/* SplitMix64: neighbouring seeds give sequences that have nothing in common. */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/* Every processor and every behaviour has a sequence of its own. */
void bt_silicon_reset(X86CPU *cpu)
{
    uint64_t x = mix(mix(cpu->bt_seed) + CPU(cpu)->cpu_index);

    for (int i = 0; i < BT_RANDOMS; i++) {
        x = mix(x);
        cpu->env.bt.silicon.random[i] = x | 1;  /* never 0, where it would stay */
    }
    bt_predict_reset(cpu);
}

/* The next number of a sequence, 0 to BELOW - 1: xorshift64*. */
uint32_t bt_random(CPUX86State *env, BTRandom which, uint32_t below)
{
    uint64_t *x = &env->bt.silicon.random[which];

    *x ^= *x >> 12;
    *x ^= *x << 25;
    *x ^= *x >> 27;
    return (*x * 0x2545f4914f6cdd1d >> 32) * below >> 32;
}

/*
 * ---- A PMI comes late ----
 *
 * rr measured the bounds, in conditional branches, taken or not (rr,
 * src/PerfCounters_x86.h): 100 from Nehalem to Rocket Lake, 125 from Alder Lake
 * on, none on Zen.  That all delays up to the bound are equally likely is
 * chosen, and so is what follows.  Code without conditional branches has 16
 * instructions for each.  A write of a register of branch-trace hardware and
 * HLT take long enough for the PMI to come in before what follows them.
 */
#define INSNS_PER_BRANCH 16

static uint64_t instructions(const CPUX86State *env)
{
    return env->bt.happened[BT_INSNS][0] + env->bt.happened[BT_INSNS][1];
}

/*
 * AMD's NMIs of counters can come after software has turned these off; Linux allows
 * them a window of 100 ms (commits 914123fa3904, df4d29732fda).  Chosen: such an NMI
 * comes 1,000 to 9,000 instructions after that, and if it does not happen within
 * 20,000, then; HLT waits for it.
 */
#define NMI_AFTER_OFF   1000
#define NMI_SPREAD      8000
#define NMI_HELD        20000

static bool is_nmi(X86CPU *cpu)
{
    uint32_t lvt = cpu->apic_state
        ? APIC_COMMON(cpu->apic_state)->lvt[APIC_LVT_PERFORM] : APIC_LVT_MASKED;

    return !(lvt & APIC_LVT_MASKED) && extract32(lvt, 8, 3) == APIC_DM_NMI;
}

static bool late_nmi_begins(CPUX86State *env)
{
    X86CPU *cpu = env_archcpu(env);
    BTSiliconState *s = &env->bt.silicon;
    uint32_t share = cpu->bt_silicon.late_nmi;

    if (!share || !is_nmi(cpu) || bt_random(env, BT_RANDOM_NMI, share) != 0) {
        return false;
    }
    s->pmi_waits = s->nmi_late = true;
    s->nmi_off = false;
    s->pmi_insns = instructions(env) + NMI_HELD;
    return true;
}

/* Registers have changed: does a counter count whose overflow is a PMI? */
void bt_late_nmi(CPUX86State *env, bool counters_on)
{
    BTSiliconState *s = &env->bt.silicon;

    if (s->nmi_late && !s->nmi_off && !counters_on) {
        s->nmi_off = true;
        s->pmi_insns = instructions(env) + NMI_AFTER_OFF
            + bt_random(env, BT_RANDOM_NMI, NMI_SPREAD);
    }
}

/* A PMI is requested.  True when it comes at once. */
bool bt_skid_begin(CPUX86State *env)
{
    const BTSilicon *has = &env_archcpu(env)->bt_silicon;
    BTSiliconState *s = &env->bt.silicon;
    uint32_t bound = has->skid;
    uint32_t late;

    if (s->pmi_waits || late_nmi_begins(env)) {
        return false;           /* one interrupt is for both */
    }
    if (has->long_skid && bt_random(env, BT_RANDOM_SKID, has->long_skid) == 0) {
        bound = BT_LONG_SKID;
    }
    late = bound ? bt_random(env, BT_RANDOM_SKID, bound + 1) : 0;
    if (late == 0) {
        return true;
    }
    s->pmi_waits = true;
    s->pmi_branches = late;
    s->pmi_insns = instructions(env) + (uint64_t)late * INSNS_PER_BRANCH;
    return false;
}

/* The PMI that is late comes now, if there is one. */
void bt_skid_end(CPUX86State *env)
{
    if (env->bt.silicon.pmi_waits) {
        env->bt.silicon.pmi_waits = false;
        bt_pmi_arrives(env);
    }
}

/* A register was written. */
void bt_skid_write(CPUX86State *env)
{
    if (!env->bt.silicon.nmi_late) {
        bt_skid_end(env);
    }
}

/* A conditional branch, taken or not. */
void bt_skid_conditional(CPUX86State *env)
{
    BTSiliconState *s = &env->bt.silicon;

    if (s->pmi_waits && !s->nmi_late && --s->pmi_branches == 0) {
        bt_skid_end(env);
    }
}

/* The sum of instructions is at a limit, which may be that of the PMI. */
void bt_skid_limit(CPUX86State *env)
{
    if (env->bt.silicon.pmi_waits
        && instructions(env) >= env->bt.silicon.pmi_insns) {
        bt_skid_end(env);
    }
}

/*
 * ---- The newest record is a copy of the one before it ----
 *
 * Recorded on a Xeon 8173M (06_55): 966 of 3,732 stacks, at the newest position
 * only; 546 of the copies differ in cycles.  Not one of 29 stacks in call-stack
 * mode (06_9E) has it.  BOLT (lib/Profile/DataAggregator.cpp) drops the two newest
 * records, which is right both when the copy is one entry more, and when it takes
 * the place of the newest; no source says which.  Chosen: one more, so the oldest
 * is lost, and bt-double-replaces has the other.  That it follows every stop, by a
 * freeze, WRMSR or #DB, is unconfirmed: those stacks were frozen by a PMI.
 */
static void double_newest(CPUX86State *env)
{
    X86CPU *cpu = env_archcpu(env);
    const BTSilicon *has = &cpu->bt_silicon;
    BranchTrace *bt = &env->bt;
    unsigned last = has->double_replaces ? bt_newest(bt, 1) : bt->newest;

    /* There must be a record, of since LBR was turned on. */
    if (!has->double_newest || cpu->bt_model->brs || bt->silicon.call_stack
        || bt->newest == bt->stale || last == bt->stale
        || bt_random(env, BT_RANDOM_NEWEST, has->double_newest) != 0) {
        return;
    }
    if (!has->double_replaces) {
        bt->newest = (bt->newest + 1) & (bt->depth - 1);
    }
    bt->from[bt->newest] = bt->from[last];
    bt->to[bt->newest] = bt->to[last];
    bt->info[bt->newest] = bt->info[last];
    if (bt_random(env, BT_RANDOM_NEWEST, 966) < 546) {
        uint64_t cycles = bt->info[last] + 1
            + bt_random(env, BT_RANDOM_NEWEST, 63);

        bt->info[bt->newest] = deposit64(bt->info[last], 0, 16, cycles);
    }
}

/*
 * ---- Entries of AMD's version 2 that did not retire ----
 *
 * Entries with S = 1 and V = 0 are of branches on a wrong path, and one with TO[61]
 * set is bogus (erratum 1452; Linux, arch/x86/events/amd/lbr.c, skips both).  They
 * take up slots.  Chosen: that the branch is one of the code right after the newest
 * recorded one, which is where the processor goes on when it predicts that as not
 * taken; that one of 8 is bogus; and that a bogus one claims to be valid.
 */
bool bt_wrong_path(CPUX86State *env, uint64_t *from, uint64_t *to,
                   uint64_t *flags)
{
    uint32_t share = env_archcpu(env)->bt_silicon.wrong_path;
    uint64_t mask = BT_EXTN_ADDRESS;

    if (!share || bt_random(env, BT_RANDOM_WRONG_PATH, share) != 0) {
        return false;
    }
    *from = (env->bt.from[env->bt.newest] & mask)
        + 2 + bt_random(env, BT_RANDOM_WRONG_PATH, 32);
    *to = *from + 2 + bt_random(env, BT_RANDOM_WRONG_PATH, 256);
    *flags = bt_random(env, BT_RANDOM_WRONG_PATH, 8) == 0
        ? BT_TO_VALID | BT_TO_BOGUS : BT_TO_SPECULATIVE;
    return true;
}

/*
 * ---- An SMI ----
 *
 * It is only its effect, since what the firmware has for it may not run here.  MSR
 * 34H counts it (SDM vol. 4, "MSR_SMI_COUNT").  With FREEZE_WHILE_SMM nothing is
 * recorded, and RSM has all counters enabled (SDM vol. 3B, "IA32_DEBUGCTL MSR");
 * architectural LBR is off in SMM in any case.  Otherwise LBR records, AMD's as well
 * (APM vol. 2, "Control-Transfer Recording" has SMI and RSM), and counters count.
 *
 * Chosen: what the code in SMM is like; that records in memory have it as well,
 * although SDM vol. 3B, "Debug Store (DS) Mechanism", has them disabled by an SMI, and
 * a real SMI here does so (that FREEZE_WHILE_SMM clears TR and BTS would have no
 * effect then); that all processors lose a tenth of a millisecond; and how many
 * instructions it is.
 */
#define SMI_TICKS       300000
#define SMI_INSNS       4000
#define SMI_ENTRY       0x8000  /* in the segment that starts at SMBASE */

static Stat64 time_ahead;

/* By how much the time-stamp counters are ahead. */
uint64_t bt_time(void)
{
    return stat64_get(&time_ahead);
}

void bt_time_passes(uint64_t ticks)
{
    stat64_add(&time_ahead, ticks);
}

/* LBR inserts are not counted: who counts them has architectural LBR. */
static void smm_branch(CPUX86State *env, BTKind kind, unsigned left,
                       unsigned entered, uint64_t from, uint64_t from_base,
                       uint64_t to, uint64_t to_base)
{
    bt_predict_taken(env, kind, from + from_base, to + to_base);
    bt_record_once(env, BT_WHAT(kind, left), BT_WHAT(kind, entered),
                   from, from_base, to, to_base);
    bt_count_branch(env, kind, false);
}

/* To a handler in flat memory, a call, a loop, and back. */
static void smm_code(CPUX86State *env)
{
    uint64_t eip = env->eip, cs = env->segs[R_CS].base;
    uint64_t handler = env->smbase + SMI_ENTRY;
    unsigned rounds = bt_random(env, BT_RANDOM_SMI, 4);
    unsigned cpl = env->hflags & HF_CPL_MASK;

    smm_branch(env, BT_FAR, cpl, 0, eip, cs, SMI_ENTRY, env->smbase);
    smm_branch(env, BT_FAR, 0, 0, SMI_ENTRY + 0x2b, env->smbase,
               handler + 0x60, 0);
    smm_branch(env, BT_REL_CALL, 0, 0, handler + 0x7a, 0, handler + 0x200, 0);
    while (rounds--) {
        smm_branch(env, BT_JCC, 0, 0, handler + 0x230, 0, handler + 0x214, 0);
    }
    smm_branch(env, BT_RET, 0, 0, handler + 0x244, 0, handler + 0x7f, 0);
    smm_branch(env, BT_FAR, 0, cpl, handler + 0x88, 0, eip, cs);
    if (bt_is_counted(env, BT_INSNS)) {
        env->bt.happened[BT_INSNS][0] += SMI_INSNS;
    }
}

static void smi(CPUX86State *env)
{
    const BTModel *m = env_archcpu(env)->bt_model;

    env->msr_smi_count++;
    bt_time_passes(SMI_TICKS);
    if (env->bt.debugctl & m->freeze_smm) {
        env->msr_global_ctrl = bt_global_enables(m);
        bt_registers_changed(env);
    } else if (!m->lbr_ctl) {
        smm_code(env);
    }
}

static bool smi_comes(CPUX86State *env)
{
    uint32_t share = env_archcpu(env)->bt_silicon.smi;

    return share && bt_random(env, BT_RANDOM_SMI, share) == 0;
}

/* After a taken branch, but before a trap it is bt_smi_at_trap(). */
void bt_smi(CPUX86State *env)
{
    if (!(env->eflags & TF_MASK) && smi_comes(env)) {
        smi(env);
    }
}

/*
 * A single-step trap is due.  True when an SMI comes at the same boundary: then
 * only the SMI is handled (SDM vol. 3C, "Entering SMM").  That the trap does not
 * come after it is derived.
 */
bool bt_smi_at_trap(CPUX86State *env)
{
    bool comes = smi_comes(env);

    if (comes) {
        smi(env);
    }
    return comes;
}

/* Registers have changed: is LBR on, and was it before? */
void bt_lbr_updated(CPUX86State *env, bool was_on)
{
    if (env->bt.lbr_mask && !was_on) {
        bt_predict_begin(env);
    }
    if (env->bt.lbr_mask) {
        env->bt.silicon.call_stack = bt_call_stack(env);
    } else if (was_on) {
        double_newest(env);
    }
}
