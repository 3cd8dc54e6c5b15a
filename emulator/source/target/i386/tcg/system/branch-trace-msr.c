/*
 * Branch-trace hardware: RDMSR and WRMSR of its registers.
 *
 * helper_rdmsr() and helper_wrmsr() call bt_rdmsr() and bt_wrmsr() before they look for
 * registers of their own.  Here are DEBUGCTL, IA32_LBR_CTL and the like; registers of
 * records are in -msr-record.c, those of counters in -msr-count.c, and those of Processor
 * Trace in -pt-msr.c.
 *
 * A processor that has branch-trace hardware faults where real ones do: on bits that it
 * lacks, and on registers of other processors.  Tracers identify it by that.  (Without such
 * hardware TCG reads unknown registers as 0 and ignores writes.)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "exec/exec-all.h"
#include "tcg/helper-tcg.h"
#include "branch-trace-msr.h"

/* Present on some processors only: absent means #GP. */
static const struct {
    uint32_t first, last;
} family[] = {
    { 0x34, 0x34 },                     /* SMI_COUNT                         */
    { 0x40, 0x47 }, { 0x60, 0x6f },     /* LASTBRANCH_n of Core 2, Atom, P-M */
    { 0xc1, 0xc8 }, { 0x186, 0x18d },   /* IA32_PMCn, IA32_PERFEVTSELn       */
    { 0x1a0, 0x1a0 },                   /* IA32_MISC_ENABLE                  */
    { 0x1c8, 0x1c9 },                   /* LBR_SELECT, LASTBRANCH_TOS        */
    { 0x1d7, 0x1e0 },                   /* LER, DEBUGCTL, TOS, last branch   */
    { 0x309, 0x30f }, { 0x345, 0x345 }, /* fixed counters, PERF_CAPABILITIES */
    { 0x38d, 0x392 }, { 0x3f1, 0x3f1 }, /* counter control, PEBS_ENABLE      */
    { 0x4c1, 0x4c8 },                   /* IA32_A_PMCn                       */
    { 0x560, 0x561 }, { 0x570, 0x572 }, /* IA32_RTIT_OUTPUT_*, CTL, STATUS   */
    { 0x580, 0x587 },                   /* IA32_RTIT_ADDRn_A, _B             */
    { 0x600, 0x600 },                   /* IA32_DS_AREA                      */
    { 0x680, 0x69f }, { 0x6c0, 0x6df }, /* LASTBRANCH_n of the later ones    */
    { 0xdc0, 0xddf },                   /* LBR_INFO_n                        */
    { 0x1200, 0x123f }, { 0x14ce, 0x14cf }, { 0x1500, 0x153f },
    { 0x1600, 0x163f },                 /* architectural LBR                 */
    { 0x1900, 0x193f }, { 0x1980, 0x199f }, /* counters of version 6         */
    { 0xc000010e, 0xc000010f }, { 0xc0000300, 0xc0000303 },
    { 0xc0010000, 0xc0010007 }, { 0xc0010200, 0xc001020b },
    { 0xc0010300, 0xc001031f },         /* AMD                               */
};

static bool in_family(uint32_t msr)
{
    for (size_t i = 0; i < ARRAY_SIZE(family); i++) {
        if (family[i].first <= msr && msr <= family[i].last) {
            return true;
        }
    }
    return false;
}

/* Linear addresses have 48 bits here, but 57 with CR4.LA57. */
bool bt_msr_canonical(const CPUX86State *env, uint64_t address)
{
    int width = env->cr[4] & CR4_LA57_MASK ? 57 : 48;

    return (uint64_t)sextract64(address, 0, width) == address;
}

/* The register MSR among N that start at FIRST, or -1. */
int bt_msr_which(uint32_t msr, uint32_t first, unsigned n)
{
    return first && msr >= first && msr - first < n ? (int)(msr - first) : -1;
}

/*
 * Bits in GONE raise #GP, bits in KEPT are stored, all other bits are
 * ignored.
 */
BTOutcome bt_msr_write_masked(uint64_t *p, uint64_t value, uint64_t gone,
                              uint64_t kept)
{
    if (value & gone) {
        return FAULT;
    }
    *p = value & kept;
    return DONE;
}

/*
 * Measured: VIA and Zhaoxin read registers that they lack as 0 and ignore
 * writes, as TCG does; all others fault.
 */
static BTOutcome absent(const BTModel *m, uint32_t msr)
{
    return in_family(msr) && !m->absent_reads_zero && !bt_msr_is_reload(m, msr)
        ? FAULT : NOT_OURS;
}

