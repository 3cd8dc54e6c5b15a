/*
 * Branch-trace hardware: what SMI and RSM do to it.
 *
 * do_smm_enter() and helper_rsm() of smm_helper.c call these, for SMIs that a device
 * raises.  The effect of SMIs that come by chance is silicon mode, in
 * branch-trace-silicon-smi.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"

/*
 * SDM vol. 3B, "IA32_DEBUGCTL MSR", FREEZE_WHILE_SMM: SMI clears LBR, BTF, TR
 * and BTS and stops the counters, RSM restores them, and all counters count;
 * architectural LBR does so always.  Without the bit only the recording to
 * memory stops.  DEBUGCTL is then not switched: neither the state save map (SDM
 * vol. 3C, "SMRAM State Save Map") nor the description of DEBUGCTL has it saved
 * and restored (KVM, commit 6b1dd26544d0), so it stays what the handler wrote.
 * Unconfirmed: RSM then turns TR and BTS on again.
 */
void bt_smm_enter(CPUX86State *env)
{
    const BTModel *m = env_archcpu(env)->bt_model;
    BranchTrace *bt = &env->bt;

    if (!m) {
        return;
    }
    bt->smm_debugctl = bt->debugctl;
    bt->smm_lbr_ctl = bt->lbr_ctl;
    if (bt->debugctl & m->freeze_smm) {
        bt->debugctl &= ~(m->lbr | m->btf);
        env->msr_global_ctrl = 0;
    }
    bt->debugctl &= ~(m->tr | m->bts);
    bt->lbr_ctl &= ~BT_LBR_CTL_LBREN;
    bt_pt_smm_enter(env);
    bt_update(env);
}

void bt_smm_leave(CPUX86State *env)
{
    const BTModel *m = env_archcpu(env)->bt_model;

    if (m) {
        env->bt.lbr_ctl = env->bt.smm_lbr_ctl;
        if (env->bt.smm_debugctl & m->freeze_smm) {
            env->bt.debugctl = env->bt.smm_debugctl;
            env->msr_global_ctrl = bt_global_enables(m);
        } else {
            env->bt.debugctl |= env->bt.smm_debugctl & (m->tr | m->bts);
        }
        bt_pt_smm_leave(env);
        bt_update(env);
    }
}
