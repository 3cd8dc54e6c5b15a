/*
 * Branch-trace hardware: silicon mode, which is behaviour that real processors were seen
 * to have, and no manual promises.
 *
 * Each behaviour has a property, and bt-silicon=on turns on those of the row.  Every
 * choice is drawn from a pseudo-random sequence that bt-seed starts at RESET, one for each
 * processor and behaviour, when something happens in the guest: never by the clock, or by
 * chance of the host.  So a guest that does the same sees the same, and one behaviour does
 * not shift another's.
 *
 * This file has the sequences, and two behaviours of the LBR stack: a newest record that is
 * a copy, and AMD's entries that did not retire.
 * -silicon-pmi.c lets interrupts come late, -silicon-smi.c has SMIs, and
 * -silicon-predict.c mispredicts, and takes time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"

/* SplitMix64: neighbouring seeds give sequences that have nothing in common. */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

static uint32_t by_row(uint32_t asked, uint32_t row)
{
    return asked == BT_BY_ROW ? row : asked;
}

static bool on_by_row(OnOffAuto asked, bool row)
{
    return asked == ON_OFF_AUTO_AUTO ? row : asked == ON_OFF_AUTO_ON;
}

/* A property decides; without it the row does with bt-silicon=on, and otherwise it is off. */
void bt_silicon_set(X86CPU *cpu)
{
    static const BTSilicon nothing;
    const BTSilicon *row = cpu->bt_silicon_on ? &cpu->bt_model->silicon
                                              : &nothing;
    const BTSilicon *asked = &cpu->bt_asked;

    cpu->bt_silicon = (BTSilicon) {
        .skid = by_row(asked->skid, row->skid),
        .least_skid = by_row(asked->least_skid, row->least_skid),
        .long_skid = by_row(asked->long_skid, row->long_skid),
        .double_newest = by_row(asked->double_newest, row->double_newest),
        .double_replaces = asked->double_replaces,
        .wrong_path = by_row(asked->wrong_path, row->wrong_path),
        .smi = by_row(asked->smi, row->smi),
        .late_nmi = by_row(asked->late_nmi, row->late_nmi),
        .predictor = on_by_row(cpu->bt_predictor, row->predictor),
        .misses_direct = cpu->bt_model->silicon.misses_direct,
        .sibling = on_by_row(cpu->bt_sibling, row->sibling),
    };
}

/* Every processor and every behaviour has a sequence of its own. */
void bt_silicon_reset(X86CPU *cpu)
{
    uint64_t x = mix(mix(cpu->bt_seed) + CPU(cpu)->cpu_index);

    for (int i = 0; i < BT_RANDOMS; i++) {
        x = mix(x);
        cpu->env.bt.silicon.random[i] = x | 1;  /* never 0, where it would stay */
    }
    bt_predict_reset(cpu);
}

/* The next number of a sequence, 0 to BELOW - 1: xorshift64*. */
uint32_t bt_random(CPUX86State *env, BTRandom which, uint32_t below)
{
    uint64_t *x = &env->bt.silicon.random[which];

    *x ^= *x >> 12;
    *x ^= *x << 25;
    *x ^= *x >> 27;
    return (*x * 0x2545f4914f6cdd1d >> 32) * below >> 32;
}

/*
 * Does silicon mode look at each branch?  Then near branches have no short path, see
 * branch-trace-filter.c.
 */
bool bt_silicon_watches(const CPUX86State *env)
{
    const BTSilicon *has = &env_archcpu((CPUX86State *)env)->bt_silicon;

    return has->wrong_path || has->smi || env->bt.silicon.predictor.on
        || env->bt.silicon.pmi_waits;
}

/*
 * ---- The newest record is a copy of the one before it ----
 *
 * Recorded on a Xeon 8173M (06_55): 966 of 3,732 stacks, at the newest position
 * only; 546 of the copies differ in cycles (google/autofdo,
 * testdata/propeller_sample_1.perfdata1; google/autofdo#223,
 * llvm/llvm-project#147971).  Not one of 29 stacks in call-stack
 * mode (06_9E) has it.  BOLT (lib/Profile/DataAggregator.cpp) drops the two newest
 * records, which is right both when the copy is one entry more, and when it takes
 * the place of the newest; no source says which.  Chosen: one more, so the oldest
 * is lost; bt-double-replaces does the other.  Unconfirmed: it follows every stop, by a
 * freeze, WRMSR or #DB; those stacks were frozen by a PMI.
 */
static void double_newest(CPUX86State *env)
{
    X86CPU *cpu = env_archcpu(env);
    const BTSilicon *has = &cpu->bt_silicon;
    BranchTrace *bt = &env->bt;
    unsigned last = has->double_replaces ? bt_newest(bt, 1) : bt->newest;

    /* There must be a record since LBR was turned on. */
    if (!has->double_newest || cpu->bt_model->brs || bt->silicon.call_stack
        || bt->newest == bt->stale || last == bt->stale
        || bt_random(env, BT_RANDOM_NEWEST, has->double_newest) != 0) {
        return;
    }
    if (!has->double_replaces) {
        bt->newest = (bt->newest + 1) & (bt->depth - 1);
        bt_erratum_doubled(env);
    }
    bt->from[bt->newest] = bt->from[last];
    bt->to[bt->newest] = bt->to[last];
    bt->info[bt->newest] = bt->info[last];
    if (bt_random(env, BT_RANDOM_NEWEST, 966) < 546) {
        uint64_t cycles = bt->info[last] + 1
            + bt_random(env, BT_RANDOM_NEWEST, 63);

        bt->info[bt->newest] = deposit64(bt->info[last], 0, 16, cycles);
    }
}

/*
 * ---- Entries of AMD's version 2 that did not retire ----
 *
 * Entries with S = 1 and V = 0 are of branches on a wrong path, and one with TO[61]
 * set is bogus (erratum 1452; Linux, arch/x86/events/amd/lbr.c, skips both).  They
 * take up slots.  Chosen: the branch is one of the code right after the newest recorded
 * branch, where the processor goes on when it predicts that one as not taken; one of 8
 * entries is bogus; and a bogus entry claims to be valid.
 */
bool bt_wrong_path(CPUX86State *env, uint64_t *from, uint64_t *to,
                   uint64_t *flags)
{
    uint32_t share = env_archcpu(env)->bt_silicon.wrong_path;
    uint64_t mask = BT_EXTN_ADDRESS;

    if (!share || bt_random(env, BT_RANDOM_WRONG_PATH, share) != 0) {
        return false;
    }
    *from = (env->bt.from[env->bt.newest] & mask)
        + 2 + bt_random(env, BT_RANDOM_WRONG_PATH, 32);
    *to = *from + 2 + bt_random(env, BT_RANDOM_WRONG_PATH, 256);
    *flags = bt_random(env, BT_RANDOM_WRONG_PATH, 8) == 0
        ? BT_TO_VALID | BT_TO_BOGUS : BT_TO_SPECULATIVE;
    return true;
}

/* Registers have changed: is LBR on, and was it before? */
void bt_lbr_updated(CPUX86State *env, bool was_on)
{
    if (env->bt.lbr_mask && !was_on) {
        bt_predict_begin(env);
    }
    if (env->bt.lbr_mask) {
        env->bt.silicon.call_stack = bt_call_stack(env);
    } else if (was_on) {
        double_newest(env);
    }
}