/* What DEBUGCTL holds after a write of VALUE, which does not fault. */
uint64_t bt_debugctl(CPUX86State *env, uint64_t value)
{
    const BTModel *m = env_archcpu(env)->bt_model;

    value &= m->debugctl_kept & ~bt_bad_debugctl_loses(env);
    if (env_archcpu(env)->bt_variant.no_bts) {
        value &= ~(m->tr | m->bts | m->btint);
    }
    if (m->leaf_80000022[0] && !bt_v2_freezes(env_archcpu(env))) {
        value &= ~(m->freeze_lbrs | m->freeze_perfmon);
    }
    if (m->freeze_lbrs_stops_tr && (value & m->freeze_lbrs)) {
        value &= ~m->tr;
    }
    return value;
}

static BTOutcome write_debugctl(CPUX86State *env, const BTModel *m,
                                uint64_t value)
{
    BranchTrace *bt = &env->bt;
    bool had_btf = bt->debugctl & m->btf;

    if (value & bt_faults(env)->fault_debugctl) {
        return FAULT;
    }
    if (env_archcpu(env)->bt_variant.no_ds_cpl
        && (value & (m->bts_off_os | m->bts_off_usr))) {
        return FAULT;
    }
    if (bt_faults(env)->ignore_debugctl) {
        return DONE;
    }
    if (value & ~(m->debugctl_kept | m->debugctl_ignored)) {
        return FAULT;
    }
    bt->debugctl = bt_debugctl(env, value);
    bt->no_step = !had_btf && (bt->debugctl & m->btf)
        && (env->eflags & TF_MASK);
    return DONE;
}

/* SDM vol. 3B, "LBR Control": bits without a CPUID flag are reserved. */
static BTOutcome write_lbr_ctl(CPUX86State *env, uint64_t value)
{
    uint32_t has = bt_leaf_1c_ebx(env_archcpu(env));
    uint64_t kept = BT_LBR_CTL_LBREN;

    kept |= has & BT_1C_CPL_FILTER ? BT_LBR_CTL_OS | BT_LBR_CTL_USR : 0;
    kept |= has & BT_1C_KIND_FILTER ? BT_LBR_CTL_TYPES : 0;
    kept |= has & BT_1C_CALL_STACK ? BT_LBR_CTL_CALL_STACK : 0;
    return bt_msr_write_masked(&env->bt.lbr_ctl, value, ~kept, kept);
}

/* SDM vol. 3B, "LBR Depth": any write that does not fault clears all records. */
static BTOutcome write_lbr_depth(CPUX86State *env, const BTModel *m,
                                 uint64_t value)
{
    if (value == 0 || value % 8 || value > 64
        || !(m->leaf_1c[0] & BIT(value / 8 - 1))) {
        return FAULT;
    }
    env->bt.depth = value;
    bt_clear_records(env);
    return DONE;
}

/* Branch sampling: the number of the entry that is written next. */
static uint64_t brs_offset(CPUX86State *env)
{
    return (env->bt.newest + 1 + bt_bad_tos(env)) & (env->bt.depth - 1);
}

/*
 * Linux, arch/x86/events/amd/brs.c: two bits must be set, otherwise #GP [derived]; the
 * offset is that of the entry to be written next; turning sampling off releases the PMI
 * that is held.
 */
static BTOutcome write_brs(CPUX86State *env, uint64_t value)
{
    BranchTrace *bt = &env->bt;
    uint64_t kept = BT_EXTN_CTL_BRSMEN | BT_EXTN_CTL_ONES | BT_EXTN_CTL_VB
        | BT_EXTN_CTL_PMC;

    if ((value & BT_EXTN_CTL_ONES) != BT_EXTN_CTL_ONES
        || (value & ~(kept | BT_EXTN_CTL_MSROFF))) {
        return FAULT;
    }
    bt->extn_ctl = value & kept;
    bt->newest = (extract64(value, 16, 4) - 1) & 15;
    if (bt->brs_holds && !(value & BT_EXTN_CTL_BRSMEN)) {
        bt_brs_release(env);
    }
    return DONE;
}

/* A value that is not canonical raises #GP, as in KVM [unconfirmed]. */
static BTOutcome write_ds_area(CPUX86State *env, const BTModel *m, uint64_t value)
{
    if (m->ds_area_narrow) {
        value = (uint32_t)value;
    }
    if (!bt_msr_canonical(env, value)) {
        return FAULT;
    }
    env->bt.ds_area = value;
    return DONE;
}

static BTOutcome write_misc_enable(CPUX86State *env, uint64_t value)
{
    const uint64_t read_only = BIT(7) | BIT(11) | BIT(12);

    env->msr_ia32_misc_enable =
        (value & ~read_only) | (env->msr_ia32_misc_enable & read_only);
    return DONE;
}

