/*
 * Holds every record of a log against the bytes of the code, and against nothing else.
 *
 *      trail LOG       a line for each run that is wrong; exit 0 none is, 1 one is,
 *                      2 unusable input
 *
 * The expected trace of a workload takes no part, only its code and where its handlers
 * begin:
 *
 *      FROM is a branch instruction, or one at which an event can strike
 *      TO is where that instruction can go: the target of a direct branch, the handler
 *      of an event, after a call or to the caller by RET, else to any instruction
 *      from TO to the next FROM there is only straight code, and branches not taken
 *
 * So the records are one way through the program, without a hole.  Where stepping saw no
 * handler, it is passed over: it returns to the instruction where the event struck, or
 * after it.  Each sample is checked by itself, and each piece is such a way.  This
 * holds for programs as tests/random/program.py writes them, not for any workload: their
 * code begins at the first byte and runs on to the tables, so that all instructions are
 * known.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "by_zydis.h"
#include "exit_code.h"
#include "read.h"
#include "records.h"

#define VECTOR_DE  0
#define VECTOR_BP  3
#define VECTOR_UD  6
#define VECTOR_GP  13
#define VECTOR_PF  14
#define VECTOR_INT 48
#define CHAIN_MAX  8 /* events one after the other with no stop between */

/* An instruction of the workload, as its bytes say. */
struct known {
    enum kind kind;
    uint64_t target; /* of a direct branch                     */
    uint8_t length;  /* 0: no instruction begins here          */
    bool repeats;    /* a string instruction, with REP         */
    bool must_fault; /* UD2                                    */
    uint32_t events; /* vectors that can strike here, as a set */
};

struct trail {
    const struct log *log;
    const struct run *run;
    struct known *known; /* by offset                               */
    bool *calls;         /* by offset: whether a near call ends there */
    uint64_t at, size;
    bool blind;  /* no handler is seen                    */
    bool differ; /* the two decoders do, on some instruction */
};

static uint32_t events_at(const ZydisDecodedInstruction *insn)
{
    switch (insn->mnemonic) {
    case ZYDIS_MNEMONIC_DIV:
        return 1u << VECTOR_DE;
    case ZYDIS_MNEMONIC_UD2:
        return 1u << VECTOR_UD;
    case ZYDIS_MNEMONIC_MOV:
        return insn->attributes & ZYDIS_ATTRIB_HAS_MODRM &&
                       insn->raw.modrm.mod != 3 /* it reads or writes memory */
                   ? 1u << VECTOR_GP | 1u << VECTOR_PF
                   : 0;
    default:
        return 0;
    }
}

/* Whether it could be read.  Both decoders must read it alike. */
static bool learn(struct trail *trail, uint64_t offset, struct known *known)
{
    const uint8_t *code = trail->run->workload->own->code + offset;
    size_t capacity = trail->size - offset;
    ZydisDecodedInstruction insn;
    struct insn ours;

    if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&zydis, NULL, code, capacity, &insn)))
        return false;
    decode_in(&(struct part){ .flags = 0 }, code, capacity, trail->at + offset, &ours);
    *known = (struct known){
        .kind = kind_by_zydis(&insn),
        .target = ours.target,
        .length = insn.length,
        .repeats = insn.attributes &
                   (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE),
        .must_fault = insn.mnemonic == ZYDIS_MNEMONIC_UD2,
        .events = events_at(&insn),
    };
    trail->differ |= !agree(code, capacity);
    return true;
}

/* All instructions, from the first byte on; after the last one are tables. */
static void learn_all(struct trail *trail)
{
    uint64_t at = 0;

    while (at < trail->size && learn(trail, at, &trail->known[at])) {
        enum kind kind = trail->known[at].kind;

        at += trail->known[at].length;
        trail->calls[at] = kind == KIND_CALL || kind == KIND_ICALL;
    }
}

static const struct known *know(const struct trail *trail, uint64_t address)
{
    uint64_t offset = address - trail->at;

    return offset < trail->size && trail->known[offset].length ? &trail->known[offset]
                                                               : NULL;
}

/* Where a near return can lead: nothing is pushed by hand for one. */
static bool after_call(const struct trail *trail, uint64_t address)
{
    return know(trail, address) && trail->calls[address - trail->at];
}

/* The handler that begins here, as its vector; -1: none does. */
static int handler_at(const struct trail *trail, uint64_t address)
{
    const struct workload *own = trail->run->workload->own;

    for (uint32_t i = 0; i < own->stub_count; i++)
        if (trail->at + own->stubs[i].offset == address)
            return (int)own->stubs[i].vector;
    return -1;
}

