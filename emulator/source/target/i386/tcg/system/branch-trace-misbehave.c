/*
 * Branch-trace hardware: misbehaviour on purpose.
 *
 * Software that claims to verify branch-trace hardware must notice when it fails.  Each
 * property bt-drop to bt-pt-pmi-twice makes one thing go wrong, which nobody has seen on
 * a processor, except that KVM drops BTF.  Silicon mode, in branch-trace-silicon*.c, is
 * what real processors do and no manual promises.
 *
 * The other files ask at the places where something may go wrong: bt_faults() for what a
 * property says, and the functions bt_bad_*() where that is not all.  None of them is on the
 * short paths of helper_bt_near(), see bt_bad_records().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "hw/i386/apic_internal.h"
#include "branch-trace-pt.h"

const BTFaults *bt_faults(const CPUX86State *env)
{
    return &env_archcpu((CPUX86State *)env)->bt_faults;
}

static bool is_nth(uint32_t *count, uint32_t n)
{
    return n && ++*count % n == 0;
}

/* ---- Records ---- */

/* Does a record of a near branch differ from what it should be? */
bool bt_bad_records(const CPUX86State *env)
{
    const BTFaults *faults = bt_faults(env);

    return faults->drop || faults->twice || faults->shift_from
        || faults->swap || faults->late_threshold;
}

/* How many times the next record is written.  bt-drop and bt-double count the same records. */
int bt_bad_copies(CPUX86State *env)
{
    const BTFaults *faults = bt_faults(env);
    uint32_t n = ++env->bt.faults.records;

    if (faults->drop && n % faults->drop == 0) {
        return 0;
    }
    return faults->twice && n % faults->twice == 0 ? 2 : 1;
}

/* This record in memory and the one before it change places. */
bool bt_bad_swap(CPUX86State *env)
{
    uint32_t swap = bt_faults(env)->swap;

    return swap && env->bt.faults.records % swap == 0;
}

/* By how many bytes the threshold for records in memory is too high. */
uint64_t bt_bad_threshold(CPUX86State *env, unsigned size)
{
    return bt_faults(env)->late_threshold ? size : 0;
}

/* ---- Registers ---- */

/*
 * By how much the top of stack is too high, and the offset of branch sampling; without
 * such a register, how much older than the newest record entry 0 is, or the only pair.
 */
unsigned bt_bad_tos(CPUX86State *env)
{
    return bt_faults(env)->miscount_tos;
}

/* How many of the newest records do not show: with bt-stale-tos, those since LBR was on. */
unsigned bt_bad_stale(CPUX86State *env)
{
    return bt_faults(env)->stale_tos ? env->bt.newest - env->bt.stale : 0;
}

/* Bits of DEBUGCTL that cannot be set: KVM drops BTF. */
uint64_t bt_bad_debugctl_loses(CPUX86State *env)
{
    return bt_faults(env)->drop_btf ? env_archcpu(env)->bt_model->btf : 0;
}

/* ---- PMIs ---- */

/* A PMI is requested.  True when it is lost (bt-lose-pmi), or comes late (bt-pmi-skid). */
bool bt_bad_pmi(CPUX86State *env)
{
    const BTFaults *faults = bt_faults(env);
    BTFaultState *s = &env->bt.faults;

    if (is_nth(&s->pmis, faults->lose_pmi)) {
        return true;
    }
    if (!faults->pmi_skid) {
        return false;
    }
    if (!s->pmi_in) {
        s->pmi_in = faults->pmi_skid;
    }
    return true;
}

/* Does a PMI wait for branches to be taken? */
bool bt_bad_pmi_waits(const CPUX86State *env)
{
    return env->bt.faults.pmi_in || env->bt.faults.pt_pmi_again;
}

/* A branch was taken: the PMI that is late may come. */
void bt_bad_pmi_branch(CPUX86State *env)
{
    BTFaultState *s = &env->bt.faults;

    if (s->pmi_in && --s->pmi_in == 0) {
        bt_pmi_arrives(env);
    }
}

/*
 * The PMI of a full region of Processor Trace comes a second time, this many taken
 * branches after software acknowledged it: its status bit is clear, and its LVT entry is
 * not masked [chosen].
 */
#define PMI_AGAIN       4

void bt_bad_pt_region_full(CPUX86State *env)
{
    env->bt.faults.pt_pmi_again = bt_faults(env)->pt_pmi_twice ? PMI_AGAIN : 0;
}

void bt_bad_pmi_again(CPUX86State *env)
{
    BTFaultState *s = &env->bt.faults;
    APICCommonState *apic;

    if (!s->pt_pmi_again) {
        return;
    }
    apic = APIC_COMMON(env_archcpu(env)->apic_state);
    if (apic && !(env->msr_global_status & BT_STATUS_TOPA_PMI)
        && !(apic->lvt[APIC_LVT_PERFORM] & APIC_LVT_MASKED)
        && --s->pt_pmi_again == 0) {
        env->msr_global_status |= BT_STATUS_TOPA_PMI;
        bt_request_pmi(env);
    }
}

/* ---- Processor Trace ---- */

/* IA32_RTIT_CTL, without what the processor ignores. */
uint64_t bt_bad_pt_ctl(CPUX86State *env, uint64_t ctl)
{
    const BTFaults *faults = bt_faults(env);

    ctl |= faults->pt_ignore_os ? CTL_OS | CTL_USER : 0;
    ctl &= ~(faults->pt_ignore_cr3 ? CTL_CR3_FILTER : 0);
    ctl &= ~(faults->pt_ignore_range ? MAKE_64BIT_MASK(CTL_ADDR_CFG(0), 32) : 0);
    ctl &= ~(faults->pt_no_cyc ? CTL_CYC_EN : 0);
    return ctl;
}

/* Is this bit of TNT lost? */
bool bt_bad_pt_tnt(CPUX86State *env)
{
    return is_nth(&env->bt.faults.pt_branches, bt_faults(env)->pt_drop_tnt);
}

/* Is the address in this TIP one too high? */
bool bt_bad_pt_tip(CPUX86State *env)
{
    return is_nth(&env->bt.faults.pt_tips, bt_faults(env)->pt_wrong_tip);
}

/* An MTC is due: is it left out, as all after the first since TraceEn was set? */
bool bt_bad_pt_mtc(CPUX86State *env)
{
    bool sent = env->bt.faults.pt_mtc_sent;

    env->bt.faults.pt_mtc_sent = true;
    return sent && bt_faults(env)->pt_mtc_once;
}
