/*
 * Branch-trace hardware: when Processor Trace is on, and which packet a transfer has.
 *
 * SDM vol. 3C, "Packet Enable (PacketEn)": IA32_RTIT_STATUS has the bits that together turn
 * packets of control flow on.  "Packet Generation (Detailed Description)" has the cases.
 *
 * branch-trace-record.c calls bt_pt_taken() and bt_pt_event(), -count.c
 * bt_pt_not_taken(), helper_write_crN() bt_pt_cr3(), and -pt-msr.c bt_pt_begin() and
 * bt_pt_end() when TraceEn changes.  Blocks of code have HF_BT_RECORD and HF_BT_UNTAKEN
 * meanwhile.
 *
 * A packet that holds the address of the next instruction (after WRMSR or MOV CR3, or in a
 * PSB) waits until the next block of code begins, or an interrupt or exception comes: only
 * then is EIP known for sure.  bt.pt.look asks for that, see bt_pt_look().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "branch-trace-pt.h"

bool bt_pt_enabled(const CPUX86State *env)
{
    return env->bt.pt.ctl & CTL_TRACE_EN;
}

bool pt_packet_en(const BTProcessorTrace *pt)
{
    return (pt->status & STATUS_ENABLES) == STATUS_ENABLES
        && (pt->ctl & CTL_BRANCH_EN);
}

/* IA32_RTIT_CTL as it is in force. */
uint64_t pt_ctl(CPUX86State *env)
{
    return bt_bad_pt_ctl(env, env->bt.pt.ctl);
}

/* SDM vol. 3C, "Context Enable (ContextEn)": CPL, and CR3 without its low bits. */
static bool context_en(CPUX86State *env)
{
    const BTProcessorTrace *pt = &env->bt.pt;
    uint64_t ctl = pt_ctl(env);

    return (ctl & (env->hflags & HF_CPL_MASK ? CTL_USER : CTL_OS))
        && (!(ctl & CTL_CR3_FILTER)
            || !((env->cr[3] ^ pt->cr3_match) >> 5));
}

/* Is a range of this kind configured at all? */
static bool has_range(CPUX86State *env, unsigned kind)
{
    for (unsigned n = 0; n < pt_ranges(pt_model(env)); n++) {
        if (extract64(pt_ctl(env), CTL_ADDR_CFG(n), 4) == kind) {
            return true;
        }
    }
    return false;
}

/* SDM vol. 3C, "Filtering by IP": is the linear address in one, ends included? */
static bool in_range(CPUX86State *env, unsigned kind, uint64_t address)
{
    const BTProcessorTrace *pt = &env->bt.pt;

    for (unsigned n = 0; n < pt_ranges(pt_model(env)); n++) {
        if (extract64(pt_ctl(env), CTL_ADDR_CFG(n), 4) == kind
            && address >= pt->range[n][0] && address <= pt->range[n][1]) {
            return true;
        }
    }
    return false;
}

static void set_enable(BTProcessorTrace *pt, uint64_t enable, bool on)
{
    pt->status = on ? pt->status | enable : pt->status & ~enable;
}

/* The address of the next instruction, as packets have it (table of CPUID leaf 14H). */
static uint64_t packet_ip(CPUX86State *env, uint64_t eip, uint64_t cs_base)
{
    bool linear = pt_model(env)->leaf_14[0][2] & ECX_LINEAR_IP;

    if (linear) {
        eip += cs_base;
    }
    return env->hflags & HF_LMA_MASK ? eip : (uint32_t)eip;
}

static uint64_t here(CPUX86State *env)
{
    return packet_ip(env, env->eip, env->segs[R_CS].base);
}

/*
 * The processor has come to EIP by a transfer: only then do ranges matter.  True if EIP is
 * in a range that stops the trace.  SDM vol. 3C, "Packet Enable Control", "Filter
 * Enable (FilterEn)" and "TraceStop".
 */
