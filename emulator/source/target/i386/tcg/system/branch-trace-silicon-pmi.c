/*
 * Branch-trace hardware, silicon mode: interrupts that come late on purpose.
 *
 * On real processors the interrupt of a counter comes some branches after the overflow
 * (bt-skid, bt-long-skid), and AMD's NMI sometimes only after software has turned the
 * counter off (bt-late-nmi).  What freezes does so at the overflow, as SDM vol. 3B,
 * "Freezing LBR and Performance Counters on PMI" has it.
 *
 * branch-trace-pmi.c asks bt_skid_begin() whether a PMI comes at once.  If not, the PMI
 * waits until one of the functions below finds that its time has come: they are called for
 * each conditional branch, at limits of the counter of instructions, by WRMSR and by HLT.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "hw/i386/apic_internal.h"

/*
 * rr measured the bounds, in conditional branches, taken or not (rr,
 * src/PerfCounters_x86.h): 100 from Nehalem to Rocket Lake, 125 from Alder Lake
 * on, none on Zen.  A Zen 2 had 1,496 on average and 5,043 at most, and 518 of a million
 * below 1,000, in a loop of one branch (pH14/harmony, results/ae-1/full/ae1d.json).  Chosen:
 * all delays from the least to the bound are equally likely; in code
 * without conditional branches 16 instructions count as one; a write of a register of
 * branch-trace hardware and HLT take so long that the PMI comes before the next
 * instruction.
 */
#define INSNS_PER_BRANCH 16

static uint64_t instructions(const CPUX86State *env)
{
    return env->bt.happened[BT_INSNS][0] + env->bt.happened[BT_INSNS][1];
}

/*
 * AMD's NMIs of counters can come after software has turned these off; Linux allows
 * them a window of 100 ms (commits 914123fa3904, df4d29732fda).  Chosen: such an NMI comes
 * 1,000 to 9,000 instructions after the counters were turned off, or 20,000 instructions
 * after the overflow if they stay on; HLT waits for it.
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
    uint32_t least = MIN(has->least_skid, bound);
    uint32_t late;

    if (s->pmi_waits || late_nmi_begins(env)) {
        return false;           /* one interrupt is for both */
    }
    if (has->long_skid && bt_random(env, BT_RANDOM_SKID, has->long_skid) == 0) {
        bound = BT_LONG_SKID;
        least = 0;
    }
    late = bound ? least + bt_random(env, BT_RANDOM_SKID, bound - least + 1) : 0;
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

/* The sum of instructions has reached a limit, which may be that of the PMI. */
void bt_skid_limit(CPUX86State *env)
{
    if (env->bt.silicon.pmi_waits
        && instructions(env) >= env->bt.silicon.pmi_insns) {
        bt_skid_end(env);
    }
}

/* A PMI comes.  True when it is an NMI that was held. */
bool bt_late_nmi_comes(CPUX86State *env)
{
    bool late = env->bt.silicon.nmi_late;

    env->bt.silicon.nmi_late = false;
    return late;
}
