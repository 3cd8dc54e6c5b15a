/*
 * Branch-trace hardware: its registers.
 *
 * A processor that has branch-trace hardware faults where real ones do: on
 * bits that it lacks, and on registers of other processors.  (Without it TCG
 * reads unknown registers as 0 and ignores writes.)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "exec/exec-all.h"
#include "tcg/helper-tcg.h"

typedef enum Outcome { NOT_OURS, DONE, FAULT } Outcome;

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
static bool canonical(const CPUX86State *env, uint64_t address)
{
    int width = env->cr[4] & CR4_LA57_MASK ? 57 : 48;

    return (uint64_t)sextract64(address, 0, width) == address;
}

/* The register MSR among N that start at FIRST, or -1. */
static int which(uint32_t msr, uint32_t first, unsigned n)
{
    return first && msr >= first && msr - first < n ? (int)(msr - first) : -1;
}

/*
 * IA32_PMC_GPn_CFG_B and _C, and of the fixed counters: their reload, which is not
 * modelled.  They read 0, and writes are ignored.
 */
static bool reloads(const BTModel *m, uint32_t msr)
{
    int n = which(msr, 0x1900, 4 * bt_general(m));

    if (n < 0) {
        n = which(msr, 0x1980, 4 * BT_MAX_FIXED);
        n = n >= 0 && (bt_fixed_mask(m) & BIT(n / 4)) ? n : -1;
    }
    return bt_perfmon_version(m) >= 6 && n >= 0 && n % 4 >= 2;
}

/*
 * Measured: VIA and Zhaoxin read registers that they lack as 0 and ignore
 * writes, as TCG does; all others fault.
 */
static Outcome absent(const BTModel *m, uint32_t msr)
{
    return in_family(msr) && !m->absent_reads_zero && !reloads(m, msr)
        ? FAULT : NOT_OURS;
}

/*
 * A processor with bt-miscount-tos has its top of stack one too high, and so
 * branch sampling its offset; without such a register, entry 0 is not the newest
 * but the one before it, and so is the only pair.
 */
static bool miscounts(CPUX86State *env)
{
    return env_archcpu(env)->bt_faults.miscount_tos;
}

/* With bt-stale-tos the records since LBR was turned on do not show. */
static unsigned stale(CPUX86State *env)
{
    return env_archcpu(env)->bt_faults.stale_tos
        ? env->bt.newest - env->bt.stale : 0;
}

static uint64_t tos_value(CPUX86State *env, const BTModel *m)
{
    unsigned tos = env->bt.newest - stale(env) + miscounts(env);

    return (tos & (env->bt.depth - 1)) | m->tos_stray;
}

/*
 * The index of the record whose register is MSR, the first being FIRST, or -1:
 * registers follow each other, or FROM and TO alternate.
 */
static int which_record(const BTModel *m, uint32_t msr, uint32_t first,
                        unsigned depth)
{
    unsigned step = m->extn_ctl ? 2 : 1;
    int n = which(msr, first, depth * step);

    return n >= 0 && n % step == 0 ? n / step : -1;
}

/* Branch sampling: the entry that is written next. */
static uint64_t brs_offset(CPUX86State *env)
{
    return (env->bt.newest + 1 + miscounts(env)) & (env->bt.depth - 1);
}

/*
 * Where in the ring entry N is.  Without a pointer it counts from the newest;
 * architectural LBR faults at the depth and above.  Branch sampling has one.
 */
static unsigned slot(CPUX86State *env, const BTModel *m, unsigned n)
{
    return !m->tos && !m->brs ? bt_newest(&env->bt, n + miscounts(env) + stale(env)) : n;
}

/* A register that shows a record, or a part of one. */
typedef struct View {
    enum { NO_PART, FROM, TO, FROM_AND_TO, INFO } part;
    bool read_only, cycles_in_to, valid_in_to;
    uint64_t *from, *to, *info;
} View;

