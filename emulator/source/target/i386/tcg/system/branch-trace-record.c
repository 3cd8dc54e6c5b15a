/*
 * Branch-trace hardware: the LBR stack and LER, and when they record.
 *
 * SDM vol. 3B, "LBR Stack" and "Last Branch, Interrupt, and Exception Recording" of each
 * family, "Last Branch Records" (architectural LBR); APM vol. 2, "Control-Transfer
 * Recording".
 *
 * The translator (tcg/branch-trace.c.inc) calls helper_bt_near() or helper_bt_branch() at
 * the end of each taken branch of a block that was translated with HF_BT_RECORD, and
 * do_interrupt_all() calls bt_event_begin() and bt_event_end() around each interrupt and
 * exception.  Which of them to keep is known beforehand, see branch-trace-filter.c.  From
 * here the counters, records in memory and Processor Trace learn of branches as well.
 *
 * push() writes an LBR record.  The stack is a ring of bt.depth entries, however software
 * sees it: a top-of-stack register, an index that counts from the newest, or one pair.
 * Addresses are kept in full; branch-trace-msr-record.c cuts them to what a register holds.
 *
 * debug_exception() is what #DB does: it clears LBR and BTF.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "exec/exec-all.h"

/*
 * INFO[59:56] of architectural LBR (SDM vol. 3B, "Last Branch Records", branch type
 * encodings): 6 and 7 are reserved, 8 and above OTHER_BRANCH, as seen 8.
 */
static const uint8_t branch_type[BT_KINDS] = {
    [BT_JCC] = 0, [BT_LOOP] = 0, [BT_IND_JMP] = 1, [BT_REL_JMP] = 2,
    [BT_IND_CALL] = 3, [BT_REL_CALL] = 4, [BT_ZERO_CALL] = 4, [BT_RET] = 5,
    [BT_FAR] = 8, [BT_EVENT] = 8,
};

/*
 * A fiction, without the predictor: a cycle is four bytes of code, from where the
 * previous record went to where this one starts, and one is for the branch; so the number
 * depends on the code alone.  It saturates.  Counters of events are the low byte of TO:
 * software that does not mask them shall notice.  PREDICTOR may be NULL if it is off.
 */
static inline uint64_t info_of(const BTModel *m, const BTPredictor *predictor,
                               BTKind kind, uint64_t from, uint64_t to,
                               uint64_t previous_to)
{
    uint64_t cycles = previous_to ? (from - previous_to) / 4 + 1 : 0;

    if (predictor && predictor->on) {
        cycles = predictor->cycles;
    }
    return MIN(cycles, 0xffff) | m->info_valid | (to << 32 & m->info_counters)
        | (m->info && predictor && predictor->missed ? BIT_ULL(63) : 0)
        | (m->info_type ? (uint64_t)branch_type[kind] << 56 : 0);
}

/*
 * SDM vol. 3B, "LBR Stack": the pointer moves first, then the record is
 * written.
 */
static inline void push(BranchTrace *bt, const BTModel *m,
                        const BTPredictor *predictor, BTKind kind,
                        uint64_t from, uint64_t to)
{
    uint64_t previous_to = bt->to[bt->newest];
    unsigned i = (bt->newest + 1) & (bt->depth - 1);

    bt->newest = i;
    bt->from[i] = from & ~m->from_flags;
    if (predictor && predictor->missed) {
        bt->from[i] |= m->from_flags & BIT_ULL(63);
    }
    bt->to[i] = to;
    if (m->info || m->cycles_in_to || m->info_valid) {
        bt->info[i] = info_of(m, predictor, kind, from, to, previous_to);
    }
}

/* Silicon mode: AMD's version 2 has entries of branches that did not retire, too. */
static void push_wrong_path(CPUX86State *env, const BTModel *m)
{
    BranchTrace *bt = &env->bt;
    uint64_t from, to, flags;

    if (m->extn_ctl && !m->brs && bt_wrong_path(env, &from, &to, &flags)) {
        push(bt, m, &bt->silicon.predictor, BT_NONE, from, to);
        bt->info[bt->newest] = flags;
    }
}

