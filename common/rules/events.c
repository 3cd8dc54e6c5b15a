/*
 * Interrupts and exceptions as branches: what FROM is.
 *
 * A record of an event leads from the instruction at which it was taken to its handler. The
 * manuals say which instruction that is for each class of events.  A REP string instruction
 * is one instruction, however often it repeats, and an interrupt may come between two of
 * its iterations.
 */
#include "rule.h"

#define REPNE 0xf2
#define REP   0xf3
#define REX   0x40 /* to 0x4f */

uint64_t rule_repeats(const struct rule_record *record, uint64_t at)
{
    const uint64_t offset = at - record->at;
    const uint8_t *code;
    uint64_t i = 1;
    uint8_t opcode;

    if (offset >= record->workload->size || record->workload->size - offset < 2)
        return 0;
    code = record->workload->code + offset;
    if (code[0] != REP && code[0] != REPNE)
        return 0;
    i += (code[i] & 0xf0) == REX;
    if (offset + i >= record->workload->size)
        return 0;
    opcode = code[i];
    return (opcode >= 0x6c && opcode <= 0x6f) || (opcode >= 0xa4 && opcode <= 0xa7) ||
                   (opcode >= 0xaa && opcode <= 0xaf)
               ? i + 1
               : 0;
}

/* From the instruction to itself, or to the next one. */
static bool is_iteration(const struct rule_record *record)
{
    const struct transfer *t = &record->transfer;
    const uint64_t length = rule_repeats(record, t->from);

    return record->class == EXTRA && length &&
           (t->to == t->from || t->to == t->from + length);
}

/* True if only FROM of the interrupt differs, which is the next instruction's. */
static bool is_interrupt_of_rep(const struct rule_record *record)
{
    const struct transfer *t = &record->transfer;
    const uint64_t length = rule_repeats(record, t->from);

    return record->class == WRONG_FROM && record->other && length &&
           rule_stub_at(record, t->to) && record->other->from == t->from + length;
}

static const struct rule rows[] = {
    {
        .name = "event-software",
        .sentence = "For INT n, INT3 and INTO, FROM is the address of the instruction, not "
                    "the return address that it pushes.",
        .source = "SDM vol. 2A, \"INT n/INTO/INT3/INT1\": all three are software "
                  "interrupts; vol. 3C, \"Control Flow Information Packets\"",
        .confidence = STATED,
        .applies = place_records,
        .workload = "int3",
    },
    {
        .name = "event-fault",
        .sentence = "For a fault, FROM is the address of the faulting instruction.",
        .source = "SDM vol. 3B, \"LBR Stack for Processors Based on Intel NetBurst "
                  "Microarchitecture\"",
        .confidence = STATED,
        .applies = place_records,
        .workload = "pf",
    },
    {
        .name = "event-rep",
        .sentence = "The iterations of a REP string instruction are not recorded as "
                    "branches.",
        .source = "no list of branches names it",
        .confidence = DERIVED,
        .applies = place_records,
        .explains = is_iteration,
        .of_straight = true,
        .of_all = true,
        .workload = "rep",
    },
    {
        .name = "event-interrupt",
        .sentence = "For an interrupt, FROM is the address of the instruction that would "
                    "have executed next.",
        .source = "SDM vol. 3C, \"Control Flow Information Packets\"",
        .confidence = STATED,
        .applies = place_records,
        .workload = "timer",
    },
    {
        .name = "event-interrupted-rep",
        .sentence =
            "For an interrupt between two iterations of a REP string instruction, FROM is "
            "the address of that instruction.",
        .source = "SDM vol. 2B, \"REP/REPE/REPZ/REPNE/REPNZ\"",
        .confidence = DERIVED,
        .applies = place_records,
        .explains = is_interrupt_of_rep,
        .of_ends = true,
        .workload = "self_ipi",
    },
};
RULE_TABLE(event_rules, rows);