static bool has_handler(const struct trail *trail, int vector)
{
    const struct workload *own = trail->run->workload->own;

    for (uint32_t i = 0; i < own->stub_count; i++)
        if (own->stubs[i].vector == (uint32_t)vector)
            return true;
    return false;
}

/* INT3 has no number after its opcode. */
static int vector_of(const struct trail *trail, uint64_t at, const struct known *known)
{
    return known->length == 1 ? VECTOR_BP
                              : trail->run->workload->own->code[at - trail->at + 1];
}

/* Whether the instruction at `at` can take the flow to `to`, taken and not fallen through.
 */
static bool can_go(const struct trail *trail, uint64_t at, uint64_t to)
{
    const struct known *known = know(trail, at);
    int handler = handler_at(trail, to);

    if (!known)
        return false;
    switch (known->kind) {
    case KIND_NONE: /* an event has struck */
        return handler >= 0 && handler < 32 && known->events >> handler & 1;
    case KIND_JCC:
    case KIND_JMP:
    case KIND_CALL:
        return to == known->target;
    case KIND_INT:
        return handler == vector_of(trail, at, known);
    case KIND_RET:
        return to == trail->log->machine.caller.back || after_call(trail, to);
    case KIND_FAR:
    case KIND_IRET:
        return to == trail->log->machine.caller.back || know(trail, to);
    default:
        return know(trail, to);
    }
}

/* Whether it can be gone over to the next instruction. */
static bool can_pass(const struct trail *trail, uint64_t at, const struct known *known)
{
    switch (known->kind) {
    case KIND_NONE:
        return !known->must_fault || (trail->blind && has_handler(trail, VECTOR_UD));
    case KIND_JCC:
        return true;
    case KIND_INT:
        return trail->blind && has_handler(trail, vector_of(trail, at, known));
    default:
        return false;
    }
}

/* Whether straight code leads from `at` to the instruction at `from`. */
static bool straight(const struct trail *trail, uint64_t at, uint64_t from)
{
    while (at != from) {
        const struct known *known = know(trail, at);

        if (!known || !can_pass(trail, at, known))
            return false;
        at += known->length;
    }
    return true;
}

/* True if a branch after straight code leads from `at` to `to`. */
static bool some_branch(const struct trail *trail, uint64_t at, uint64_t to)
{
    const struct known *known;

    for (; (known = know(trail, at)); at += known->length) {
        if (known->kind != KIND_NONE && known->kind != KIND_INT && can_go(trail, at, to))
            return true;
        if (!can_pass(trail, at, known))
            return false;
    }
    return false;
}

/* Whether after a stop at `at` the next one can be at `to`: one instruction further. */
static bool one_further(const struct trail *trail, uint64_t at, uint64_t to)
{
    const struct known *known;

    for (int i = 0; i < CHAIN_MAX && (known = know(trail, at)); i++) {
        bool falls = known->kind == KIND_NONE || known->kind == KIND_JCC;

        if (falls && !known->must_fault && to == at + known->length)
            return true;
        if (known->repeats && to == at)
            return true;
        if (known->kind != KIND_NONE && known->kind != KIND_INT && can_go(trail, at, to))
            return true;
        /* A handler that goes on after the event leaves no stop there. */
        if (known->kind != KIND_INT && !known->events)
            return false;
        if (known->kind == KIND_INT && !has_handler(trail, vector_of(trail, at, known)))
            return false;
        at += known->length;
    }
    return false;
}

/* Not where older records gave way, or nobody recorded when it began. */
static bool begins_with_the_call(const struct run *run)
{
    return !run->method->sampled_windows && !run->method->last_event &&
           !(method_is_ring(run->method) && run->records >= run->capacity);
}

/* Not where only samples are kept, one event's branch, or nothing. */
static bool ends_with_the_return(const struct method_facts *method)
{
    return !method->sampled && !method->sampled_windows && !method->last_event &&
           !method->silent;
}

/* Between two pieces nothing was recorded, and that is said. */
static bool is_gap(const struct run *run, const struct branch *record)
{
    return run->method->sampled_windows && record->from == BRANCH_UNKNOWN &&
           record->to == BRANCH_UNKNOWN;
}

