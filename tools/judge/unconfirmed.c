/*
 * The rules that no manual states: common/rules/limit.c says of each how far it is to be trusted
 * and which records it speaks of.  Where silicon does otherwise at such a record, the
 * rule was wrong as likely as the hardware.
 */
#include "unconfirmed.h"

#include <string.h>

#include "code.h"
#include "decode.h"

#define LIMITS_MAX 32
#define INSN_MAX   15 /* bytes */
#define VECTOR_DB  1
#define REPNE      0xf2
#define REP        0xf3
#define REX        0x40 /* to 0x4f */

bool on_silicon(const struct cpu_part *cpu)
{
    const struct platform *platform = cpu->platform;

    return !platform || !platform->emulated || platform->judged_as_silicon;
}

/* The instruction at this address, as far as it lies in the workload; size 0: outside. */
static const uint8_t *bytes_at(const struct loaded *loaded, uint64_t at, size_t *size)
{
    uint64_t offset = at - loaded->at;

    *size = offset < loaded->own->size ? loaded->own->size - (size_t)offset : 0;
    return loaded->own->code + (*size ? offset : 0);
}

/* INS, OUTS, MOVS, CMPS, STOS, LODS or SCAS with a repeat prefix. */
static bool repeats(const struct loaded *loaded, uint64_t at)
{
    static const uint8_t strings[] = { 0x6c, 0x6d, 0x6e, 0x6f, 0xa4, 0xa5, 0xa6,
                                       0xa7, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf };
    size_t size, i = 1;
    const uint8_t *code = bytes_at(loaded, at, &size);

    if (size < 2 || (code[0] != REP && code[0] != REPNE))
        return false;
    i += (code[i] & 0xf0) == REX;
    return i < size && memchr(strings, code[i], sizeof(strings));
}

/* The stub to whose first instruction this leads, or NULL. */
static const struct stub *stub_at(const struct loaded *loaded, uint64_t to)
{
    for (uint32_t i = 0; i < loaded->own->stub_count; i++)
        if (to == loaded->at + loaded->own->stubs[i].offset)
            return &loaded->own->stubs[i];
    return NULL;
}

static bool enters_db(const struct loaded *loaded, uint64_t to)
{
    const struct stub *stub = stub_at(loaded, to);

    return stub && stub->vector == VECTOR_DB;
}

/* True if a handler returns at either end of the record, or by it, or POPF acts there. */
static bool resumes(const struct events *events, const struct transfer *t, bool by_iret)
{
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->at[i];

        if ((event->iret != BRANCH_UNKNOWN) == by_iret &&
            (t->from == event->to || t->to == event->to ||
             (by_iret && t->from == event->iret) || (!by_iret && t->from == event->from)))
            return true;
    }
    return false;
}

static bool in_ring3(const struct loaded *loaded, uint64_t at)
{
    return ring_of(loaded->own, at - loaded->at) != 0;
}

/* True if an instruction begins here; the workload's code is read from its beginning. */
static bool begins_insn(const struct loaded *loaded, uint64_t offset)
{
    ZydisDecodedInstruction insn;
    uint64_t at = 0;

    while (at < offset)
        at += code_decode(loaded->own, at, &insn) ? insn.length : 1;
    return at == offset;
}

/*
 * True if straight code leads from FROM to a branch that can go to TO, within the length of
 * one instruction: software looks no further for the branch of a fused FROM.
 */
static bool precedes_its_branch(const struct loaded *loaded, const struct transfer *t)
{
    uint64_t offset = t->from - loaded->at, end = offset + INSN_MAX;
    ZydisDecodedInstruction insn;
    struct insn branch;

    if (offset >= loaded->own->size || !begins_insn(loaded, offset))
        return false;
    while (offset < end && code_decode(loaded->own, offset, &insn)) {
        if (decode_of(loaded->own, loaded->at, loaded->at + offset, &branch))
            return loaded->at + offset != t->from &&
                   (!branch.direct || branch.target == t->to);
        offset += insn.length;
    }
    return false;
}