/* Erratum 1452: TO[61] in an entry that holds no branch (Linux, arch/x86/events/amd/lbr.c). */
static void push_bogus(CPUX86State *env, const BTModel *m)
{
    BranchTrace *bt = &env->bt;

    if (m->extn_ctl && !m->brs && bt_erratum_bogus(env)) {
        push(bt, m, &bt->silicon.predictor, BT_NONE, bt->to[bt->newest],
             bt->from[bt->newest] & BT_EXTN_ADDRESS);
        bt->info[bt->newest] = BT_TO_VALID | BT_TO_BOGUS;
    }
}

/*
 * SDM vol. 3B, "LBR Stack" of Haswell: in call-stack mode a return removes the newest
 * record.  Without a pointer to the top it empties that entry [derived].
 */
static void push_or_pop(CPUX86State *env, const BTModel *m, BTKind kind,
                        uint64_t from, uint64_t to)
{
    BranchTrace *bt = &env->bt;

    if (kind == BT_RET && bt_call_stack(env)) {
        if (m->lbr_ctl) {
            bt->from[bt->newest] = bt->to[bt->newest] = 0;
            bt->info[bt->newest] = 0;
        }
        bt->newest = bt_newest(bt, 1);
    } else {
        push_wrong_path(env, m);
        push(bt, m, &bt->silicon.predictor, kind, from, to);
        push_bogus(env, m);
    }
}

/* All entries are empty, and the first one is the newest. */
void bt_clear_records(CPUX86State *env)
{
    BranchTrace *bt = &env->bt;

    bt->newest = 0;
    memset(bt->from, 0, sizeof(bt->from));
    memset(bt->to, 0, sizeof(bt->to));
    memset(bt->info, 0, sizeof(bt->info));
}

/*
 * Branch sampling: the counter that DebugExtnCtl names has overflowed, and its
 * PMI is held until the records are full, or until sampling is turned off.
 */
void bt_brs_release(CPUX86State *env)
{
    env->bt.brs_holds = false;
    bt_update(env);
    bt_request_pmi(env);
}

static void brs_recorded(CPUX86State *env)
{
    BranchTrace *bt = &env->bt;

    bt->extn_ctl |= BT_EXTN_CTL_VB;
    if (bt->newest == bt->depth - 1) {
        bt->extn_ctl &= ~BT_EXTN_CTL_BRSMEN;
        bt_brs_release(env);
    }
}

/*
 * SDM vol. 3B, "Last Branch Records": architectural LBR does not show where a branch
 * came from if the level that it left is filtered out.  The branch is kept, so its kind is
 * not filtered out, and a clear bit means that the level is.
 */
static bool hides_from(const CPUX86State *env, const BTModel *m, uint32_t what)
{
    return m->lbr_ctl && !(env->bt.lbr_mask & BIT(what));
}

/* Does BTS store such a branch? */
static bool is_stored(const CPUX86State *env, uint32_t what, uint32_t entered)
{
    return env->bt.bts_mask
        & BIT(bt_erratum(env, BT_ERRATUM_BTS_OFF_ENTERED) ? entered : what);
}

/*
 * Records a branch wherever it is kept.  WHAT has the level that it leaves, ENTERED the
 * one that it enters.  FROM and TO are offsets in CS; the bases are those of CS before and
 * after it.
 */
void bt_record_once(CPUX86State *env, uint32_t what, uint32_t entered,
                    uint64_t from, uint64_t from_base,
                    uint64_t to, uint64_t to_base)
{
    const BTModel *m = env_archcpu(env)->bt_model;
    uint64_t width = env->hflags & HF_LMA_MASK ? UINT64_MAX : UINT32_MAX;

    if (env->bt.pair_mask & BIT(what)) {
        env->bt.pair_from = from;
        env->bt.pair_to = to;
    }
    if ((env->bt.lbr_mask & BIT(entered)) && !bt_erratum_no_entry(env, m)) {
        if (m->linear) {
            push_or_pop(env, m, BT_WHAT_KIND(what),
                        (from + from_base) & width, (to + to_base) & width);
        } else {
            push_or_pop(env, m, BT_WHAT_KIND(what), from, to);
        }
        if (hides_from(env, m, what)) {
            env->bt.from[env->bt.newest] = UINT64_MAX;
        }
        bt_predict_recorded(env);
        if (m->brs) {
            brs_recorded(env);
        }
    }
    if (is_stored(env, what, entered) && !bt_erratum_lose_bts(env)) {
        uint64_t stored = bt_erratum_bts_from(env, from + from_base, to + to_base,
                                              (what > 15) != (entered > 15));

        bt_bts_store(env, stored & width, (to + to_base) & width);
    }
}

