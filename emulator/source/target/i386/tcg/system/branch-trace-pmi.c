/*
 * Branch-trace hardware: the interrupt of BTS and of counters, and what it
 * freezes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "cpu.h"
#include "hw/i386/apic.h"
#include "hw/i386/apic_internal.h"

/*
 * SDM vol. 3B, "Freezing LBR and Performance Counters on PMI": until version 4
 * of performance monitoring the enable bits are cleared, since then status
 * bits are set, and AMD's version 2 does the same.  That the freeze comes with
 * the request, masked or not, is derived.
 */
static void freeze(CPUX86State *env, const BTModel *m)
{
    uint64_t debugctl = env->bt.debugctl;
    bool in_status = bt_freezes_in_status(m);

    if (env_archcpu(env)->bt_faults.no_freeze) {
        return;
    }
    if (debugctl & m->freeze_lbrs) {
        if (in_status) {
            env->msr_global_status |= BT_STATUS_LBR_FRZ;
        } else {
            env->bt.debugctl &= ~m->lbr;
        }
    }
    if (debugctl & m->freeze_perfmon) {
        if (in_status) {
            env->msr_global_status |= BT_STATUS_CTR_FRZ;
        } else {
            env->msr_global_ctrl = 0;
        }
    }
}

/* BTFaults: true if this PMI comes at once. */
static bool comes(CPUX86State *env, const BTFaults *faults)
{
    if (faults->lose_pmi && ++env->bt.pmis % faults->lose_pmi == 0) {
        return false;
    }
    if (!faults->pmi_skid) {
        return bt_skid_begin(env);
    }
    if (!env->bt.pmi_in) {
        env->bt.pmi_in = faults->pmi_skid;
    }
    return false;
}

static void deliver(CPUX86State *env)
{
    X86CPU *cpu = env_archcpu(env);
    bool mask = !cpu->bt_model->amd_counters && !cpu->bt_faults.keep_lvt;

    if (env->bt.silicon.nmi_late) {
        /* It was raised at the overflow, whatever the LVT says by now. */
        env->bt.silicon.nmi_late = false;
        cpu_interrupt(env_cpu(env), CPU_INTERRUPT_NMI);
        APIC_COMMON(cpu->apic_state)->lvt[APIC_LVT_PERFORM] |=
            mask ? APIC_LVT_MASKED : 0;
        return;
    }
    apic_deliver_pmi(cpu->apic_state, mask);
}

/*
 * With -icount QEMU insists that only the last instruction of a block raises
 * an interrupt.  This one comes between two blocks, whatever raised it.
 */
typedef enum Event { PMI_REQUESTED, PMI_ARRIVES, REGISTERS_CHANGED } Event;

static void between_blocks(CPUX86State *env, Event event)
{
    CPUState *cs = env_cpu(env);
    X86CPU *cpu = env_archcpu(env);
    uint32_t can_do_io = cs->neg.can_do_io;
    bool locked = bql_locked();

    if (!locked) {
        bql_lock();
    }
    cs->neg.can_do_io = 1;
    if (event == PMI_REQUESTED) {
        freeze(env, cpu->bt_model);
    }
    if (event == PMI_ARRIVES
        || (event == PMI_REQUESTED && comes(env, &cpu->bt_faults))) {
        deliver(env);
    }
    bt_update(env);
    cpu_interrupt(cs, CPU_INTERRUPT_EXITTB);
    cs->neg.can_do_io = can_do_io;
    if (!locked) {
        bql_unlock();
    }
}

/* The freeze comes with the request; so does the interrupt, unless BTFaults. */
void bt_request_pmi(CPUX86State *env)
{
    between_blocks(env, PMI_REQUESTED);
}

/* A PMI that was late comes now. */
void bt_pmi_arrives(CPUX86State *env)
{
    between_blocks(env, PMI_ARRIVES);
}

/*
 * BTFaults: the PMI of a full region comes again, a few taken branches after software
 * acknowledged it: its status bit is clear, and its LVT entry is not masked.
 */
static void may_come_again(CPUX86State *env)
{
    APICCommonState *apic = APIC_COMMON(env_archcpu(env)->apic_state);

    if (env->bt.pt.pmi_again && apic
        && !(env->msr_global_status & BT_STATUS_TOPA_PMI)
        && !(apic->lvt[APIC_LVT_PERFORM] & APIC_LVT_MASKED)
        && --env->bt.pt.pmi_again == 0) {
        env->msr_global_status |= BT_STATUS_TOPA_PMI;
        bt_request_pmi(env);
    }
}

/* A branch was taken: is a PMI late? */
void bt_pmi_skid(CPUX86State *env, BTKind kind)
{
    if (env->bt.pmi_in && --env->bt.pmi_in == 0) {
        bt_pmi_arrives(env);
    }
    if (kind == BT_JCC) {
        bt_skid_conditional(env);
    }
    may_come_again(env);
}

/* Registers were changed, and not by an instruction that ends its block. */
void bt_registers_changed(CPUX86State *env)
{
    between_blocks(env, REGISTERS_CHANGED);
}
