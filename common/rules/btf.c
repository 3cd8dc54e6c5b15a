/*
 * Branch single-step (BTF): with TF and DEBUGCTL.BTF set, #DB follows each taken branch.
 *
 * Delivering #DB clears BTF, so the handler sets it again.  A stop reports only the target
 * of the branch; btf+lbr takes FROM from the newest LBR entry.  Delivering any event clears
 * TF, so handlers run without stops, as under TF alone (step.c).
 *
 * Intel's manual says that BTF traps on taken branches; editions up to 2009 add interrupts
 * and exceptions.  AMD's says "every branch instruction, interrupt, or exception", and does
 * not say whether this includes a conditional branch that is not taken.  A Zen 2 (Ryzen 9
 * 4900HS) did not trap there: a loop by DEC and JNZ was followed from stop to stop, and had
 * one instruction too few for a stop after the JNZ that is not taken.
 */
#include "rule.h"

#include "decode.h"

#define CONTROL_TRANSFER "AMD64 APM vol. 2, \"Control-Transfer Breakpoint Features\""
#define INSN_MAX         15 /* bytes */

static bool stops_at_branches(const struct rule_place *place)
{
    return !place->method->silent && !place->method->sampled && place->method->stops &&
           !place->method->every_insn;
}

static bool is_unsure(const struct rule_place *place)
{
    return place->method->blind_handlers && !place->method->every_insn && place->model &&
           place->model->btf_unsure;
}

/* True if a conditional branch ends here, which may then be the one that was not taken. */
static bool follows_jcc(const struct rule_record *record, uint64_t at)
{
    struct insn insn;

    for (uint64_t length = 2; length <= INSN_MAX; length++)
        if (decode_of(record->workload, record->at, at - length, &insn) &&
            insn.kind == KIND_JCC && insn.length == length)
            return true;
    return false;
}

static bool is_outside(const struct rule_record *record, uint64_t end)
{
    return end - record->at >= record->workload->size;
}

/*
 * True if the record leads into straight code in which an event strikes.  Where the LBR
 * stack has no entries of events, the newest one at a stop in a handler is the IRETQ of the
 * stop before.
 */
static bool leads_to_event(const struct rule_record *record)
{
    struct expected expected;
    struct transfer t, before = { .to = BRANCH_UNKNOWN };
    uint64_t depth = 0; /* in a handler TF is clear */
    bool is_event;

    if (!record->place->model->needs_amd_lbr_v2 || record->workload->packed ||
        record->transfer.from == BRANCH_UNKNOWN ||
        !is_outside(record, record->transfer.from))
        return false;
    expected_of(&expected, record->workload, record->at, record->call, record->back, NULL);
    for (; expected.source.next(&expected.source, &t); before = t) {
        is_event = t.kind == KIND_INT || t.kind == KIND_EXC;
        if (is_event && !depth && record->transfer.to - before.to <= t.from - before.to)
            return true;
        depth += is_event;
        depth -= depth && t.kind == KIND_IRET;
    }
    return false;
}

/* True if only events in handlers, where TF is clear, lead to this handler. */
static bool is_of_nested(const struct rule_record *record)
{
    bool nested = false, others = false;

    for (size_t i = 0; i < record->events->count; i++) {
        const struct event *event = &record->events->at[i];

        if (event->entry != record->transfer.to)
            continue;
        if (event->from == record->transfer.from)
            return event->nested;
        nested = nested || event->nested;
        others = others || !event->nested;
    }
    return nested && !others;
}

static bool is_stop_in_handler(const struct rule_record *record)
{
    if (record->class != EXTRA)
        return false;
    return rule_stub_at(record, record->transfer.to) ? !is_of_nested(record)
                                                     : leads_to_event(record);
}

/* The newest LBR record is then the IRETQ of the stop before. */
static bool is_stop_after_untaken(const struct rule_record *record)
{
    const struct transfer *t = &record->transfer;

    return record->class == EXTRA && !is_outside(record, t->to) &&
           !is_stop_in_handler(record) &&
           (t->from == BRANCH_UNKNOWN ? follows_jcc(record, t->to)
                                      : is_outside(record, t->from));
}

static const struct rule rows[] = {
    {
        .name = "btf-from",
        .sentence = "FROM is unknown, because a #DB reports only the branch target.",
        .source = "SDM vol. 3B, \"Single-Stepping on Branches\"",
        .confidence = STATED,
        .applies = stops_at_branches,
        .workload = "loop",
    },
    {
        .name = "btf-untaken",
        .sentence = "BTF does not stop after a conditional branch that is not taken.",
        .source = CONTROL_TRANSFER ": \"every branch instruction\"; one Zen 2 did not stop "
                                   "there (wilvk/asm-test 65b4bea4, "
                                   "examples/test_hwtrace.c)",
        .confidence = UNCONFIRMED,
        .applies = is_unsure,
        .explains = is_stop_after_untaken, /* tools/judge/unconfirmed.c has the rest */
        .of_straight = true,
        .of_all = true, /* tools/judge/untaken.c counts them */
        .workload = "jcc_not",
    },
    {
        .name = "btf-handler",
        .sentence =
            "BTF does not stop at the entry of a handler, because TF is clear there.",
        .source = CONTROL_TRANSFER ": \"interrupt, or exception\"",
        .confidence = UNCONFIRMED,
        .applies = is_unsure,
        .explains = is_stop_in_handler,
        .of_all = true,
        .workload = "int",
    },
};
RULE_TABLE(btf_rules, rows);