/* True if the workload's last event before any #DB is of INT n, INT3 or INTO. */
static bool ends_in_software(const struct log *log, const struct loaded *loaded,
                             const struct events *events)
{
    enum kind last = KIND_NONE;
    struct expected expected;
    struct transfer t;
    uint64_t i = 0;

    expected_of(&expected, loaded->own, loaded->at, log->machine.call, log->machine.back,
                NULL);
    while (i < events->before_db && expected.source.next(&expected.source, &t)) {
        i += !kind_is_mark(t.kind);
        if (t.kind == KIND_INT || t.kind == KIND_EXC)
            last = t.kind;
    }
    return last == KIND_INT;
}

/* True if a conditional branch ends here, which may then be the one that was not taken. */
static bool follows_jcc(const struct loaded *loaded, uint64_t at)
{
    struct insn insn;

    for (uint64_t length = 2; length <= INSN_MAX; length++)
        if (decode_of(loaded->own, loaded->at, at - length, &insn) &&
            insn.kind == KIND_JCC && insn.length == length)
            return true;
    return false;
}

static bool is_outside(const struct loaded *loaded, uint64_t at)
{
    return at - loaded->at >= loaded->own->size;
}

bool rule_concerns(const struct limit *limit, const struct log *log,
                   const struct loaded *loaded, const struct events *events,
                   const struct transfer *t, enum difference_class class)
{
    switch (limit->of) {
    case LIMIT_OF_EACH:
        return true;
    case LIMIT_OF_RESUMING:
        return resumes(events, t, true);
    case LIMIT_OF_CLEARED_TF:
        return resumes(events, t, false);
    case LIMIT_OF_UNTAKEN: /* the newest record is then the IRETQ of the stop before */
        return class == EXTRA &&
               (follows_jcc(loaded, t->to) ||
                (t->from != BRANCH_UNKNOWN && is_outside(loaded, t->from)));
    case LIMIT_OF_HANDLERS:
        return class == EXTRA && stub_at(loaded, t->to);
    case LIMIT_OF_DB:
        return enters_db(loaded, t->to);
    case LIMIT_OF_STRINGS:
        return repeats(loaded, t->from) && !stub_at(loaded, t->to);
    case LIMIT_OF_STRUCK: /* of where it struck, not of whether it did */
        return class == WRONG_FROM && stub_at(loaded, t->to) && repeats(loaded, t->from);
    case LIMIT_OF_LAYOUT: /* a record that is read wrongly still exists */
        return class == WRONG_FROM || class == WRONG_TO || class == WRONG;
    case LIMIT_OF_EVENTS:
        return t->kind == KIND_INT || t->kind == KIND_EXC;
    case LIMIT_OF_SOFTWARE:
        return ends_in_software(log, loaded, events);
    case LIMIT_OF_CROSSING:
        return in_ring3(loaded, t->from) != in_ring3(loaded, t->to);
    case LIMIT_OF_JUMPS:
        return t->kind == KIND_CALL || t->kind == KIND_ICALL || t->kind == KIND_RET;
    case LIMIT_OF_FUSION:
        return class == WRONG_FROM && precedes_its_branch(loaded, t);
    case LIMIT_OF_RETURNED:
        return (class == EXTRA || class == LOST) &&
               (t->kind == KIND_CALL || t->kind == KIND_ICALL);
    default:
        return false;
    }
}

static bool certain(const struct limit *limit)
{
    return strcmp(limit->confidence, "stated") == 0 ||
           strcmp(limit->confidence, "measured") == 0;
}

const struct limit *unconfirmed_rule_of(const struct log *log, const struct run *run,
                                        const struct events *events,
                                        const struct transfer *t,
                                        enum difference_class class)
{
    static struct limit limits[LIMITS_MAX];
    size_t count = limits_of_method(run->method, run->cpu->row, limits, LIMITS_MAX);

    count += record_filter_limits(run->method, run->cpu->row, run->filter, limits + count,
                                  LIMITS_MAX - count);

    for (size_t i = 0; i < count; i++)
        if (!certain(&limits[i]) &&
            rule_concerns(&limits[i], log, run->workload, events, t, class))
            return &limits[i];
    return NULL;
}