/* Does such a branch, with the level that it enters, add a record to the LBR stack? */
bool bt_inserts(const CPUX86State *env, uint32_t entered)
{
    return (env->bt.lbr_mask & BIT(entered))
        && !(BT_WHAT_KIND(entered) == BT_RET && bt_call_stack(env));
}

/*
 * A branch was taken.  Counters count a record once, even if misbehaviour on purpose writes
 * it twice or not at all.
 */
static void record(CPUX86State *env, uint32_t what, uint64_t from,
                   uint64_t from_base, uint64_t to, uint64_t to_base)
{
    uint32_t entered = BT_WHAT(BT_WHAT_KIND(what), env->hflags & HF_CPL_MASK);
    bool inserted;

    bt_pmi_branch(env, BT_WHAT_KIND(what));
    bt_predict_taken(env, BT_WHAT_KIND(what), from + from_base, to + to_base);
    inserted = bt_inserts(env, entered);
    if ((env->bt.lbr_mask & BIT(entered)) || (env->bt.pair_mask & BIT(what))
        || is_stored(env, what, entered)) {
        int copies = bt_bad_copies(env);
        uint64_t shown = bt_erratum_from(env, from + from_base) - from_base
            + bt_faults(env)->shift_from;

        while (copies--) {
            bt_record_once(env, what, entered, shown, from_base, to, to_base);
        }
    }
    if (inserted) {
        bt_count_insert(env, entered > 15);
    }
    bt_erratum_event_end(env);          /* the branches of an SMI are not the event's */
    bt_smi(env);
}

/*
 * The conditional branch that is being executed may be fused with the instruction
 * that starts DISTANCE bytes before it.  Then FROM in the LBR stack, and nowhere else, is
 * the address of that (AMD in Linux, "Use fusion-aware branch classifier"), except while
 * DebugCtl.LBR is set (APM vol. 2, "Control-Transfer Recording").
 */
void helper_bt_fuse(CPUX86State *env, uint32_t distance)
{
    X86CPU *cpu = env_archcpu(env);

    if (cpu->bt_model->fuses && cpu->bt_variant.fuse
        && !(env->bt.debugctl & cpu->bt_model->lbr)) {
        env->bt.insn -= distance;
    }
}

/* Not inline, since the short paths then save no registers. */
static __attribute__((noinline))
void near_long_path(CPUX86State *env, uint32_t what)
{
    bt_pt_taken(env, BT_WHAT_KIND(what));
    record(env, what, env->bt.insn, 0, env->eip, 0);
    bt_count_branch(env, BT_WHAT_KIND(what), what > 15);
}

/*
 * A near branch has been taken in a segment that starts at 0: the usual one.  The
 * predictor is off on the short paths.
 */
void helper_bt_near(CPUX86State *env, uint32_t what)
{
    if (likely(env->bt.simple_mask & BIT(what))) {
        push(&env->bt, env_archcpu(env)->bt_model, NULL, BT_WHAT_KIND(what),
             env->bt.insn, env->eip);
    } else if (env->bt.simple_bts_mask & BIT(what)) {
        bt_bts_store(env, env->bt.insn, env->eip);
    } else {
        near_long_path(env, what);
    }
}

/* A branch has been taken: EIP and CS are where it went. */
void helper_bt_branch(CPUX86State *env, uint32_t what, target_ulong from_base)
{
    bt_pt_taken(env, BT_WHAT_KIND(what));
    record(env, what, env->bt.insn, from_base,
           env->eip, env->segs[R_CS].base);
    bt_count_branch(env, BT_WHAT_KIND(what), what > 15);
}

BTEvent bt_event_begin(CPUX86State *env)
{
    if (env->bt.pt.look) {
        bt_pt_look(env);
    }
    return (BTEvent) {
        .eip = env->eip,
        .cs_base = env->segs[R_CS].base,
        .cpl = env->hflags & HF_CPL_MASK,
        .tf = env->eflags & TF_MASK,
    };
}

/*
 * SDM vol. 3B, "Last Exception Records": the last branch before the event.
 * "Last Branch Records": an event that is not recorded, since LBR is off, frozen
 * or filters it out, does not change LER; LBR_SELECT is such a filter [derived].
 * APM vol. 2, "Software-Debug MSRs": #MC does not change it; it gets the last branch
 * of the pair, not of the stack of version 2.
 */