static bool arrive(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;
    uint64_t address = env->segs[R_CS].base + env->eip;
    bool stop;

    if (!(env->hflags & HF_LMA_MASK)) {
        address = (uint32_t)address;
    }
    set_enable(pt, STATUS_CONTEXT_EN, context_en(env));
    if (!(pt->status & STATUS_CONTEXT_EN)) {
        return false;               /* FilterEn does not change */
    }
    stop = in_range(env, ADDR_STOP, address);
    set_enable(pt, STATUS_FILTER_EN,
               !stop && (!has_range(env, ADDR_FILTER)
                         || in_range(env, ADDR_FILTER, address)));
    return stop;
}

/* PacketEn has become 1.  SDM vol. 3C, "Packet Generation Enable (TIP.PGE)" */
static void enabled(CPUX86State *env)
{
    pt_forget_calls(&env->bt.pt);
    if (env->bt.errata.pge_lost) {
        env->bt.errata.pge_lost = false;
        return;
    }
    pt_mode_exec(env);
    pt_ip(env, PT_PGE, here(env));
}

void pt_forget_calls(BTProcessorTrace *pt)
{
    pt->calls = 0;
}

/* The ring forgets the oldest, as the decoder does. */
static void remember_call(BTProcessorTrace *pt)
{
    pt->newest_call = (pt->newest_call + 1) % BT_PT_CALLS;
    pt->call[pt->newest_call] = pt->after_call;
    pt->calls = MIN(pt->calls + 1, BT_PT_CALLS);
}

/*
 * SDM vol. 3C, "Indirect Transfer Compression for Returns (RET)": a return to where the
 * last call came from is a taken branch.  At another return a decoder may forget the last
 * call or not, so all calls are forgotten then [derived].
 */
static bool returns_to_call(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;
    uint64_t width = env->hflags & HF_CS64_MASK ? UINT64_MAX : UINT32_MAX;
    bool same = pt->calls && (!((pt->call[pt->newest_call] ^ env->eip) & width)
                              || bt_faults(env)->pt_wrong_ret);

    if (!same) {
        pt_forget_calls(pt);
        return false;
    }
    pt->calls--;
    pt->newest_call = (pt->newest_call + BT_PT_CALLS - 1) % BT_PT_CALLS;
    return true;
}

/*
 * PacketEn has become 0.  SDM vol. 3C, "Packet Generation Disable (TIP.PGD)": the
 * address is shown unless it is out of context, or a conditional branch or a compressed
 * return shows it, or erratum SKL014 hides it.
 */
static void disabled(CPUX86State *env, BTKind kind)
{
    bool direct = kind == BT_REL_JMP || kind == BT_REL_CALL || kind == BT_ZERO_CALL;
    bool shown = bt_conditional(kind) || (direct && bt_erratum(env, BT_ERRATUM_PT_PGD_NO_IP))
        || (kind == BT_RET && !(env->bt.pt.ctl & CTL_DIS_RETC)
            && returns_to_call(env));

    if ((env->bt.pt.status & STATUS_CONTEXT_EN) && !shown) {
        pt_ip(env, PT_PGD, here(env));
    } else {
        pt_pgd_without_ip(env);
    }
}

/* A branch was taken, and what is before it and after it is traced. */
static void branch(CPUX86State *env, BTKind kind)
{
    bool compress = !(env->bt.pt.ctl & CTL_DIS_RETC);

    switch (kind) {
    case BT_JCC:
    case BT_LOOP:
        pt_tnt(env, true);
        break;
    case BT_REL_CALL:
        remember_call(&env->bt.pt);
        break;
    case BT_IND_CALL:
        remember_call(&env->bt.pt);
        pt_tip(env, here(env), true);
        break;
    case BT_IND_JMP:
        pt_tip(env, here(env), true);
        break;
    case BT_RET:
        if (compress && returns_to_call(env)) {
            pt_tnt(env, true);
        } else {
            /* It must not wait, or it would look like a compressed one. */
            pt_tip(env, here(env), !compress);
        }
        break;
    case BT_FAR:
        pt_mode_exec(env);
        pt_ip(env, PT_TIP, here(env));
        break;
    default:
        break;
    }
}

/* An overflow ends no later than the trace, except that an erratum keeps it without OVF. */
static void end_overflow(CPUX86State *env)
{
    if (env->bt.pt.overflow && !bt_erratum(env, BT_ERRATUM_PT_OVF_SILENCE)) {
        pt_overflow_end(env, here(env));
    }
}