static View view_of_ring(CPUX86State *env, const BTModel *m, uint32_t msr)
{
    BranchTrace *bt = &env->bt;
    View view = {
        .read_only = m->records_read_only,
        .cycles_in_to = m->cycles_in_to,
        .valid_in_to = m->extn_ctl && !m->brs,
    };
    int n;

    if ((n = which_record(m, msr, m->from, bt->depth)) >= 0) {
        view.part = m->packed ? FROM_AND_TO : FROM;
    } else if ((n = which_record(m, msr, m->to, bt->depth)) >= 0) {
        view.part = TO;
    } else if ((n = which_record(m, msr, m->info, bt->depth)) >= 0) {
        view.part = INFO;
    } else {
        return view;
    }
    n = slot(env, m, n);
    view.from = &bt->from[n];
    view.to = &bt->to[n];
    view.info = &bt->info[n];
    return view;
}

static View view_of_last_pair(CPUX86State *env, const BTModel *m, uint32_t msr)
{
    BranchTrace *bt = &env->bt;
    unsigned newest = bt_newest(bt, (!m->from && miscounts(env)) + stale(env));

    return (View) {
        .part = msr == m->last_from ? FROM : msr == m->last_to ? TO : NO_PART,
        .read_only = true,
        .cycles_in_to = m->cycles_in_to,
        .from = m->extn_ctl ? &bt->pair_from : &bt->from[newest],
        .to = m->extn_ctl ? &bt->pair_to : &bt->to[newest],
        .info = &bt->info[newest],
    };
}

/* That its format is that of the stack, but without cycles, is derived. */
static View view_of_last_exception(CPUX86State *env, const BTModel *m,
                                   uint32_t msr)
{
    BranchTrace *bt = &env->bt;

    return (View) {
        .part = msr == m->ler_from ? FROM : msr == m->ler_to ? TO
              : msr == m->ler_info ? INFO : NO_PART,
        .read_only = m->ler_read_only,
        .from = &bt->ler_from,
        .to = &bt->ler_to,
        .info = &bt->ler_info,
    };
}

static View view_of(CPUX86State *env, const BTModel *m, uint32_t msr)
{
    View view = { .part = NO_PART };

    if (msr) {
        view = view_of_ring(env, m, msr);
        if (view.part == NO_PART) {
            view = view_of_last_pair(env, m, msr);
        }
        if (view.part == NO_PART) {
            view = view_of_last_exception(env, m, msr);
        }
    }
    return view;
}

/*
 * SDM vol. 3C, "Intel PT and LBR": where TraceEn turns LBR off, its registers read 0
 * and ignore writes.
 */
static bool off_for_pt(CPUX86State *env, const BTModel *m, View view,
                       uint32_t msr)
{
    return m->pt_stops_lbr && bt_pt_enabled(env)
        && (view.part != NO_PART || msr == m->tos);
}

/*
 * SDM vol. 3B, "LBR Stack" of each family and "LBR Stack and Intel 64
 * Processors": the format.
 */
static uint64_t read_view(const BTModel *m, View view)
{
    uint64_t width = m->narrow ? UINT32_MAX : UINT64_MAX;

    switch (view.part) {
    case FROM:
        if (view.valid_in_to) {
            return *view.from & (m->from_flags | BT_EXTN_ADDRESS);
        }
        return *view.from & width;
    case TO:
        if (view.valid_in_to) {
            return (*view.to & BT_EXTN_ADDRESS) | (*view.info & (BT_TO_FLAGS | BT_TO_BOGUS));
        }
        return view.cycles_in_to ? deposit64(*view.to, 48, 16, *view.info)
                                 : *view.to & width;
    case FROM_AND_TO:
        return deposit64(*view.from, 32, 32, *view.to);
    case INFO:
        return *view.info;
    default:
        g_assert_not_reached();
    }
}

/*
 * SDM vol. 3B, "Architectural Performance Monitoring Version 6": the registers of a
 * counter have names beside each other as well.  PART 0 is its value, 1 its
 * selector; returns the number of the counter, or -1.
 */
static int version_6(const BTModel *m, uint32_t msr, uint32_t first,
                     unsigned counters, unsigned part)
{
    int n = which(msr, first, 4 * counters);

    return bt_perfmon_version(m) >= 6 && n >= 0 && n % 4 == part ? n / 4 : -1;
}

