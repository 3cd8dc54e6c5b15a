/*
 * rounds.h.  SDM vol. 2, "REP/REPE/REPZ/REPNE/REPNZ": under TF there is a trap after each
 * round, and one if the count is 0 at first.
 *
 * ZF can end REPE and REPNE earlier.  It comes from comparing memory, which a log does not
 * hold, so any number of rounds from 1 to the count passes; fewer than the count are
 * counted.
 */
#include "rounds.h"

#include "code.h"
#include "cpu_part.h"
#include "expected_trace.h"
#include "heap.h"
#include "saturate.h"
#include "unconfirmed.h"

/* The rule step-rep-64: up to this many iterations in one step, while more than these are
 * left. */
#define AT_ONCE_MAX     64
#define SINGLE_AT_LEAST 16

static bool writes_rcx(const ZydisDecodedOperand *operand)
{
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
           ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64,
                                            operand->reg.value) == ZYDIS_REGISTER_RCX;
}

static bool is_rcx(const ZydisDecodedOperand *operand)
{
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           (operand->reg.value == ZYDIS_REGISTER_ECX ||
            operand->reg.value == ZYDIS_REGISTER_RCX);
}

/* MOV ECX, number, or XOR ECX, ECX. */
static bool sets(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands,
                 uint64_t *value)
{
    const bool xors = insn->mnemonic == ZYDIS_MNEMONIC_XOR && is_rcx(&operands[0]) &&
                      is_rcx(&operands[1]);
    const bool moves = insn->mnemonic == ZYDIS_MNEMONIC_MOV && is_rcx(&operands[0]) &&
                       operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;

    *value = xors ? 0 : operands[1].imm.value.u;
    if (moves && operands[0].reg.value == ZYDIS_REGISTER_ECX)
        *value = (uint32_t)*value;
    return xors || moves;
}

struct counts counts_of(const struct workload *workload, uint64_t offset)
{
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecodedInstruction insn;
    ZydisDecoder decoder;
    struct counts counts = { .does = CHANGES };

    code_decoder(workload, offset, &decoder);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, workload->code + offset,
                                             workload->size - (size_t)offset, &insn,
                                             operands)))
        return counts;
    counts.until_flag = insn.attributes & (ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE);
    counts.repeats = counts.until_flag || insn.attributes & ZYDIS_ATTRIB_HAS_REP;
    counts.by_ecx = insn.address_width == 32;
    counts.io = insn.meta.category == ZYDIS_CATEGORY_IOSTRINGOP;
    if (insn.operand_count_visible >= 2 && sets(&insn, operands, &counts.value)) {
        counts.does = SETS;
        return counts;
    }
    counts.does = KEEPS;
    for (size_t i = 0; i < insn.operand_count; i++)
        if (writes_rcx(&operands[i]))
            counts.does = CHANGES;
    return counts;
}

bool counts_are_all(const struct counts *counts)
{
    return counts->repeats && !counts->until_flag && !counts->io;
}

uint64_t iterations_least(const struct log *log, const struct run *run)
{
    const struct loaded *loaded = run->workload;
    struct expected_trace expected;
    struct source *all = expected_trace_of(&expected, log, loaded);
    const struct code_insn *insn;
    struct transfer t;
    struct code code;
    uint64_t at = BRANCH_UNKNOWN, count = 0 /* not known */, least = 0;

    code_of(&code, log);
    while (all->next(all, &t)) {
        if (kind_is_mark(t.kind))
            continue;
        for (; at <= t.from && at - loaded->at < loaded->own->size &&
               (insn = code_at(&code, at));
             at = code_next(insn)) {
            const struct counts counts = counts_of(loaded->own, at - loaded->at);

            if (counts_are_all(&counts) && at < t.from) /* no event ends it early */
                least += saturated_less(counts.by_ecx ? (uint32_t)count : count, 1);
            if (counts.does != KEEPS)
                count = counts.does == SETS ? counts.value : 0;
        }
        at = t.to;
    }
    code_free(&code);
    return least;
}

void rounds_lost(struct rounds *rounds)
{
    rounds->known = false;
}

bool rounds_lose(struct rounds *rounds, uint64_t stops)
{
    if (stops > rounds->may_lose)
        return false;
    rounds->lost += stops;
    rounds->may_lose -= stops;
    return true;
}

/* REPE and REPNE may end early as well. */
static bool is_many_at_once(const struct rounds *rounds, const struct counts *counts,
                            uint64_t want)
{
    return !counts->until_flag && want > SINGLE_AT_LEAST && rounds->stops < want &&
           rounds->stops >= (want + AT_ONCE_MAX - 1) / AT_ONCE_MAX;
}

static char *fewer_by(struct rounds *rounds, const char *rule)
{
    rounds->fewer = rule;
    return NULL;
}

/* The last round is over. */
static char *wrong_stops(struct rounds *rounds, const struct counts *counts)
{
    const struct platform *platform = rounds->run->cpu->platform;
    uint64_t want = counts->by_ecx ? (uint32_t)rounds->count : rounds->count;

    if (want == 0)
        want = 1;
    if (!rounds->known || rounds->stops == want ||
        (counts->io && platform && platform->io_at_once && rounds->stops < want) ||
        (platform && platform->rep_traps_at_zero && rounds->stops == want + 1))
        return NULL;
    if (is_many_at_once(rounds, counts, want) && rule_is_of_run("step-rep-64", rounds->run))
        return fewer_by(rounds, "step-rep-64");
    if (is_many_at_once(rounds, counts, want) &&
        rule_is_of_run("step-rep-mill", rounds->run))
        return fewer_by(rounds, "step-rep-mill");
    if (counts->io && rounds->stops < want &&
        rule_is_of_run("step-io-in-guest", rounds->run))
        return fewer_by(rounds, "step-io-in-guest");
    if (rounds->stops < want && rounds_lose(rounds, want - rounds->stops))
        return NULL;
    if (counts->until_flag && rounds->stops < want) {
        rounds->ended_early++;
        return NULL;
    }
    return format_text(
        "a repeated instruction stopped %llu times, want %s%llu by its count "
        "(%s)",
        (unsigned long long)rounds->stops, counts->until_flag ? "at most " : "",
        (unsigned long long)want, rounds->stops < want ? "lost" : "extra");
}

char *rounds_after(struct rounds *rounds, const struct counts *counts, bool again)
{
    char *why = NULL;

    if (counts->repeats) {
        rounds->stops++;
        if (again)
            return NULL;
        why = wrong_stops(rounds, counts);
        rounds->stops = 0;
    }
    if (counts->does == SETS)
        rounds->count = counts->value;
    if (counts->does != KEEPS)
        rounds->known = counts->does == SETS;
    return why;
}
