/*
 * Branch-trace hardware: the registers of Processor Trace.
 *
 * SDM vol. 3C, "Configuration MSRs": a write of bits or encodings that CPUID.14H does
 * not report raises #GP, and so does a write while TraceEn = 1, except one of
 * IA32_RTIT_CTL that clears TraceEn or changes nothing.  branch-trace-msr.c calls these.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "branch-trace-msr.h"
#include "branch-trace-pt.h"

#define OUTPUT_BASE         0x560
#define OUTPUT_MASK_PTRS    0x561
#define RTIT_CTL            0x570
#define RTIT_STATUS         0x571
#define CR3_MATCH           0x572
#define ADDR0_A             0x580

#define LOWER_MASK          0x7f    /* of OUTPUT_MASK_PTRS: reads 1 */

bool bt_pt_owns(const BTModel *m, uint32_t msr)
{
    switch (msr) {
    case OUTPUT_BASE:
    case OUTPUT_MASK_PTRS:
    case RTIT_CTL:
    case RTIT_STATUS:
        return bt_has_pt(m);
    case CR3_MATCH:
        return m->leaf_14[0][1] & EBX_CR3_FILTER;
    default:
        return msr >= ADDR0_A && msr < ADDR0_A + 2 * pt_ranges(m);
    }
}

uint64_t bt_pt_read(CPUX86State *env, uint32_t msr)
{
    const BTProcessorTrace *pt = &env->bt.pt;

    switch (msr) {
    case OUTPUT_BASE:
        return pt->output_base;
    case OUTPUT_MASK_PTRS:
        return pt->mask_ptrs | LOWER_MASK;
    case RTIT_CTL:
        return pt->ctl;
    case RTIT_STATUS:
        return pt->status
            | (pt_model(env)->leaf_14[0][1] & EBX_PSB_CYC
               ? (uint64_t)pt->bytes << STATUS_BYTES : 0);
    case CR3_MATCH:
        return pt->cr3_match;
    default:
        return pt->range[(msr - ADDR0_A) / 2][msr % 2];
    }
}

/* The bits of IA32_RTIT_CTL that CPUID.14H reports.  */
static uint64_t ctl_known(const BTModel *m)
{
    const uint32_t ebx = m->leaf_14[0][1], ecx = m->leaf_14[0][2];
    uint64_t known = CTL_TRACE_EN | CTL_OS | CTL_USER | CTL_TSC_EN | CTL_DIS_RETC
        | CTL_BRANCH_EN;

    known |= ebx & EBX_CR3_FILTER ? CTL_CR3_FILTER : 0;
    known |= ebx & EBX_PSB_CYC ? CTL_CYC_EN : 0;
    known |= ebx & EBX_PSB_CYC ? MAKE_64BIT_MASK(CTL_CYC_THRESH, 4) : 0;
    known |= ebx & EBX_PSB_CYC ? MAKE_64BIT_MASK(CTL_PSB_FREQ, 4) : 0;
    known |= ebx & EBX_MTC ? CTL_MTC_EN | MAKE_64BIT_MASK(CTL_MTC_FREQ, 4) : 0;
    known |= ecx & ECX_TOPA ? CTL_TOPA : 0;
    if (ebx & EBX_RANGES) {
        known |= MAKE_64BIT_MASK(CTL_ADDR_CFG(0), 4 * pt_ranges(m));
    }
    return known;
}

/* Is the value of a field of 4 bits one whose bit is set in SUPPORTED? */
static bool supports(uint32_t supported, uint64_t value, unsigned field)
{
    return supported & BIT(extract64(value, field, 4));
}

static bool ctl_valid(const BTModel *m, uint64_t value)
{
    const uint32_t ebx = m->leaf_14[0][1];

    if (value & ~ctl_known(m)) {
        return false;
    }
    if ((ebx & EBX_MTC)
        && !supports(m->leaf_14[1][0] >> 16, value, CTL_MTC_FREQ)) {
        return false;
    }
    if ((ebx & EBX_PSB_CYC)
        && (!supports(m->leaf_14[1][1] & 0xffff, value, CTL_CYC_THRESH)
            || !supports(m->leaf_14[1][1] >> 16, value, CTL_PSB_FREQ))) {
        return false;
    }
    for (unsigned n = 0; n < pt_ranges(m); n++) {
        if (extract64(value, CTL_ADDR_CFG(n), 4) > ADDR_STOP) {
            return false;
        }
    }
    return !(value & CTL_TRACE_EN) || (value & CTL_TOPA)
        || (m->leaf_14[0][2] & ECX_SINGLE_RANGE);
}

static bool write_ctl(CPUX86State *env, uint64_t value)
{
    BTProcessorTrace *pt = &env->bt.pt;
    bool was_on = pt->ctl & CTL_TRACE_EN, on = value & CTL_TRACE_EN;

    if (!ctl_valid(pt_model(env), value)
        || (on && !(value & CTL_BRANCH_EN) && bt_erratum(env, BT_ERRATUM_PT_BRANCH_EN))
        || (was_on && on && value != pt->ctl)) {
        return false;
    }
    if (was_on && !on) {
        bt_pt_end(env);
    }
    pt->ctl = value;
    if (on && !was_on) {
        bt_pt_begin(env);
    }
    return true;
}

/* FilterEn, ContextEn and TriggerEn are read-only. */
static bool write_status(CPUX86State *env, uint64_t value)
{
    BTProcessorTrace *pt = &env->bt.pt;
    uint64_t kept = STATUS_ERROR | STATUS_STOPPED, bytes = 0;

    if (pt_model(env)->leaf_14[0][1] & EBX_PSB_CYC) {
        bytes = MAKE_64BIT_MASK(STATUS_BYTES, 17);
    }
    if (value & ~(kept | bytes | STATUS_ENABLES)) {
        return false;
    }
    pt->bytes = (value & bytes) >> STATUS_BYTES;
    pt->status = (pt->status & ~kept) | (value & kept);
    return true;
}

static bool write_range(CPUX86State *env, uint32_t msr, uint64_t value)
{
    if (!bt_msr_canonical(env, value)) {
        return false;
    }
    env->bt.pt.range[(msr - ADDR0_A) / 2][msr % 2] = value;
    return true;
}

static bool write_unless(uint64_t *p, uint64_t value, uint64_t reserved)
{
    if (value & reserved) {
        return false;
    }
    *p = value;
    return true;
}

/* False: #GP. */
bool bt_pt_write(CPUX86State *env, uint32_t msr, uint64_t value)
{
    BTProcessorTrace *pt = &env->bt.pt;

    if (msr == RTIT_CTL) {
        return write_ctl(env, value);
    }
    if (pt->ctl & CTL_TRACE_EN) {
        return false;
    }
    switch (msr) {
    case OUTPUT_BASE:
        return write_unless(&pt->output_base, value,
                            LOWER_MASK
                            | ~MAKE_64BIT_MASK(0, env_archcpu(env)->phys_bits));
    case OUTPUT_MASK_PTRS:
        pt->mask_ptrs = value & ~(uint64_t)LOWER_MASK;
        return true;
    case RTIT_STATUS:
        return write_status(env, value);
    case CR3_MATCH:
        return write_unless(&pt->cr3_match, value, 0x1f);
    default:
        return write_range(env, msr, value);
    }
}