/* A transfer to EIP.  SDM vol. 3C, "Packet Generation (Detailed Description)" has the cases. */
static void transfer(CPUX86State *env, BTKind kind, bool was_on)
{
    BTProcessorTrace *pt = &env->bt.pt;
    bool stop = arrive(env), on = pt_packet_en(pt);

    if (was_on && on) {
        branch(env, kind);
    } else if (was_on) {
        disabled(env, kind);
    } else if (on) {
        enabled(env);
    }
    if (stop) {
        end_overflow(env);
        pt_trace_stop(env);
        pt->status |= STATUS_STOPPED;
        pt->status &= ~STATUS_TRIGGER_EN;
    }
}

/*
 * Without ranges a near branch changes no enable, since it changes neither CPL nor CR3.
 * This test saves a third of the time.
 */
static bool stays_enabled(const BTProcessorTrace *pt, BTKind kind)
{
    return kind != BT_FAR && !(pt->ctl >> CTL_ADDR_CFG(0));
}

/* A branch was taken: EIP is where it went. */
void bt_pt_taken(CPUX86State *env, BTKind kind)
{
    BTProcessorTrace *pt = &env->bt.pt;
    bool was_on = pt_packet_en(pt);

    if (!(pt->status & STATUS_TRIGGER_EN)) {
        return;
    }
    pt_time(env);
    pt_cycles(env, env->bt.insn, env->eip);
    if (!stays_enabled(pt, kind)) {
        transfer(env, kind, was_on);
    } else if (was_on) {
        branch(env, kind);
    }
}

void bt_pt_not_taken(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;

    if (pt->status & STATUS_TRIGGER_EN) {
        pt_cycles(env, env->bt.insn, env->bt.insn);
    }
    if (pt_packet_en(pt)) {
        pt_tnt(env, false);
    }
}

/*
 * An interrupt or exception was delivered.  SDM vol. 3C, "FUP IP Payload": where it
 * came from.  FROM is that offset in CS, unless an erratum changes it.
 */
void bt_pt_event(CPUX86State *env, const BTEvent *event, uint64_t from)
{
    BTProcessorTrace *pt = &env->bt.pt;
    bool was_on = pt_packet_en(pt);

    if (!(pt->status & STATUS_TRIGGER_EN)) {
        return;
    }
    pt_time(env);
    pt_cycles(env, event->eip, env->eip);
    if (was_on) {
        pt_ip(env, PT_FUP, packet_ip(env, from, event->cs_base));
    }
    transfer(env, BT_FAR, was_on);
}

/*
 * MOV CR3.  SDM vol. 3C, "Paging Information (PIP) Packet" and "Packet Generation
 * (Detailed Description)".
 */
void bt_pt_cr3(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;
    bool was_on = pt_packet_en(pt), had_context = pt->status & STATUS_CONTEXT_EN;

    if (!(pt->status & STATUS_TRIGGER_EN)) {
        return;
    }
    set_enable(pt, STATUS_CONTEXT_EN, context_en(env));
    if (!(pt->status & STATUS_CONTEXT_EN)) {
        if (was_on) {
            pt_pgd_without_ip(env);
        }
        return;
    }
    if (pt_ctl(env) & CTL_OS) {
        pt_pip(env);
    }
    if (!had_context) {
        set_enable(pt, STATUS_FILTER_EN, false);
        pt->look |= LOOK_WHERE;
    }
}

/* TraceEn was set.  SDM vol. 3C, "Trigger Enable (TriggerEn)" */
void bt_pt_begin(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;

    pt->status &= ~STATUS_ENABLES;
    if (pt->status & (STATUS_STOPPED | STATUS_ERROR)) {
        return;
    }
    pt->status |= STATUS_TRIGGER_EN;
    pt->look = LOOK_START;
    pt->tnt = 0;
    pt->tnt_count = 0;
    pt->tip_bytes = 0;
    pt->overflow = false;
    env->bt.errata.pge_lost = false;
    pt_output_begin(env);
}

