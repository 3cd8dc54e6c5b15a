/*
 * Branch-trace hardware, silicon mode: a branch predictor, and the time that branches take.
 *
 * Records say whether a branch was mispredicted, and how many cycles passed since the
 * record before it (SDM vol. 3B, "LBR Stack" of each family, "Last Branch Records"; vol.
 * 3B, "64 Bit Format of the DS Save Area": bit 4 of NetBurst's).  On real processors both
 * vary from run to run: a Xeon X5660 marked 8,645 of its Jcc, a Xeon with AVX-512 a few
 * direct jumps and calls as well (google/autofdo, testdata/test.lbr;
 * rafaelauler/bolt-tests, openssl.preagg.txt).  Here they come from a predictor like
 * those of textbooks, and of no real processor: 2-bit counters by address of Jcc, targets
 * by that of an indirect branch, a stack of calls.  All its sizes, the cycles of the code
 * between two branches and those of a misprediction are chosen.
 *
 * It learns only while something is recorded: branch-trace-record.c calls
 * bt_predict_taken() for each taken branch, and -count.c bt_predict_not_taken().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"

#define BYTES_PER_CYCLE 16      /* four instructions of four bytes */
#define MISS_CYCLES     16
#define TAKEN           2       /* a counter from here on predicts it so */
#define MAX_COUNTER     3
#define MAX_CALL        15      /* bytes of a call instruction */

void bt_predict_reset(X86CPU *cpu)
{
    BTPredictor *p = &cpu->env.bt.silicon.predictor;

    p->on = cpu->bt_silicon.predictor;
    memset(p->counter, TAKEN - 1, sizeof(p->counter));
}

/* Must branches that are not taken be known? */
bool bt_predicts(const CPUX86State *env)
{
    const BranchTrace *bt = &env->bt;

    return bt->silicon.predictor.on && (bt->lbr_mask || bt->bts_mask);
}

/* LBR was turned on: the first record has no time. */
void bt_predict_begin(CPUX86State *env)
{
    BTPredictor *p = &env->bt.silicon.predictor;

    p->missed = false;
    p->last_to = 0;
    p->cycles = 0;
}

static uint64_t mix(uint64_t address)
{
    return address ^ address >> 8 ^ address >> 16;
}

/* A Jcc was taken or not.  True when the opposite was predicted. */
static bool conditional(BTPredictor *p, uint64_t from, bool taken)
{
    uint8_t *counter = &p->counter[mix(from) % BT_PREDICT_COUNTERS];
    bool predicted = *counter >= TAKEN;

    if (taken && *counter < MAX_COUNTER) {
        (*counter)++;
    } else if (!taken && *counter > 0) {
        (*counter)--;
    }
    return predicted != taken;
}

typedef enum Known { UNKNOWN, ELSEWHERE, RIGHT } Known;

/* Is it known where this branch goes? */
static Known target(BTPredictor *p, uint64_t from, uint64_t to)
{
    unsigned i = mix(from) % BT_PREDICT_TARGETS;
    Known known = p->branch[i] != from ? UNKNOWN
                : p->target[i] != to ? ELSEWHERE : RIGHT;

    p->branch[i] = from;
    p->target[i] = to;
    return known;
}

static void call(BTPredictor *p, uint64_t from)
{
    p->call[p->calls++ % BT_PREDICT_CALLS] = from;
}

/* A return is predicted to go to the instruction after the newest call. */
static bool missed_return(BTPredictor *p, uint64_t to)
{
    uint64_t *newest = &p->call[--p->calls % BT_PREDICT_CALLS];
    uint64_t distance = to - *newest;
    bool right = *newest && distance - 1 < MAX_CALL;

    *newest = 0;
    return !right;
}

/*
 * Recorded on a Xeon with AVX-512: direct jumps and calls are marked as well, a few
 * of millions.  Chosen: one of 16 whose address is not known.
 */
static bool missed_direct(CPUX86State *env, uint64_t from, uint64_t to)
{
    return target(&env->bt.silicon.predictor, from, to) == UNKNOWN
        && env_archcpu(env)->bt_silicon.misses_direct
        && bt_random(env, BT_RANDOM_PREDICTOR, 16) == 0;
}

static bool missed(CPUX86State *env, BTKind kind, uint64_t from, uint64_t to)
{
    BTPredictor *p = &env->bt.silicon.predictor;

    switch (kind) {
    case BT_JCC:
    case BT_LOOP:
        return conditional(p, from, true);
    case BT_REL_CALL:
        call(p, from);
        /* fall through */
    case BT_REL_JMP:
    case BT_ZERO_CALL:
        return missed_direct(env, from, to);
    case BT_IND_CALL:
        call(p, from);
        /* fall through */
    case BT_IND_JMP:
        return target(p, from, to) != RIGHT;
    case BT_RET:
        return missed_return(p, to);
    default:
        return false;           /* far branches and events: chosen */
    }
}

/*
 * The other thread of the core is busy: it takes cycles, and now and then a long
 * stretch of them, and uses the same entries of the predictor.  How much is chosen.
 */
static void disturb(CPUX86State *env, uint64_t from)
{
    BTPredictor *p = &env->bt.silicon.predictor;

    if (bt_random(env, BT_RANDOM_SIBLING, 4) == 0) {
        p->cycles += 1 + bt_random(env, BT_RANDOM_SIBLING, 8);
    }
    if (bt_random(env, BT_RANDOM_SIBLING, 256) == 0) {
        uint32_t stretch = bt_random(env, BT_RANDOM_SIBLING, 4000);

        p->cycles += stretch;
        bt_time_passes(stretch);
    }
    if (bt_random(env, BT_RANDOM_SIBLING, 32) == 0) {
        p->counter[mix(from) % BT_PREDICT_COUNTERS] =
            bt_random(env, BT_RANDOM_SIBLING, MAX_COUNTER + 1);
        p->branch[mix(from) % BT_PREDICT_TARGETS] = 0;
    }
}

/* A branch went from one linear address to another, or an event did. */
void bt_predict_taken(CPUX86State *env, BTKind kind, uint64_t from, uint64_t to)
{
    BTPredictor *p = &env->bt.silicon.predictor;

    if (!p->on) {
        return;
    }
    /* A branch that missed takes its time after it. */
    p->cycles += p->missed ? MISS_CYCLES : 0;
    if (p->last_to) {
        p->cycles += (from - p->last_to) / BYTES_PER_CYCLE + 1;
    }
    p->last_to = to;
    if (env_archcpu(env)->bt_silicon.sibling) {
        disturb(env, from);
    }
    p->missed = missed(env, kind, from, to);
}

/* A conditional branch, at bt.insn, was not taken. */
void bt_predict_not_taken(CPUX86State *env)
{
    BTPredictor *p = &env->bt.silicon.predictor;

    if (p->on && conditional(p, env->bt.insn + env->segs[R_CS].base, false)) {
        p->cycles += MISS_CYCLES;
    }
}

/* The time since the last record begins again. */
void bt_predict_recorded(CPUX86State *env)
{
    env->bt.silicon.predictor.cycles = 0;
}
