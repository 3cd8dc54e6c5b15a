/*
 * Branch-trace hardware: the set of branches that the registers select.
 *
 * SDM vol. 3B, "Filtering of Last Branch Records", "CPL-Qualified Branch Trace Mechanism"
 * and "Last Branch Records"; APM vol. 2, "Control-Transfer Recording".
 *
 * bt_update() is called when a register has changed, from all files that change one.  It
 * computes sets of bits BT_WHAT(), so that a branch costs one test, and the four bits of
 * hflags that select how a block is translated:
 *
 *   HF_BT_RECORD   something is recorded, or branches are counted
 *   HF_BT_STEP     BTF
 *   HF_BT_INSNS    instructions are counted
 *   HF_BT_UNTAKEN  branches that are not taken are of interest, too
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"

/*
 * SDM vol. 3B, "Filtering of Last Branch Records": a set bit of LBR_SELECT
 * suppresses a kind (as on Sandy Bridge and later: jumps do not include calls), and
 * "Last Branch Records": a set bit of IA32_LBR_CTL includes it.  Interrupts and
 * exceptions are far branches here, as the Linux driver expects, and LOOP and JrCXZ are
 * conditional ones [derived: the SDM's packets].
 */
static const struct {
    uint8_t select, lbr_ctl;
} filter_bit[BT_KINDS] = {
    [BT_JCC]       = { 2, 16 },
    [BT_LOOP]      = { 2, 16 },
    [BT_REL_CALL]  = { 3, 19 },
    [BT_ZERO_CALL] = { 3, 19 },
    [BT_IND_CALL]  = { 4, 20 },
    [BT_RET]       = { 5, 21 },
    [BT_IND_JMP]   = { 6, 18 },
    [BT_REL_JMP]   = { 7, 17 },
    [BT_FAR]       = { 8, 22 },
    [BT_EVENT]     = { 8, 22 },
};

/* Does a return remove the newest record? */
bool bt_call_stack(const CPUX86State *env)
{
    return (env->bt.select & BT_SELECT_EN_CALLSTACK)
        || (env->bt.lbr_ctl & BT_LBR_CTL_CALL_STACK);
}

/* SDM vol. 3B, "LBR Stack": enabled, and not frozen by a PMI. */
static bool lbr_on(const CPUX86State *env, const BTModel *m)
{
    const BranchTrace *bt = &env->bt;

    if (bt_freezes_in_status(m)
        && (env->msr_global_status & BT_STATUS_LBR_FRZ)) {
        return false;
    }
    if (m->tr_stops_lbr && (bt->debugctl & m->tr)) {
        return false;
    }
    if (m->pt_stops_lbr && bt_pt_enabled(env)) {
        return false;
    }
    if (m->brs) {
        return bt->brs_holds;
    }
    if (m->extn_ctl) {
        return bt->extn_ctl & BT_EXTN_CTL_LBRSE;
    }
    return (bt->debugctl & m->lbr) || (bt->lbr_ctl & BT_LBR_CTL_LBREN);
}

/*
 * Linux, for Nehalem and Westmere: calls need near relative and indirect jumps to
 * be recorded as well, and indirect calls need indirect jumps.
 */
static bool kept_by_select(CPUX86State *env, BTKind kind)
{
    static const BTKind needs[BT_KINDS][2] = {
        [BT_REL_CALL] = { BT_REL_JMP, BT_IND_JMP },
        [BT_ZERO_CALL] = { BT_REL_JMP, BT_IND_JMP },
        [BT_IND_CALL] = { BT_IND_JMP },
    };
    uint64_t suppressed = BIT_ULL(filter_bit[kind].select);

    if (env_archcpu(env)->bt_variant.nehalem_select) {
        for (int i = 0; i < 2 && needs[kind][i] != BT_NONE; i++) {
            suppressed |= BIT_ULL(filter_bit[needs[kind][i]].select);
        }
    }
    return !(env->bt.select & suppressed);
}

/* Architectural LBR without a filter by kind keeps all kinds [derived]. */
static bool kept_by_lbr_ctl(CPUX86State *env, BTKind kind)
{
    return !(bt_leaf_1c_ebx(env_archcpu(env)) & BT_1C_KIND_FILTER)
        || (env->bt.lbr_ctl & BIT_ULL(filter_bit[kind].lbr_ctl));
}

/* What the manual does not say that a filter has: see branch-trace-errata.h. */
static bool has_no_filter(CPUX86State *env, const BTModel *m, BTKind kind)
{
    return (!m->lbr_ctl || (env->bt.lbr_ctl & BT_LBR_CTL_TYPES))
        && ((kind == BT_LOOP && bt_erratum(env, BT_ERRATUM_LOOP_UNFILTERED))
            || (kind == BT_EVENT && bt_erratum(env, BT_ERRATUM_EVENTS_UNFILTERED)));
}

/* Without a filter by level it keeps all levels, likewise; ENABLE is OS or USR. */
static bool kept_level(CPUX86State *env, uint64_t enable)
{
    return !(bt_leaf_1c_ebx(env_archcpu(env)) & BT_1C_CPL_FILTER)
        || (env->bt.lbr_ctl & enable);
}

/*
 * The level that a branch enters decides.  SDM vol. 3B, "Filtering of Last Branch
 * Records", in newer editions: "branches ending in ring 0" (older ones have
 * "occurring in"); "Last Branch Records": the CPL at the end of the transfer; APM
 * vol. 2, "Control-Transfer Recording".  Recorded: a Xeon 8173M (06_55) that kept user
 * mode alone has branches from kernel to user.
 */