static void last_exception(CPUX86State *env, const BTModel *m, BTKind kind)
{
    BranchTrace *bt = &env->bt;
    uint32_t entered = BT_WHAT(kind, env->hflags & HF_CPL_MASK);

    if (bt->pair_mask) {
        bt->ler_from = bt->pair_from;
        bt->ler_to = bt->pair_to;
    } else if ((bt->lbr_mask & BIT(entered)) && !m->extn_ctl) {
        bt->ler_from = bt->from[bt->newest];
        bt->ler_to = bt->to[bt->newest];
        bt->ler_info = bt->info[bt->newest];
    }
}

/*
 * SDM vol. 3B, "Single-Stepping on Branches" and "LBR Stack", APM vol. 2,
 * "Control-Transfer Recording": #DB is not recorded, and clears LBR and BTF.
 * BTS does not store it either [derived]; TR and BTS stay on.
 */
static void debug_exception(CPUX86State *env, const BTModel *m, const BTEvent *event)
{
    if (bt_erratum(env, BT_ERRATUM_LER_DB) && !env_archcpu(env)->bt_variant.no_ler) {
        last_exception(env, m, BT_EVENT);
    }
    if (bt_erratum(env, BT_ERRATUM_DB_BS) && event->tf) {
        env->dr[6] |= DR6_BS;
    }
    if (bt_erratum(env, BT_ERRATUM_RECORD_DB)) {
        record(env, BT_WHAT(BT_EVENT, event->cpl), event->eip, event->cs_base,
               env->eip, env->segs[R_CS].base);
    }
    if (!bt_faults(env)->keep_lbr) {
        env->bt.debugctl &= ~m->lbr;
        env->bt.lbr_ctl &= ~BT_LBR_CTL_LBREN;
        env->bt.extn_ctl &= ~BT_EXTN_CTL_LBRSE;
    }
    if (!bt_faults(env)->keep_btf) {
        env->bt.debugctl &= ~m->btf;
    }
    bt_update(env);
}

static bool is_db(int intno, int is_int, int is_hw)
{
    return intno == EXCP01_DB && !is_int && !is_hw;
}

/*
 * An interrupt or exception has been delivered.  FROM is where EIP was: the
 * faulting instruction, the next one for an interrupt, and INT n itself
 * (SDM vol. 3C, "FUP packets and IP payload"; INT3 and INTO are software interrupts
 * too, in newer editions of it and of vol. 2A).
 */
static void delivered(CPUX86State *env, const BTModel *m, const BTEvent *event,
                      int intno, int is_int, int is_hw)
{
    uint64_t length = is_int ? env->exception_next_eip - event->eip : 0;
    BTKind kind = is_int ? BT_FAR : BT_EVENT;

    bt_pt_event(env, event, event->eip
                + (bt_erratum(env, BT_ERRATUM_PT_FUP_NLIP) ? length : 0));
    if (is_db(intno, is_int, is_hw)) {
        debug_exception(env, m, event);
        return;
    }
    if (!is_int && !is_hw) {
        bt_count_fault(env, event, intno);
    }
    if (!(env->hflags & HF_BT_RECORD_MASK)) {
        return;
    }
    if (!(m->ler_skips_mce && intno == EXCP12_MCHK)
        && !env_archcpu(env)->bt_variant.no_ler) {
        last_exception(env, m, kind);
    }
    /* A fault while storing this is a new one, not a double fault. */
    env->old_exception = -1;
    bt_erratum_event(env, length);
    record(env, BT_WHAT(kind, event->cpl), event->eip, event->cs_base,
           env->eip, env->segs[R_CS].base);
    /* AMD counts all changes of control flow, Intel instructions. */
    if (is_int || m->amd_counters) {
        bt_count_branch(env, BT_FAR, event->cpl);
    }
}

void bt_event_end(CPUX86State *env, const BTEvent *event,
                  int intno, int is_int, int is_hw)
{
    const BTModel *m = env_archcpu(env)->bt_model;

    if (m) {
        env->bt.no_step = false;
        delivered(env, m, event, intno, is_int, is_hw);
        bt_erratum_event_stops(env, event, is_db(intno, is_int, is_hw));
    }
}
