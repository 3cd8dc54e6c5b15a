/*
 * Branch-trace hardware: the registers of performance counters.
 *
 * SDM vol. 3B, "Architectural Performance Monitoring", which has the numbers until version
 * 6; APM vol. 2, "Performance Monitoring Counters".  What they count is in
 * branch-trace-count.c.  branch-trace-msr.c calls this for RDMSR and WRMSR.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "branch-trace-msr.h"

/*
 * IA32_PMC_GPn_CFG_B and _C, and of the fixed counters: their reload, which is not
 * modelled.  They read 0, and writes are ignored.
 */
bool bt_msr_is_reload(const BTModel *m, uint32_t msr)
{
    int n = bt_msr_which(msr, 0x1900, 4 * bt_general(m));

    if (n < 0) {
        n = bt_msr_which(msr, 0x1980, 4 * BT_MAX_FIXED);
        n = n >= 0 && (bt_fixed_mask(m) & BIT(n / 4)) ? n : -1;
    }
    return bt_perfmon_version(m) >= 6 && n >= 0 && n % 4 >= 2;
}

/*
 * SDM vol. 3B, "Architectural Performance Monitoring Version 6": the registers of a
 * counter have names beside each other as well.  PART 0 is its value, 1 its
 * selector; returns the number of the counter, or -1.
 */
static int version_6(const BTModel *m, uint32_t msr, uint32_t first,
                     unsigned counters, unsigned part)
{
    int n = bt_msr_which(msr, first, 4 * counters);

    return bt_perfmon_version(m) >= 6 && n >= 0 && n % 4 == part ? n / 4 : -1;
}

/* The counter that MSR is the value of, or -1. */
static int counter_of(const BTModel *m, uint32_t msr)
{
    unsigned general = bt_general(m);
    bool full_width = m->perf_capabilities & BIT(13);
    int n;

    if (m->amd_counters) {
        if ((n = bt_msr_which(msr, 0xc0010004, 4)) >= 0) {
            return n;
        }
        n = bt_msr_which(msr, 0xc0010200, m->core_counters ? 2 * general : 0);
        return n >= 0 && n % 2 ? n / 2 : -1;
    }
    if ((n = bt_msr_which(msr, 0xc1, general)) >= 0
        || (n = bt_msr_which(msr, 0x4c1, full_width ? general : 0)) >= 0) {
        return n;
    }
    if ((n = version_6(m, msr, 0x1900, general, 0)) >= 0) {
        return n;
    }
    if ((n = version_6(m, msr, 0x1980, BT_MAX_FIXED, 0)) < 0) {
        n = bt_msr_which(msr, MSR_CORE_PERF_FIXED_CTR0, BT_MAX_FIXED);
    }
    return n >= 0 && (bt_fixed_mask(m) & BIT(n)) ? n + BT_MAX_GENERAL : -1;
}

/* The counter that MSR selects the event of, or -1. */
static int selector_of(const BTModel *m, uint32_t msr)
{
    int n;

    if (!m->amd_counters) {
        n = version_6(m, msr, 0x1900, bt_general(m), 1);
        return n >= 0 ? n : bt_msr_which(msr, 0x186, bt_general(m));
    }
    if ((n = bt_msr_which(msr, 0xc0010000, 4)) >= 0) {
        return n;
    }
    n = bt_msr_which(msr, 0xc0010200, m->core_counters ? 2 * bt_general(m) : 0);
    return n >= 0 && n % 2 == 0 ? n / 2 : -1;
}

/* The number of a register that all counters share, or 0.  AMD's are mapped to Intel's. */
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
        n = bt_msr_which(msr, 0xc0000300, ARRAY_SIZE(intel_of_amd));
        return n >= 0 ? intel_of_amd[n] : 0;
    }
    if (msr >= MSR_PERF_GLOBAL_STATUS_SET && bt_perfmon_version(m) < 4) {
        return 0;
    }
    return bt_msr_which(msr, MSR_CORE_PERF_FIXED_CTR_CTRL, 6) >= 0 ? msr : 0;
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

/*
 * SDM vol. 3B, "Full-Width Writes to Performance Counter Registers": the old
 * names of the general counters take 32 bits and their sign.
 */
static BTOutcome write_counter(CPUX86State *env, const BTModel *m, uint32_t msr,
                               unsigned n, uint64_t value)
{
    uint64_t mask = bt_counter_mask(m, n);

    if (bt_msr_which(msr, 0xc1, BT_MAX_GENERAL) >= 0) {
        value = sextract64(value, 0, 32);
    } else if (!m->amd_counters && !m->counters_lenient && (value & ~mask)) {
        return FAULT;
    }
    *bt_counter(env, n) = value & mask;
    bt_erratum_written(env, n, value & mask, mask);
    return DONE;
}

