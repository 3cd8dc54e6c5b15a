/*
 * Branch-trace hardware: single-stepping on branches (BTF), and #DB around it.
 *
 * SDM vol. 3B, "Single-Stepping on Branches": with EFLAGS.TF and DEBUGCTL.BTF set, only a
 * taken branch traps.  TF is tested as before the instruction, BTF as after it [derived: in
 * SDM vol. 3C WRMSR that sets BTF does not trap, and WRMSR that clears it traps].  An
 * iteration of REP is no branch, and neither is PAUSE.
 * SYSCALL and SYSRET differ: TF is tested as after them (kvm-unit-tests, x86/syscall.c; for
 * SYSRET APM vol. 2 too, in 13.1.4).  TCG does so, by helper_rechecking_single_step(), and
 * BTF changes nothing, since they are branches.
 *
 * Blocks that begin with TF have one instruction, and those with HF_BT_STEP call
 * helper_bt_step() after it.  BTF is set by WRMSR (branch-trace-msr.c) and cleared by the
 * delivery of #DB: debug_exception() in branch-trace-record.c.
 *
 * Errors of TCG itself are corrected here for processors that have branch-trace hardware,
 * in helpers, so that the translation stays as it is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "exec/exec-all.h"
#include "tcg/helper-tcg.h"

/* An instruction that began with TF and BTF set has ended: a branch, or Jcc not taken. */
void helper_bt_step(CPUX86State *env, uint32_t taken, uint32_t untaken)
{
    if (bt_no_step(env)) {
        return;
    }
    if (taken || (untaken && bt_erratum(env, BT_ERRATUM_BTF_UNTAKEN))
        || !(env->bt.debugctl & env_archcpu(env)->bt_model->btf)) {
        helper_single_step(env);
    }
}

/*
 * An instruction that began with TF set has ended.  True if it does not trap, because
 * it was the WRMSR that set BTF.
 */
bool bt_no_step(CPUX86State *env)
{
    bool no_step = env->bt.no_step;

    env->bt.no_step = false;
    return no_step;
}

/*
 * SDM vol. 3B, "Single-Step Exception Condition": HLT traps like any other instruction,
 * and the trap ends it [detail unconfirmed].
 */
void bt_hlt(CPUX86State *env)
{
    const BTModel *m = env_archcpu(env)->bt_model;

    if (m && (env->eflags & TF_MASK) && !(env->bt.debugctl & m->btf)) {
        helper_single_step(env);
    }
}

/*
 * ICEBP, or INT1, sets no bit of DR6, even under TF (SDM vol. 2A, INT n/INTO/INT3/INT1;
 * kvm-unit-tests).  It clears B0 to B3, which each #DB writes (Xen, x86_merge_dr6).
 */
void bt_icebp(CPUX86State *env)
{
    if (env_archcpu(env)->bt_model) {
        env->dr[6] &= ~(target_ulong)0xf;
    }
}

/*
 * PAUSE has ended: does it trap, if TF is set?  Under BTF it does not, as it is no branch.
 * (TCG leaves the block from its helper.)
 */
bool bt_pause_traps(CPUX86State *env)
{
    const BTModel *m = env_archcpu(env)->bt_model;

    return !m || !(env->bt.debugctl & m->btf);
}
