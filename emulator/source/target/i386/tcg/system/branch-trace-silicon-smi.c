/*
 * Branch-trace hardware, silicon mode: the effect of system-management interrupts.
 *
 * On real processors an SMI can come at any time, and LBR records what runs in SMM unless
 * FREEZE_WHILE_SMM is set, which firmware leaves clear.  With bt-smi=N one comes after
 * about one of N taken branches that something watches (bt_smi(), called by
 * branch-trace-record.c), and instead of one of N single-step traps (bt_smi_at_trap(),
 * called by helper_single_step()).  A real SMI, which a device raises, is in
 * branch-trace-smm.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/stats64.h"
#include "cpu.h"

/*
 * Only the effect of an SMI is modelled, since the firmware's handler may not run here.  MSR
 * 34H counts it (SDM vol. 4, "MSR_SMI_COUNT").  With FREEZE_WHILE_SMM nothing is
 * recorded, and RSM has all counters enabled (SDM vol. 3B, "IA32_DEBUGCTL MSR");
 * architectural LBR is off in SMM in any case.  Otherwise LBR records, AMD's as well
 * (APM vol. 2, "Control-Transfer Recording" has SMI and RSM), and counters count.
 *
 * Chosen: the branches of the code in SMM, and how many instructions it has; all
 * processors lose a tenth of a millisecond; records in memory have these branches as well.
 * (SDM vol. 3B, "Debug Store (DS) Mechanism", has such records disabled by an SMI, as a
 * real SMI here does, but then FREEZE_WHILE_SMM need not clear TR and BTS.)
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

static void smm_branch(CPUX86State *env, BTKind kind, unsigned left,
                       unsigned entered, uint64_t from, uint64_t from_base,
                       uint64_t to, uint64_t to_base)
{
    bool inserted = bt_inserts(env, BT_WHAT(kind, entered));

    bt_predict_taken(env, kind, from + from_base, to + to_base);
    bt_record_once(env, BT_WHAT(kind, left), BT_WHAT(kind, entered),
                   from, from_base, to, to_base);
    if (inserted) {
        bt_count_insert(env, entered);
    }
    bt_count_branch(env, kind, false);
}

/* The branches of an SMI: to a handler in flat memory, a call, a loop, and back. */
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
    bt_erratum_smi(env);
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

/* A branch was taken: an SMI may come.  If a trap is due, bt_smi_at_trap() is called for it. */
void bt_smi(CPUX86State *env)
{
    if (!(env->eflags & TF_MASK) && smi_comes(env)) {
        smi(env);
    }
}

/*
 * A single-step trap is due.  True when an SMI comes at the same boundary: then
 * only the SMI is handled (SDM vol. 3C, "Entering SMM"), and the trap does not come
 * after it [derived].
 */
bool bt_smi_at_trap(CPUX86State *env)
{
    bool comes = smi_comes(env);

    if (comes) {
        smi(env);
    }
    return comes;
}