static uint32_t lbr_mask(CPUX86State *env, const BTModel *m)
{
    const BranchTrace *bt = &env->bt;
    uint32_t mask = 0;

    if (!lbr_on(env, m)) {
        return 0;
    }
    for (int kind = BT_NONE + 1; kind < BT_KINDS; kind++) {
        bool wanted = m->lbr_ctl ? kept_by_lbr_ctl(env, kind)
                                 : kept_by_select(env, kind);

        wanted |= has_no_filter(env, m, kind);
        if (wanted && !(kind == BT_ZERO_CALL && bt_call_stack(env))) {
            mask |= BIT(BT_WHAT(kind, 0)) | BIT(BT_WHAT(kind, 3));
        }
    }
    if (m->lbr_ctl ? !kept_level(env, BT_LBR_CTL_OS)
                   : bt->select & BT_SELECT_CPL_EQ_0) {
        mask &= ~0xffffu;
    }
    if (m->lbr_ctl ? !kept_level(env, BT_LBR_CTL_USR)
                   : bt->select & BT_SELECT_CPL_NEQ_0) {
        mask &= 0xffffu;
    }
    return mask;
}

/*
 * SDM vol. 3B, "CPL-Qualified Branch Trace Mechanism"; TR = 1 is required.
 * Unconfirmed: these bits test the level that a branch leaves.
 */
static uint32_t bts_mask(const CPUX86State *env, const BTModel *m)
{
    uint64_t debugctl = env->bt.debugctl;
    uint32_t mask = 0;

    if (!(debugctl & m->tr) || !(debugctl & m->bts)
        || (m->pt_stops_lbr && bt_pt_enabled(env))) {
        return 0;
    }
    if (!(debugctl & m->bts_off_os)) {
        mask |= 0xffffu;
    }
    if (!(debugctl & m->bts_off_usr)) {
        mask |= ~0xffffu;
    }
    return mask;
}

/*
 * APM vol. 2, "Control-Transfer Recording": the pair and the stack can both be on, and the
 * pair has no filter.
 */
static uint32_t pair_mask(const CPUX86State *env, const BTModel *m)
{
    return m->extn_ctl && (env->bt.debugctl & m->lbr) ? UINT32_MAX : 0;
}

/*
 * helper_bt_near() alone handles near branches that are recorded in one place,
 * written once and unchanged, and not counted.
 */
static bool has_short_path(CPUX86State *env)
{
    return !(bt_is_counted(env, BT_BRANCHES) || bt_is_counted(env, BT_TAKEN)
             || bt_is_counted(env, BT_INSERTS) || bt_pt_enabled(env)
             || env_archcpu(env)->bt_model->brs || bt_call_stack(env)
             || bt_bad_records(env) || bt_bad_pmi_waits(env)
             || bt_erratum_records(env) || bt_silicon_watches(env));
}

/* How blocks are translated from now on: the four bits of hflags. */
static uint32_t block_flags(CPUX86State *env, const BTModel *m)
{
    const BranchTrace *bt = &env->bt;
    bool counted = bt_is_counted(env, BT_BRANCHES), pt = bt_pt_enabled(env);
    uint32_t flags = 0;

    if (bt->lbr_mask || bt->bts_mask || bt->pair_mask || counted || pt
        || bt_is_counted(env, BT_TAKEN)
        || bt_bad_pmi_waits(env) || bt->silicon.pmi_waits) {
        flags |= HF_BT_RECORD_MASK;
    }
    if (counted || pt || bt->silicon.pmi_waits || bt_predicts(env)) {
        flags |= HF_BT_UNTAKEN_MASK;
    }
    if (bt_is_counted(env, BT_INSNS)) {
        flags |= HF_BT_INSNS_MASK;
    }
    if (bt->debugctl & m->btf) {
        flags |= HF_BT_STEP_MASK;
    }
    return flags;
}

/*
 * A register has changed.  A block must not be chained to the next across such a
 * change: the caller ends the block unchained, or asks for CPU_INTERRUPT_EXITTB.
 */
void bt_update(CPUX86State *env)
{
    const BTModel *m = env_archcpu(env)->bt_model;
    const uint32_t near =
        ~(uint32_t)(BIT(BT_WHAT(BT_FAR, 0)) | BIT(BT_WHAT(BT_FAR, 3)));
    bool was_on = env->bt.lbr_mask;

    bt_count_update(env);
    env->bt.lbr_mask = lbr_mask(env, m);
    if (!was_on && env->bt.lbr_mask) {
        env->bt.stale = env->bt.newest;
    }
    bt_lbr_updated(env, was_on);
    env->bt.bts_mask = bts_mask(env, m);
    env->bt.pair_mask = pair_mask(env, m);
    env->bt.simple_mask = env->bt.simple_bts_mask = 0;
    if (has_short_path(env)) {
        env->bt.simple_mask = near & env->bt.lbr_mask & ~env->bt.bts_mask
            & ~env->bt.pair_mask;
        env->bt.simple_bts_mask = near & env->bt.bts_mask & ~env->bt.lbr_mask;
    }
    env->hflags &= ~(HF_BT_RECORD_MASK | HF_BT_STEP_MASK
                     | HF_BT_INSNS_MASK | HF_BT_UNTAKEN_MASK);
    env->hflags |= block_flags(env, m);
}