static BTOutcome read_register(CPUX86State *env, const BTModel *m, uint32_t msr,
                               uint64_t *value)
{
    BranchTrace *bt = &env->bt;

    if (bt_msr_read_record(env, msr, value) == DONE
        || bt_msr_read_counter(env, msr, value) == DONE) {
        return DONE;
    }
    if (bt_pt_owns(m, msr)) {
        *value = bt_pt_read(env, msr);
    } else if (msr == MSR_IA32_DEBUGCTL) {
        *value = bt->debugctl;
    } else if (msr == m->select) {
        *value = bt->select;
    } else if (msr == m->lbr_ctl) {
        *value = bt->lbr_ctl;
    } else if (msr == m->lbr_depth) {
        *value = bt->depth;
    } else if (msr == m->extn_ctl) {
        *value = bt->extn_ctl | (m->brs ? brs_offset(env) << 16 : 0);
    } else if (msr == m->ds_area) {
        *value = bt->ds_area;
    } else if (msr == MSR_IA32_MISC_ENABLE && m->has_misc_enable) {
        *value = env->msr_ia32_misc_enable;
    } else if (msr == MSR_IA32_PERF_CAPABILITIES && m->pdcm) {
        *value = m->perf_capabilities;
    } else if (msr == MSR_SMI_COUNT && m->smi_count) {
        *value = (uint32_t)env->msr_smi_count;
    } else {
        return absent(m, msr);
    }
    return DONE;
}

static BTOutcome write_register(CPUX86State *env, const BTModel *m, uint32_t msr,
                                uint64_t value)
{
    BranchTrace *bt = &env->bt;
    BTOutcome outcome = bt_msr_write_record(env, msr, value);

    if (outcome == NOT_OURS) {
        outcome = bt_msr_write_counter(env, msr, value);
    }
    if (outcome != NOT_OURS) {
        return outcome;
    }
    if (bt_pt_owns(m, msr)) {
        return bt_pt_write(env, msr, value) ? DONE : FAULT;
    }
    if (msr == MSR_IA32_DEBUGCTL) {
        return write_debugctl(env, m, value);
    }
    if (msr == m->select) {
        return bt_msr_write_masked(&bt->select, value,
                                   ~(m->select_kept | m->select_ignored),
                                   m->select_kept);
    }
    if (msr == m->lbr_ctl) {
        return write_lbr_ctl(env, value);
    }
    if (msr == m->lbr_depth) {
        return write_lbr_depth(env, m, value);
    }
    if (msr == m->extn_ctl && m->brs) {
        return write_brs(env, value);
    }
    if (msr == m->extn_ctl) {
        return bt_msr_write_masked(&bt->extn_ctl, value, ~BT_EXTN_CTL_LBRSE,
                                   BT_EXTN_CTL_LBRSE);
    }
    if (msr == m->ds_area) {
        return write_ds_area(env, m, value);
    }
    if (msr == MSR_IA32_MISC_ENABLE && m->has_misc_enable) {
        return write_misc_enable(env, value);
    }
    return absent(m, msr);
}

/* RDMSR; false when the register is not one of branch tracing. */
bool bt_rdmsr(CPUX86State *env, uintptr_t ra)
{
    const BTModel *m = env_archcpu(env)->bt_model;
    uint64_t value = 0;
    BTOutcome outcome;
    bool began;

    if (!m || (uint32_t)env->regs[R_ECX] == 0) {    /* rows have 0 for what is absent */
        return false;
    }
    began = bt_count_unretire(env);
    outcome = read_register(env, m, (uint32_t)env->regs[R_ECX], &value);
    bt_count_retire(env, began);
    if (outcome == FAULT) {
        raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
    }
    if (outcome == DONE) {
        env->regs[R_EAX] = (uint32_t)value;
        env->regs[R_EDX] = value >> 32;
    }
    return outcome == DONE;
}

/* WRMSR; false when the register is not one of branch tracing. */
bool bt_wrmsr(CPUX86State *env, uint64_t value, uintptr_t ra)
{
    const BTModel *m = env_archcpu(env)->bt_model;
    BTOutcome outcome;
    bool began;

    if (!m || (uint32_t)env->regs[R_ECX] == 0) {
        return false;
    }
    began = bt_count_unretire(env);
    outcome = write_register(env, m, (uint32_t)env->regs[R_ECX], value);
    if (outcome == DONE) {
        bt_update(env);
        bt_skid_write(env);
    }
    bt_count_retire(env, began);
    if (outcome == FAULT) {
        raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
    }
    return outcome == DONE;
}