/*
 * TraceEn is about to be cleared, by the instruction at EIP or before it.  SDM vol. 3C,
 * "Packet Generation (Detailed Description)".  An overflow that lasts loses these packets
 * too.  It ends when WRMSR flushes the internal buffer, and PacketEn is 0 by then: no FUP
 * follows OVF ("Internal Buffer Overflow") [chosen].
 */
void bt_pt_end(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;
    bool overflowed, cut = bt_erratum_end_cut(env);

    pt->overflow |= cut;
    if (pt_packet_en(pt)) {
        pt_ip(env, PT_FUP, here(env));
        pt_pgd_without_ip(env);
    }
    pt->status &= ~(STATUS_FILTER_EN | STATUS_CONTEXT_EN);
    overflowed = pt->overflow;
    if (!cut) {
        end_overflow(env);
    }
    if (overflowed && bt_erratum(env, BT_ERRATUM_PT_OVF_PGD)) {
        pt_pgd_without_ip(env);
    }
    pt->status &= ~STATUS_TRIGGER_EN;
    pt->look = 0;
    if (pt_model(env)->pt_stops_lbr) {
        bt_clear_records(env);  /* SDM vol. 3C, "Intel PT and LBR" */
    }
}

/*
 * Erratum BDM70: the PSB+ before TIP.PGE has MODE.Exec and FUP, as one while the trace is on.
 * Chosen: always, where TIP.PGE follows at once, which is so without ranges.
 */
static bool psb_has_fup(CPUX86State *env)
{
    return bt_erratum(env, BT_ERRATUM_PT_PSB_FUP) && (env->bt.pt.status & STATUS_CONTEXT_EN)
        && (env->bt.pt.ctl & CTL_BRANCH_EN) && !(env->bt.pt.ctl >> CTL_ADDR_CFG(0));
}

/*
 * SDM vol. 3C, "Enabling and Disabling Packet Generation with TraceEn": a PSB, if
 * no byte has been written since the last one.  Where software cannot see how many bytes
 * were, there is always a PSB (table of CPUID leaf 14H).  The SDM describes the PSB after
 * TIP.PGE; here it comes before, so that the decoder misses nothing [chosen].
 */
static void start(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;

    pt_time_begin(env);
    if (pt->bytes == 0 || !(pt_model(env)->leaf_14[0][1] & EBX_PSB_CYC)) {
        pt_psb(env, here(env), psb_has_fup(env));
    } else {
        pt_timestamps(env);
        pt_cbr(env);
    }
}

/* The next instruction is at EIP, and registers asked for something there. */
void bt_pt_look(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;
    uint32_t look = pt->look;

    pt->look = 0;
    if (!(pt->status & STATUS_TRIGGER_EN)) {
        return;
    }
    if (look & LOOK_START) {
        set_enable(pt, STATUS_CONTEXT_EN, context_en(env));
        start(env);
    }
    if (look & (LOOK_START | LOOK_WHERE)) {
        transfer(env, BT_NONE, pt_packet_en(pt));
    }
    if (look & (LOOK_OVF | LOOK_PSB)) {
        end_overflow(env);
    }
    if ((look | pt->look) & LOOK_PSB) {
        pt_psb(env, here(env), pt_packet_en(pt));
    }
}

void helper_bt_pt_look(CPUX86State *env)
{
    bt_pt_look(env);
}

/* Chosen: INIT ends the trace, without a packet. */
void bt_pt_init(CPUX86State *env)
{
    env->bt.pt.ctl &= ~CTL_TRACE_EN;
    env->bt.pt.status &= ~STATUS_ENABLES;
    env->bt.pt.look = 0;
}

/* SDM vol. 3C, "System-Management Mode (SMM)": TraceEn is clear there. */
void bt_pt_smm_enter(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;

    pt->smm_trace_en = bt_pt_enabled(env);
    if (pt->smm_trace_en) {
        bt_pt_end(env);
        pt->ctl &= ~CTL_TRACE_EN;
    }
}

void bt_pt_smm_leave(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;

    if (pt->smm_trace_en && !bt_pt_enabled(env)) {
        pt->ctl |= CTL_TRACE_EN;
        bt_pt_begin(env);
    }
}