/* The counter that MSR is the value of, or -1. */
static int counter_of(const BTModel *m, uint32_t msr)
{
    unsigned general = bt_general(m);
    bool full_width = m->perf_capabilities & BIT(13);
    int n;

    if (m->amd_counters) {
        if ((n = which(msr, 0xc0010004, 4)) >= 0) {
            return n;
        }
        n = which(msr, 0xc0010200, m->core_counters ? 2 * general : 0);
        return n >= 0 && n % 2 ? n / 2 : -1;
    }
    if ((n = which(msr, 0xc1, general)) >= 0
        || (n = which(msr, 0x4c1, full_width ? general : 0)) >= 0) {
        return n;
    }
    if ((n = version_6(m, msr, 0x1900, general, 0)) >= 0) {
        return n;
    }
    if ((n = version_6(m, msr, 0x1980, BT_MAX_FIXED, 0)) < 0) {
        n = which(msr, MSR_CORE_PERF_FIXED_CTR0, BT_MAX_FIXED);
    }
    return n >= 0 && (bt_fixed_mask(m) & BIT(n)) ? n + BT_MAX_GENERAL : -1;
}

/* The counter that MSR selects the event of, or -1. */
static int selector_of(const BTModel *m, uint32_t msr)
{
    int n;

    if (!m->amd_counters) {
        n = version_6(m, msr, 0x1900, bt_general(m), 1);
        return n >= 0 ? n : which(msr, 0x186, bt_general(m));
    }
    if ((n = which(msr, 0xc0010000, 4)) >= 0) {
        return n;
    }
    n = which(msr, 0xc0010200, m->core_counters ? 2 * bt_general(m) : 0);
    return n >= 0 && n % 2 == 0 ? n / 2 : -1;
}

/* The registers of all counters; Intel's numbers, for those of AMD too. */
static uint32_t global_of(const BTModel *m, uint32_t msr)
{
    static const uint32_t intel_of_amd[] = {
        MSR_CORE_PERF_GLOBAL_STATUS, MSR_CORE_PERF_GLOBAL_CTRL,
        MSR_CORE_PERF_GLOBAL_OVF_CTRL, MSR_PERF_GLOBAL_STATUS_SET,
    };
    int n;

    if (!bt_has_global(m)) {
        return 0;
    }
    if (m->amd_counters) {
        n = which(msr, 0xc0000300, ARRAY_SIZE(intel_of_amd));
        return n >= 0 ? intel_of_amd[n] : 0;
    }
    if (msr >= MSR_PERF_GLOBAL_STATUS_SET && bt_perfmon_version(m) < 4) {
        return 0;
    }
    return which(msr, MSR_CORE_PERF_FIXED_CTR_CTRL, 6) >= 0 ? msr : 0;
}

/* SDM vol. 3B, "IA32_PERF_GLOBAL_INUSE MSR". */
static uint64_t in_use(CPUX86State *env, const BTModel *m)
{
    uint64_t value = 0;

    for (unsigned n = 0; n < BT_COUNTERS; n++) {
        uint64_t control = n < BT_MAX_GENERAL
            ? env->msr_gp_evtsel[n]
            : extract64(env->msr_fixed_ctr_ctrl, 4 * (n - BT_MAX_GENERAL), 4);
        bool pmi = control & (n < BT_MAX_GENERAL ? BIT(20) : BIT(3));

        if (control & (n < BT_MAX_GENERAL ? 0xff : 3)) {
            value |= bt_counter_bit(n);
        }
        value |= pmi ? BIT_ULL(63) : 0;
    }
    return value;
}

static uint64_t read_global(CPUX86State *env, const BTModel *m, uint32_t msr)
{
    switch (msr) {
    case MSR_CORE_PERF_FIXED_CTR_CTRL:
        return env->msr_fixed_ctr_ctrl;
    case MSR_CORE_PERF_GLOBAL_STATUS:
        bt_count_settle(env);
        return env->msr_global_status;
    case MSR_CORE_PERF_GLOBAL_CTRL:
        return env->msr_global_ctrl;
    case MSR_PERF_GLOBAL_INUSE:
        return in_use(env, m);
    default:
        return 0;
    }
}