/* Whether this record follows from the one before, or, as the first, from the call. */
static const char *wrong(const struct trail *trail, const struct branch *before,
                         const struct branch *now)
{
    bool first = !before;

    if (before && before->to == trail->log->machine.caller.back)
        return "there is a record after the return";
    if (trail->run->method->sampled)
        return know(trail, now->to) || now->to == trail->log->machine.caller.back
                   ? NULL
                   : "no instruction begins at this stop";
    if (trail->run->method->stops) {
        if (first)
            return now->to == trail->at ? NULL : "the first stop is not at the start";
        if (trail->run->method->every_insn)
            return one_further(trail, before->to, now->to)
                       ? NULL
                       : "no instruction leads here from the stop before";
        return some_branch(trail, before->to, now->to)
                   ? NULL
                   : "no branch leads here from the stop before";
    }
    if (first && now->from == trail->log->machine.caller.call)
        return now->to == trail->at ? NULL : "the call does not lead to the start";
    if (first && begins_with_the_call(trail->run))
        return "the call is missing";
    if (!know(trail, now->from))
        return "no instruction begins at FROM";
    if (!can_go(trail, now->from, now->to))
        return "the instruction at FROM cannot go to TO";
    return first || straight(trail, before->to, now->from)
               ? NULL
               : "no straight code leads to FROM from the TO before";
}

static char *place(const struct trail *trail, uint64_t address, enum log_end end)
{
    struct log_map map = map_of(trail->log, trail->run->workload);

    return place_text(&map, address, end);
}

static void complain_of(const struct trail *trail, uint64_t number, size_t line,
                        const struct branch *record, const char *why)
{
    char *from = place(trail, record->from, LOG_FROM);
    char *to = place(trail, record->to, LOG_TO);

    printf("%s:%zu: %s %s: record %" PRIu64 ": %s -> %s: %s\n", trail->log->name, line,
           trail->run->method->name, trail->run->workload->own->name, number, from, to,
           why);
    free(from);
    free(to);
}

/* Whether all records of the run are one way through the code. */
static bool follow(struct trail *trail, uint64_t *records)
{
    const struct run *run = trail->run;
    const struct run_records got = run_records(trail->log, run);
    struct branch before = { 0 };
    const char *why = NULL;
    uint64_t number = 0;
    bool joined = false;

    for (; !why && number < got.count; number++) {
        const struct branch *now = &got.at[number];
        bool gap = is_gap(run, now);

        why = gap ? NULL : wrong(trail, joined ? &before : NULL, now);
        joined = !gap;
        before = *now;
    }
    *records += number;
    if (!why && run->method->silent && number)
        why = "this method records nothing";
    if (!why && trail->differ)
        why = "the decoders differ on an instruction of this workload";
    if (!why && ends_with_the_return(run->method) &&
        (number == 0 || before.to != trail->log->machine.caller.back))
        why = "the last record is not the return";
    if (why)
        complain_of(trail, number, number ? line_of_record(run, number - 1) : run->line,
                    &before, why);
    records_free(run, NULL);
    return !why;
}

static bool follow_run(const struct log *log, const struct run *run, uint64_t *records)
{
    struct trail trail = {
        .log = log,
        .run = run,
        .at = run->workload->at,
        .size = run->workload->own->size,
        .blind = run->method->blind_handlers,
    };
    bool good;

    trail.known = calloc(trail.size + 1, sizeof(*trail.known));
    trail.calls = calloc(trail.size + 1, sizeof(*trail.calls));
    if (!trail.known || !trail.calls)
        abort();
    learn_all(&trail);
    good = follow(&trail, records);
    free(trail.known);
    free(trail.calls);
    return good;
}

int main(int argc, char **argv)
{
    static struct log log;
    size_t followed = 0, bad = 0;
    uint64_t records = 0;

    if (argc != 2) {
        fprintf(stderr, "usage: trail LOG\n");
        return EXIT_UNUSABLE;
    }
    log_read(&log, argv[1]);
    if (log.log_error) {
        char *where = where_text(&log, log.error_line);

        fprintf(stderr, "%s: %s\n", where, log.log_error);
        free(where);
        log_free(&log);
        return EXIT_UNUSABLE;
    }
    by_zydis_begin();
    for (size_t i = 0; i < log.run_count; i++) {
        if (log.runs[i].skipped || log.runs[i].ran.outcome != ENDED)
            continue;
        followed++;
        bad += !follow_run(&log, &log.runs[i], &records);
    }
    printf("%zu runs, %" PRIu64 " records, %zu of the runs are not one way through their "
           "code\n",
           followed, records, bad);
    log_free(&log);
    return bad ? EXIT_DIFFERENT : EXIT_AS_EXPECTED;
}
