/*
 * Branch-trace hardware: LBR virtualisation of SVM.
 *
 * APM vol. 2, "Hardware Acceleration for LBR Virtualization": with
 * LBR_VIRTUALIZATION_ENABLE in the VMCB, VMRUN saves DebugCtl, the last branch and
 * the last interrupt of the host in the host save area and loads those of the guest
 * from the VMCB, and #VMEXIT does the reverse.  Without it neither touches them, so
 * host and guest share them.
 *
 * Where there is an LBR stack of version 2, DebugExtnCtl is swapped with them.  The stack
 * and LBR_SELECT are loaded from the VMCB and saved there, but the host's are not kept:
 * after #VMEXIT they are still the guest's.
 *
 * helper_vmrun() and do_vmexit() call these; svm.h has the fields of the VMCB.  A CPUID bit
 * announces the hardware ("lbrv" in Linux), see bt_svm_features(); there is neither a
 * control bit nor a CPUID bit for the stack alone.
 *
 * VMRUN and #VMEXIT are not among the transfers that are recorded (APM vol. 2,
 * "Control-Transfer Recording"); kvm-unit-tests' tests of LBR virtualisation rely on
 * it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "tcg/helper-tcg.h"

#define BT_VMCB(field) offsetof(struct vmcb, field)

/* Where the VMCB and the host save area have the registers. */
static const size_t field[] = {
    BT_VMCB(save.dbgctl), BT_VMCB(save.br_from), BT_VMCB(save.br_to),
    BT_VMCB(save.last_excp_from), BT_VMCB(save.last_excp_to),
};

QEMU_BUILD_BUG_ON(BT_VMCB(save.dbgctl) != 0x670);
QEMU_BUILD_BUG_ON(BT_VMCB(save.lbr_stack) != 0xa70);
QEMU_BUILD_BUG_ON(BT_VMCB(save.lbr_select) != 0xb70);

/* The register that belongs to field[I]. */
static uint64_t *reg(CPUX86State *env, const BTModel *m, int i)
{
    BranchTrace *bt = &env->bt;
    uint64_t *const regs[ARRAY_SIZE(field)] = {
        &bt->debugctl,
        m->extn_ctl ? &bt->pair_from : &bt->from[bt->newest],
        m->extn_ctl ? &bt->pair_to : &bt->to[bt->newest],
        &bt->ler_from, &bt->ler_to,
    };

    return regs[i];
}

static bool has_stack(const BTModel *m)
{
    return m->extn_ctl && !m->brs;
}

static void save(CPUX86State *env, const BTModel *m, hwaddr area)
{
    for (int i = 0; i < ARRAY_SIZE(field); i++) {
        x86_stq_phys(env_cpu(env), area + field[i], *reg(env, m, i));
    }
    if (has_stack(m)) {
        x86_stq_phys(env_cpu(env), area + BT_VMCB(save.debug_extn_ctl),
                     env->bt.extn_ctl);
    }
}

/* KVM, nested_vmcb02_prepare_save(): reserved bits of DBGCTL are ignored. */
static void load(CPUX86State *env, const BTModel *m, hwaddr area)
{
    for (int i = 0; i < ARRAY_SIZE(field); i++) {
        *reg(env, m, i) = x86_ldq_phys(env_cpu(env), area + field[i]);
    }
    env->bt.debugctl = bt_debugctl(env, env->bt.debugctl);
    if (has_stack(m)) {
        env->bt.extn_ctl = BT_EXTN_CTL_LBRSE
            & x86_ldq_phys(env_cpu(env), area + BT_VMCB(save.debug_extn_ctl));
    }
}

static void save_stack(CPUX86State *env, const BTModel *m)
{
    CPUState *cs = env_cpu(env);
    hwaddr stack = env->vm_vmcb + BT_VMCB(save.lbr_stack);

    for (unsigned n = 0; n < 2 * m->depth; n++) {
        x86_stq_phys(cs, stack + 8 * n, bt_stack_register(env, n));
    }
    x86_stq_phys(cs, env->vm_vmcb + BT_VMCB(save.lbr_select), env->bt.select);
}

/* Reserved bits are ignored [derived], as in DBGCTL. */
static void load_stack(CPUX86State *env, const BTModel *m)
{
    CPUState *cs = env_cpu(env);
    hwaddr stack = env->vm_vmcb + BT_VMCB(save.lbr_stack);

    for (unsigned n = 0; n < 2 * m->depth; n++) {
        bt_set_stack_register(env, n, x86_ldq_phys(cs, stack + 8 * n));
    }
    env->bt.select = m->select_kept
        & x86_ldq_phys(cs, env->vm_vmcb + BT_VMCB(save.lbr_select));
}

static bool wanted(CPUX86State *env)
{
    return (env->features[FEAT_SVM] & CPUID_SVM_LBRV)
        && (x86_ldq_phys(env_cpu(env), env->vm_vmcb + BT_VMCB(control.lbr_ctl))
            & LBR_VIRTUALIZATION_ENABLE_MASK);
}

/*
 * The guest's state has been loaded, and the host's saved.  An event that VMRUN injects is
 * recorded for the guest [derived].
 */
void bt_vmrun(CPUX86State *env)
{
    const BTModel *m = env_archcpu(env)->bt_model;

    if (!m) {
        return;
    }
    if (wanted(env)) {
        save(env, m, env->vm_hsave);
        load(env, m, env->vm_vmcb);
        if (has_stack(m)) {
            load_stack(env, m);
        }
        env->bt.guest_loaded = true;
    }
    env->bt.no_step = false;
    bt_update(env);
}

/*
 * The host's state has been loaded, and the guest's saved.  A VMRUN that was refused
 * (VMEXIT_INVALID) has not loaded the guest's.
 */
void bt_vmexit(CPUX86State *env)
{
    const BTModel *m = env_archcpu(env)->bt_model;

    if (!m) {
        return;
    }
    if (env->bt.guest_loaded) {
        save(env, m, env->vm_vmcb);
        if (has_stack(m)) {
            save_stack(env, m);
        }
        load(env, m, env->vm_hsave);
        env->bt.guest_loaded = false;
    }
    env->bt.no_step = false;
    bt_update(env);
}

/* With BTF, VMRUN does not trap: it is no branch [derived, see above]. */
bool bt_vmrun_traps(CPUX86State *env)
{
    const BTModel *m = env_archcpu(env)->bt_model;

    return !m || !(env->bt.debugctl & m->btf);
}
