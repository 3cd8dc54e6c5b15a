/*
 * The branch traces of other tools, which `audit` compares with the code that ran.
 *
 * Nothing says which branches such a program took, so these rules speak of one record and
 * its fields, or of two neighbours.  A wrong trace can keep them: a record that is lost
 * shows only if the code cannot run straight past its branch.  Where such a trace must keep
 * a rule that `check` also uses, the row is in the file of its mechanism: callstack-open,
 * bts-ring-from, pt-decodes.  lbr-doubled and lbr-fused-further account for two findings;
 * so does record-direct here, which permits and forbids nothing.
 *
 * Sources name manuals by title; "recordings" are those that tests/silicon/recordings
 * lists, with their sums.
 */
#include "rule.h"

#define LBR_STACK "SDM vol. 3B, \"LBR Stack\""
#define FIELDS    "SDM vol. 3B, \"LBR Stack and IA32_PERF_CAPABILITIES\""

static const struct rule rows[] = {
    {
        .name = "record-from",
        .sentence = "FROM of a record is the address of a branch instruction.",
        .source = LBR_STACK "; AMD64 APM vol. 2, \"Last Branch Stack Registers\"; "
                            "recordings of Westmere and Skylake-SP",
        .confidence = STATED,
        .of_audit = true,
    },
    {
        .name = "record-target",
        .sentence = "TO of a direct branch is the target that the instruction encodes.",
        .source = LBR_STACK "; recordings of Westmere and Skylake-SP",
        .confidence = STATED,
        .of_audit = true,
    },
    {
        .name = "record-place",
        .sentence = "TO of an indirect branch is the address of an instruction.",
        .source = LBR_STACK,
        .confidence = STATED,
        .of_audit = true,
    },
    {
        .name = "record-return",
        .sentence = "RET goes to the instruction after a CALL, except in programs that use "
                    "retpolines, coroutines or longjmp().",
        .source = "a convention of programs: SDM vol. 1, \"Calling Procedures Using CALL "
                  "and RET\"",
        .confidence = DERIVED,
        .of_audit = true,
    },
    {
        .name = "record-straight",
        .sentence = "Between TO of a record and FROM of the next one no branch is taken, "
                    "because each taken branch is recorded.",
        .source = "SDM vol. 3B, \"Monitoring Branches, Exceptions, and Interrupts\"; "
                  "recording of Westmere",
        .confidence = STATED,
        .of_audit = true,
    },
    {
        .name = "record-order",
        .sentence = "Neighbouring records are in the order in which their branches were "
                    "taken.",
        .source = LBR_STACK ": the top of the stack is the newest; recording of Westmere",
        .confidence = STATED,
        .of_audit = true,
    },
    {
        .name = "record-once",
        .sentence = "The newest record of a stack is not a copy of the record before it.",
        .source = LBR_STACK ": one record for each branch; recording of Westmere",
        .confidence = STATED,
        .of_audit = true,
    },
    {
        .name = "record-ring",
        .sentence =
            "No record of a stack has its TO in a ring that is filtered out, and no "
            "record of BTS has both of its ends there.",
        .source = "SDM vol. 3B, \"Filtering of Last Branch Records\": CPL_EQ_0, CPL_NEQ_0, "
                  "and \"CPL-Qualified Branch Trace Mechanism\"; Zide Chen (Intel), "
                  "linux-perf-users, 2026-04-30",
        .confidence = STATED,
        .of_audit = true,
    },
    {
        .name = "record-nested",
        .sentence =
            "In call-stack mode the CALL of each record is in the function that the "
            "record before it called.",
        .source = "SDM vol. 3B, \"Last Branch, Call Stack, Interrupt, and Exception "
                  "Recording\"; recording of Coffee Lake",
        .confidence = STATED,
        .of_audit = true,
    },
    {
        .name = "record-mispredicted",
        .sentence = "A record is marked as mispredicted only if its format has that field "
                    "and the branch can be mispredicted.",
        .source = FIELDS,
        .confidence = STATED,
        .of_audit = true,
    },
    {
        .name = "record-direct",
        .sentence = "A direct JMP or CALL can be mispredicted, because the target of a "
                    "direct branch is predicted, too.",
        .source = "recording of an AVX-512 Xeon",
        .confidence = RECORDED,
        .of_audit = true,
    },
    {
        .name = "record-cycles",
        .sentence = "A record has a cycle count only if its format has that field.",
        .source = FIELDS,
        .confidence = STATED,
        .of_audit = true,
    },
    {
        .name = "pt-packet",
        .sentence = "Each packet of Processor Trace is one that the manual lists.",
        .source = "SDM vol. 3C, \"Intel Processor Trace\", \"Packet Definitions\"",
        .confidence = STATED,
        .of_audit = true,
    },
};
RULE_TABLE(audit_rules, rows);