static Outcome read_register(CPUX86State *env, const BTModel *m, uint32_t msr,
                             uint64_t *value)
{
    BranchTrace *bt = &env->bt;
    View view = view_of(env, m, msr);
    int n;

    if (off_for_pt(env, m, view, msr)) {
        *value = 0;
    } else if (view.part != NO_PART) {
        *value = read_view(m, view);
    } else if (bt_pt_owns(m, msr)) {
        *value = bt_pt_read(env, msr);
    } else if ((n = counter_of(m, msr)) >= 0) {
        *value = *bt_counter(env, n);
    } else if ((n = selector_of(m, msr)) >= 0) {
        *value = env->msr_gp_evtsel[n];
    } else if (global_of(m, msr)) {
        *value = read_global(env, m, global_of(m, msr));
    } else if (msr == MSR_IA32_DEBUGCTL) {
        *value = bt->debugctl;
    } else if (msr == m->tos) {
        *value = tos_value(env, m);
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

/*
 * Bits in GONE raise #GP, bits in KEPT are stored, all other bits are
 * ignored.
 */
static Outcome write_masked(uint64_t *p, uint64_t value, uint64_t gone,
                            uint64_t kept)
{
    if (value & gone) {
        return FAULT;
    }
    *p = value & kept;
    return DONE;
}

/* What DEBUGCTL holds when VALUE, which does not fault, has been put there. */
uint64_t bt_debugctl(CPUX86State *env, uint64_t value)
{
    const BTModel *m = env_archcpu(env)->bt_model;
    const BTFaults *faults = &env_archcpu(env)->bt_faults;

    value &= m->debugctl_kept;
    if (faults->drop_btf) {
        value &= ~m->btf;
    }
    if (faults->no_bts) {
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

static Outcome write_debugctl(CPUX86State *env, const BTModel *m,
                              uint64_t value)
{
    BranchTrace *bt = &env->bt;
    const BTFaults *faults = &env_archcpu(env)->bt_faults;
    bool had_btf = bt->debugctl & m->btf;
    uint64_t no_ds_cpl = faults->no_ds_cpl ? m->bts_off_os | m->bts_off_usr : 0;

    if (value & (faults->fault_debugctl | no_ds_cpl)) {
        return FAULT;
    }
    if (faults->ignore_debugctl) {
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
static Outcome write_lbr_ctl(CPUX86State *env, uint64_t value)
{
    uint32_t has = bt_leaf_1c_ebx(env_archcpu(env));
    uint64_t kept = BT_LBR_CTL_LBREN;

    kept |= has & BT_1C_CPL_FILTER ? BT_LBR_CTL_OS | BT_LBR_CTL_USR : 0;
    kept |= has & BT_1C_KIND_FILTER ? BT_LBR_CTL_TYPES : 0;
    kept |= has & BT_1C_CALL_STACK ? BT_LBR_CTL_CALL_STACK : 0;
    return write_masked(&env->bt.lbr_ctl, value, ~kept, kept);
}

/* SDM vol. 3B, "LBR Depth": any write of it clears all records. */
static Outcome write_lbr_depth(CPUX86State *env, const BTModel *m,
                               uint64_t value)
{
    BranchTrace *bt = &env->bt;

    if (value == 0 || value % 8 || value > 64
        || !(m->leaf_1c[0] & BIT(value / 8 - 1))) {
        return FAULT;
    }
    bt->depth = value;
    bt->newest = 0;
    memset(bt->from, 0, sizeof(bt->from));
    memset(bt->to, 0, sizeof(bt->to));
    memset(bt->info, 0, sizeof(bt->info));
    return DONE;
}

/*
 * Measured on Ivy Bridge: a FROM without its bit 63, and a TO, must be
 * canonical.  Where FROM[62:61] are flags as well, they are checked all the
 * same without TSX, which TCG has not (Xen, Linux).  Measured on Skylake:
 * reserved bits of INFO fault.  That any cycles may be written is derived.
 */
static Outcome write_view(CPUX86State *env, const BTModel *m, View view,
                          uint64_t value)
{
    uint64_t address = value;

    if (view.read_only) {
        return FAULT;
    }
    switch (view.part) {
    case FROM:
        if (view.valid_in_to) {
            *view.from = value & (m->from_flags | BT_EXTN_ADDRESS);
            return DONE;
        }
        if (m->from_flags) {
            address = deposit64(value, 63, 1, extract64(value, 62, 1));
        }
        if (m->canonical && !canonical(env, address)) {
            return FAULT;
        }
        *view.from = value;
        return DONE;
    case TO:
        if (view.cycles_in_to) {
            *view.info = extract64(value, 48, 16);
            *view.to = sextract64(value, 0, 48);
            return DONE;
        }
        if (view.valid_in_to) {
            *view.info = value & BT_TO_FLAGS;
            *view.to = value & BT_EXTN_ADDRESS;
            return DONE;
        }
        if (m->canonical && !canonical(env, value)) {
            return FAULT;
        }
        *view.to = value;
        return DONE;
    case FROM_AND_TO:
        *view.from = extract64(value, 0, 32);
        *view.to = extract64(value, 32, 32);
        return DONE;
    case INFO:
        return write_masked(view.info, value, ~m->info_writable,
                            m->info_writable);
    default:
        g_assert_not_reached();
    }
}

/*
 * Register N of AMD's version 2 stack: FROM of the newest record, its TO, FROM of the
 * one before, and so on.  BTFaults do not apply: these are not what software reads.
 */
static View stack_register(CPUX86State *env, unsigned n)
{
    BranchTrace *bt = &env->bt;
    unsigned i = bt_newest(bt, n / 2);

    return (View) {
        .part = n % 2 ? TO : FROM,
        .valid_in_to = true,
        .from = &bt->from[i], .to = &bt->to[i], .info = &bt->info[i],
    };
}

uint64_t bt_stack_register(CPUX86State *env, unsigned n)
{
    return read_view(env_archcpu(env)->bt_model, stack_register(env, n));
}

void bt_set_stack_register(CPUX86State *env, unsigned n, uint64_t value)
{
    write_view(env, env_archcpu(env)->bt_model, stack_register(env, n), value);
}

static Outcome write_misc_enable(CPUX86State *env, uint64_t value)
{
    const uint64_t read_only = BIT(7) | BIT(11) | BIT(12);

    env->msr_ia32_misc_enable =
        (value & ~read_only) | (env->msr_ia32_misc_enable & read_only);
    return DONE;
}

/*
 * Linux, arch/x86/events/amd/brs.c: two bits must be set, here or else #GP
 * [derived]; the offset is that of the entry to be written next; turning it off
 * releases the PMI that is held.
 */
static Outcome write_brs(CPUX86State *env, uint64_t value)
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

/*
 * SDM vol. 3B, "Full-Width Writes to Performance Counter Registers": the old
 * names of the general counters take 32 bits and their sign.
 */
static Outcome write_counter(CPUX86State *env, const BTModel *m, uint32_t msr,
                             unsigned n, uint64_t value)
{
    uint64_t mask = bt_counter_mask(m, n);

    if (which(msr, 0xc1, BT_MAX_GENERAL) >= 0) {
        value = sextract64(value, 0, 32);
    } else if (!m->amd_counters && !m->counters_lenient && (value & ~mask)) {
        return FAULT;
    }
    *bt_counter(env, n) = value & mask;
    return DONE;
}

/*
 * Measured: reserved bits are ignored on Phenom, and on Intel's until Core 2 of
 * 65 nm; that of 45 nm lacks bit 21, which came with version 3.
 */
static Outcome write_selector(CPUX86State *env, const BTModel *m, unsigned n,
                              uint64_t value)
{
    uint64_t kept = m->amd_counters ? 0x0000030fffdfffff
                  : bt_perfmon_version(m) < 3 ? 0xffdfffff : 0xffffffff;
    bool lenient = m->amd_counters || m->counters_lenient;

    /* UMASK2, EQ, EN_LBR_LOG: only the first has a meaning here. */
    kept |= m->leaf_23[0][1] & 1 ? MAKE_64BIT_MASK(40, 8) : 0;
    kept |= m->leaf_23[0][1] & 2 ? BIT_ULL(36) : 0;
    kept |= m->leaf_1c[2] >> 16 & 15 ? BIT_ULL(35) : 0;
    return write_masked(&env->msr_gp_evtsel[n], value, lenient ? 0 : ~kept,
                        kept);
}

/*
 * Measured: from version 3 on, writes of absent bits fault.  On AMD's a set
 * bit 58 freezes the LBR stack by hand (PPR, unconfirmed); that other bits which are
 * no counter's are ignored is derived.
 */
static Outcome write_global(CPUX86State *env, const BTModel *m, uint32_t msr,
                            uint64_t value)
{
    unsigned version = bt_perfmon_version(m);
    uint64_t enables = bt_global_enables(m);
    uint64_t status = enables | MAKE_64BIT_MASK(version < 4 ? 61 : 58, 3)
        | MAKE_64BIT_MASK(61, 3) | BIT_ULL(55);
    uint64_t fixed = 0;

    switch (msr) {
    case MSR_CORE_PERF_FIXED_CTR_CTRL:
        for (unsigned n = 0; n < BT_MAX_FIXED; n++) {
            if (!(bt_fixed_mask(m) & BIT(n))) {
                continue;
            }
            fixed |= (version < 3 || (m->leaf_0a[3] & BIT(15)) ? 0xbull : 0xf)
                << (4 * n);
        }
        return write_masked(&env->msr_fixed_ctr_ctrl, value,
                            m->counters_lenient ? 0 : ~fixed, fixed);
    case MSR_CORE_PERF_GLOBAL_CTRL:
        if (bt_fixed(m) > 3) {
            /* With slots come metrics, which Linux enables unasked. */
            enables |= BIT_ULL(48);
        }
        return write_masked(&env->msr_global_ctrl, value,
                            version < 3 ? 0 : ~enables, enables);
    case MSR_CORE_PERF_GLOBAL_OVF_CTRL:
        if (version >= 3 && (value & ~status)) {
            return FAULT;
        }
        bt_count_settle(env);
        env->msr_global_status &= ~value;
        return DONE;
    case MSR_PERF_GLOBAL_STATUS_SET:
        if (version >= 3 && (value & ~status)) {
            return FAULT;
        }
        if (m->amd_counters) {
            status = enables | (bt_v2_freezes(env_archcpu(env))
                                ? BT_STATUS_LBR_FRZ : 0);
        }
        env->msr_global_status |= value & status;
        return DONE;
    default:
        return FAULT;
    }
}

static Outcome write_register(CPUX86State *env, const BTModel *m, uint32_t msr,
                              uint64_t value)
{
    BranchTrace *bt = &env->bt;
    View view = view_of(env, m, msr);
    int n;

    if (off_for_pt(env, m, view, msr)) {
        return DONE;
    }
    if (view.part != NO_PART) {
        return write_view(env, m, view, value);
    }
    if (bt_pt_owns(m, msr)) {
        return bt_pt_write(env, msr, value) ? DONE : FAULT;
    }
    if ((n = counter_of(m, msr)) >= 0) {
        return write_counter(env, m, msr, n, value);
    }
    if ((n = selector_of(m, msr)) >= 0) {
        return write_selector(env, m, n, value);
    }
    if (global_of(m, msr)) {
        return write_global(env, m, global_of(m, msr), value);
    }
    if (msr == MSR_IA32_DEBUGCTL) {
        return write_debugctl(env, m, value);
    }
    if (msr == m->tos) {
        uint64_t tos;

        if (m->tos_read_only) {
            return FAULT;
        }
        if (write_masked(&tos, value, m->tos_faults, bt->depth - 1) == DONE) {
            bt->newest = tos;
            return DONE;
        }
        return FAULT;
    }
    if (msr == m->select) {
        return write_masked(&bt->select, value,
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
        return write_masked(&bt->extn_ctl, value, ~BT_EXTN_CTL_LBRSE,
                            BT_EXTN_CTL_LBRSE);
    }
    if (msr == m->ds_area) {
        if (m->ds_area_narrow) {
            value = (uint32_t)value;
        }
        /* Unconfirmed on hardware; KVM has it so. */
        if (!canonical(env, value)) {
            return FAULT;
        }
        bt->ds_area = value;
        return DONE;
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
    Outcome outcome;
    bool began;

    if (!m || (uint32_t)env->regs[R_ECX] == 0) {    /* 0: an absent one */
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
    Outcome outcome;
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
