/*
 * Branch-trace hardware: the performance-monitoring interrupt (PMI) of BTS, of counters
 * and of Processor Trace, and what it freezes.
 *
 * SDM vol. 3B, "Freezing LBR and Performance Counters on PMI"; vol. 3A, "Local Vector
 * Table".  bt_request_pmi() is called by branch-trace-bts.c at the threshold, by -count.c
 * at an overflow, by -pt-output.c for a full region, and by -record.c for branch sampling.
 *
 * It freezes at the request, through the register that the row has for it, and goes to
 * the local APIC (apic_deliver_pmi(), a hook in hw/intc/apic.c) between two blocks.  A
 * freeze changes hflags inside a block: CPU_INTERRUPT_EXITTB keeps that block from being
 * chained to the next.
 *
 * A PMI comes at once here.  The files that make it late on purpose are
 * branch-trace-misbehave.c (bt-pmi-skid, bt-lose-pmi) and branch-trace-silicon-pmi.c
 * (bt-skid, bt-long-skid, bt-late-nmi); they call bt_pmi_arrives() when it comes.
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
 * bits are set, and AMD's version 2 does the same.  The freeze comes with the
 * request, whether or not the LVT entry is masked [derived].
 */
static void freeze(CPUX86State *env, const BTModel *m)
{
    uint64_t debugctl = env->bt.debugctl;
    bool in_status = bt_freezes_in_status(m);

    if (bt_faults(env)->no_freeze) {
        return;
    }
    if ((debugctl & m->freeze_lbrs) && !bt_erratum(env, BT_ERRATUM_NO_LBR_FREEZE)) {
        if (in_status) {
            env->msr_global_status |= BT_STATUS_LBR_FRZ;
        } else {
            env->bt.debugctl &= ~m->lbr;
        }
    }
    if ((debugctl & m->freeze_perfmon) && !bt_erratum(env, BT_ERRATUM_NO_CTR_FREEZE)) {
        if (in_status) {
            env->msr_global_status |= BT_STATUS_CTR_FRZ;
        } else {
            env->msr_global_ctrl = 0;
        }
    }
}

/* Does a PMI that is requested come at once?  Without properties it always does. */
static bool comes(CPUX86State *env)
{
    return !bt_bad_pmi(env) && bt_skid_begin(env);
}

static void deliver(CPUX86State *env)
{
    X86CPU *cpu = env_archcpu(env);
    bool mask = !cpu->bt_model->amd_counters && !bt_faults(env)->keep_lvt;

    if (bt_late_nmi_comes(env)) {
        /* It was raised at the overflow, whatever the LVT says by now. */
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
typedef enum Event {
    PMI_REQUESTED, BTS_PMI_REQUESTED, PMI_ARRIVES, REGISTERS_CHANGED
} Event;

static void between_blocks(CPUX86State *env, Event event)
{
    CPUState *cs = env_cpu(env);
    X86CPU *cpu = env_archcpu(env);
    uint32_t can_do_io = cs->neg.can_do_io;
    bool locked = bql_locked();
    bool requested = event == PMI_REQUESTED || event == BTS_PMI_REQUESTED;

    if (!locked) {
        bql_lock();
    }
    cs->neg.can_do_io = 1;
    if (requested && !(event == BTS_PMI_REQUESTED
                       && bt_erratum(env, BT_ERRATUM_BTS_NO_FREEZE))) {
        freeze(env, cpu->bt_model);
    }
    if (event == PMI_ARRIVES || (requested && comes(env))) {
        deliver(env);
    }
    bt_update(env);
    cpu_interrupt(cs, CPU_INTERRUPT_EXITTB);
    cs->neg.can_do_io = can_do_io;
    if (!locked) {
        bql_unlock();
    }
}

/* The freeze comes with the request; so does the interrupt, unless it is made late. */
void bt_request_pmi(CPUX86State *env)
{
    between_blocks(env, PMI_REQUESTED);
}

/*
 * BTS has reached its threshold.  The SDM lists this among the reasons for a freeze, and not
 * in the table of IA32_PERF_GLOBAL_STATUS: BTS_NO_FREEZE does what that table says.
 */
void bt_request_bts_pmi(CPUX86State *env)
{
    between_blocks(env, BTS_PMI_REQUESTED);
}

/* A PMI that was late comes now. */
void bt_pmi_arrives(CPUX86State *env)
{
    between_blocks(env, PMI_ARRIVES);
}

/* A branch was taken: a PMI that is late may come. */
void bt_pmi_branch(CPUX86State *env, BTKind kind)
{
    bt_bad_pmi_branch(env);
    if (bt_conditional(kind)) {
        bt_skid_conditional(env);
    }
    bt_bad_pmi_again(env);
}

/* Registers were changed, and not by an instruction that ends its block. */
void bt_registers_changed(CPUX86State *env)
{
    between_blocks(env, REGISTERS_CHANGED);
}
