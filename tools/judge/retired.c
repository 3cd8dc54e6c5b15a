/*
 * Counts the instructions that a workload retires, by its expected trace and its code.
 *
 * Between two transfers the code runs straight, and a conditional branch there was not
 * taken.  An instruction that an exception or interrupt strikes before has not retired; a
 * repeated string instruction retires once.  No source says whether an instruction that
 * raises #DB retires.
 */
#include "retired.h"

#include "expected_trace.h"
#include "code.h"

struct straight_code {
    uint64_t insns, jccs;
    bool jcc_last; /* the last instruction is one of these */
    bool known;
};

/* From one place to another, and that instruction too. */
static struct straight_code straight(struct code *code, uint64_t from, uint64_t to)
{
    struct straight_code run = { .known = true };

    while (from <= to) {
        const struct code_insn *insn = code_at(code, from);

        if (!insn)
            return (struct straight_code){ .known = false };
        run.insns++;
        run.jcc_last = insn->kind == KIND_JCC;
        run.jccs += run.jcc_last;
        from = code_next(insn);
    }
    return run;
}

/* Straight code lies in one ring. */
static void add(struct retired *all, struct code *code, uint64_t from,
                const struct transfer *end, bool filtered)
{
    struct straight_code run = straight(code, from, end->from);
    bool struck = end->kind == KIND_EXC;
    uint64_t not_taken = run.jccs - (end->kind == KIND_JCC || (struck && run.jcc_last));

    all->known &= run.known && (run.insns > 0 || struck);
    all->insns += run.insns - struck;
    all->branches += end->kind != KIND_EXC && end->kind != KIND_DB;
    all->not_taken += not_taken;
    all->filtered += filtered ? not_taken : 0;
    all->unsure += end->kind == KIND_DB;
}

/* True if it has a record: a far transfer or an event need not have one. */
static bool is_near(const struct transfer *t)
{
    static const uint32_t near = COUNTS(KIND_JCC) | COUNTS(KIND_JMP) | COUNTS(KIND_IJMP) |
                                 COUNTS(KIND_CALL) | COUNTS(KIND_ICALL) | COUNTS(KIND_RET);

    return near >> t->kind & 1;
}

static unsigned ring_at(const struct run *run, uint64_t address)
{
    return ring_of(run->workload->own, address - run->workload->at);
}

struct retired retired_of(const struct log *log, const struct run *run)
{
    struct retired all = { .known = true };
    uint64_t from = BRANCH_UNKNOWN, in_a_row = 0, not_taken = 0;
    struct transfer t;
    struct expected_trace expected;
    struct source *source = expected_trace_of(&expected, log, run->workload);
    struct code code;

    code_of(&code, log);
    while (all.known && source->next(source, &t)) {
        if (kind_is_mark(t.kind))
            continue;
        if (from != BRANCH_UNKNOWN) /* the window's call is in no workload */
            add(&all, &code, from, &t,
                !record_filter_shows(run->filter, ring_at(run, from)));
        in_a_row += all.not_taken - not_taken + 1;
        not_taken = all.not_taken;
        if (in_a_row > all.in_a_row)
            all.in_a_row = in_a_row;
        if (is_near(&t))
            in_a_row = 0;
        from = t.to;
    }
    code_free(&code);
    all.branches += all.not_taken;
    return all;
}

bool runs_at(const struct log *log, const struct run *run, uint64_t address)
{
    uint64_t from = BRANCH_UNKNOWN;
    struct transfer t;
    struct expected_trace expected;
    struct source *source = expected_trace_of(&expected, log, run->workload);
    struct code code;
    bool runs = false;

    code_of(&code, log);
    while (!runs && source->next(source, &t)) {
        if (kind_is_mark(t.kind))
            continue;
        while (from < address && address <= t.from) {
            const struct code_insn *insn = code_at(&code, from);

            from = insn ? code_next(insn) : BRANCH_UNKNOWN;
        }
        runs = from == address && address <= t.from;
        from = t.to;
    }
    code_free(&code);
    return runs;
}

uint64_t count_kinds(const struct log *log, const struct run *run, uint32_t kinds)
{
    struct expected_trace expected;
    struct source *trace = expected_trace_of(&expected, log, run->workload);
    struct transfer t;
    uint64_t count = 0;

    while (trace->next(trace, &t))
        count += kinds >> t.kind & 1;
    return count;
}

uint64_t count_far(const struct log *log, const struct run *run)
{
    return count_kinds(log, run,
                       COUNTS(KIND_FAR) | COUNTS(KIND_INT) | COUNTS(KIND_IRET) |
                           COUNTS(KIND_EXC) | COUNTS(KIND_DB));
}

uint64_t count_least(const struct log *log, const struct run *run)
{
    const struct pmu_event *event = counted_event(run);

    return event ? count_kinds(log, run, event->counts) : 0;
}