/*
 * Measured: reserved bits are ignored on Phenom, and on Intel's processors until Core 2
 * of 65 nm; Core 2 of 45 nm lacks bit 21, which came with version 3.
 */
static BTOutcome write_selector(CPUX86State *env, const BTModel *m, unsigned n,
                                uint64_t value)
{
    uint64_t kept = m->amd_counters ? 0x0000030fffdfffff
                  : bt_perfmon_version(m) < 3 ? 0xffdfffff : 0xffffffff;
    bool lenient = m->amd_counters || m->counters_lenient;

    /* UMASK2, EQ, EN_LBR_LOG: only the first has a meaning here. */
    kept |= m->leaf_23[0][1] & 1 ? MAKE_64BIT_MASK(40, 8) : 0;
    kept |= m->leaf_23[0][1] & 2 ? BIT_ULL(36) : 0;
    kept |= m->leaf_1c[2] >> 16 & 15 ? BIT_ULL(35) : 0;
    bt_erratum_selector(env, n, value);
    return bt_msr_write_masked(&env->msr_gp_evtsel[n], value, lenient ? 0 : ~kept,
                               kept);
}

/* The bits of IA32_FIXED_CTR_CTRL: AnyThread, the third of four, is not in all versions. */
static uint64_t fixed_control_bits(const BTModel *m)
{
    bool no_any_thread = bt_perfmon_version(m) < 3 || (m->leaf_0a[3] & BIT(15));
    uint64_t bits = 0;

    for (unsigned n = 0; n < BT_MAX_FIXED; n++) {
        if (bt_fixed_mask(m) & BIT(n)) {
            bits |= (no_any_thread ? 0xbull : 0xf) << (4 * n);
        }
    }
    return bits;
}

/*
 * Measured: from version 3 on, writes of absent bits fault.  On AMD's processors software
 * freezes the LBR stack by setting bit 58 (PPR, unconfirmed); other bits that belong to no
 * counter are ignored [derived].
 */
static BTOutcome write_global(CPUX86State *env, const BTModel *m, uint32_t msr,
                              uint64_t value)
{
    unsigned version = bt_perfmon_version(m);
    uint64_t enables = bt_global_enables(m);
    uint64_t status = enables | MAKE_64BIT_MASK(version < 4 ? 61 : 58, 3)
        | MAKE_64BIT_MASK(61, 3) | BIT_ULL(55);
    uint64_t fixed = fixed_control_bits(m);

    switch (msr) {
    case MSR_CORE_PERF_FIXED_CTR_CTRL:
        return bt_msr_write_masked(&env->msr_fixed_ctr_ctrl, value,
                                   m->counters_lenient ? 0 : ~fixed, fixed);
    case MSR_CORE_PERF_GLOBAL_CTRL:
        if (bt_fixed(m) > 3) {
            /* With slots come metrics, which Linux enables unasked. */
            enables |= BIT_ULL(48);
        }
        bt_erratum_global(env, value);
        return bt_msr_write_masked(&env->msr_global_ctrl, value,
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
                                && !bt_erratum(env, BT_ERRATUM_NO_SOFT_FREEZE)
                                ? BT_STATUS_LBR_FRZ : 0);
        }
        env->msr_global_status |= value & status;
        return DONE;
    default:
        return FAULT;
    }
}

BTOutcome bt_msr_read_counter(CPUX86State *env, uint32_t msr, uint64_t *value)
{
    const BTModel *m = env_archcpu(env)->bt_model;
    int n;

    if ((n = counter_of(m, msr)) >= 0) {
        *value = *bt_counter(env, n);
    } else if ((n = selector_of(m, msr)) >= 0) {
        *value = env->msr_gp_evtsel[n];
    } else if (global_of(m, msr)) {
        *value = read_global(env, m, global_of(m, msr));
    } else {
        return NOT_OURS;
    }
    return DONE;
}

BTOutcome bt_msr_write_counter(CPUX86State *env, uint32_t msr, uint64_t value)
{
    const BTModel *m = env_archcpu(env)->bt_model;
    int n;

    if ((n = counter_of(m, msr)) >= 0) {
        return write_counter(env, m, msr, n, value);
    }
    if ((n = selector_of(m, msr)) >= 0) {
        return write_selector(env, m, n, value);
    }
    if (global_of(m, msr)) {
        return write_global(env, m, global_of(m, msr), value);
    }
    return NOT_OURS;
}
