/*
 * Sources name manuals by title; "recordings" are those that tests/silicon/recordings
 * lists, with their sums.
 */
#include "rules.h"

#define LBR_STACK  "SDM vol. 3B, \"LBR Stack\""
#define CALL_STACK "SDM vol. 3B, \"LBR Call Stack\"; recording of Coffee Lake"
#define FIELDS     "SDM vol. 3B, \"LBR Stack and IA32_PERF_CAPABILITIES\""

const struct rule_row rule_rows[RULES] = {
    [RULE_FROM] = { .name = "from",
                    .about = "FROM is a branch instruction",
                    .counted = "records",
                    .source =
                        LBR_STACK "; AMD64 APM vol. 2, \"Last Branch Stack Registers\"; "
                                  "recordings of Westmere and Skylake-SP",
                    .confidence = STATED },
    [RULE_TARGET] = { .name = "target",
                      .about = "TO of a direct branch is its target",
                      .counted = "records",
                      .source = LBR_STACK "; recordings of Westmere and Skylake-SP",
                      .confidence = STATED },
    [RULE_PLACE] = { .name = "place",
                     .about = "an indirect branch leads to an instruction",
                     .counted = "records",
                     .source = LBR_STACK,
                     .confidence = STATED },
    [RULE_RETURN] = { .name = "return",
                      .about = "a return goes to the instruction after a call",
                      .counted = "records",
                      .source = "a convention of programs: SDM vol. 1, \"Calling "
                                "Procedures Using CALL and RET\"",
                      .confidence = DERIVED },
    [RULE_STRAIGHT] = { .name = "straight",
                        .about = "straight code leads from each TO to the next FROM",
                        .counted = "pairs",
                        .source =
                            "all taken branches are recorded: SDM vol. 3B, \"Monitoring "
                            "Branches, Exceptions, and Interrupts\"; recording of Westmere",
                        .confidence = STATED },
    [RULE_ORDER] = { .name = "order",
                     .about = "neighbours are in the order in which they ran",
                     .counted = "pairs",
                     .source = LBR_STACK
                     ": the top of the stack is the newest; recording of Westmere",
                     .confidence = STATED },
    [RULE_NEWEST] = { .name = "newest",
                      .about = "the newest record is no copy of the one before",
                      .counted = "stacks",
                      .source =
                          LBR_STACK ": one record for each branch; recording of Westmere",
                      .confidence = STATED },
    [RULE_RING] = { .name = "ring",
                    .about = "no record ends in a ring that is filtered out",
                    .counted = "records",
                    .source =
                        "SDM vol. 3B, \"Filtering of Last Branch Records\": CPL_EQ_0, "
                        "CPL_NEQ_0; Zide Chen (Intel), linux-perf-users, 2026-04-30",
                    .confidence = STATED },
    [RULE_CALLS] = { .name = "calls",
                     .about = "call-stack mode: each record is of a call",
                     .counted = "records",
                     .source = CALL_STACK,
                     .confidence = STATED },
    [RULE_NESTED] = { .name = "nested",
                      .about = "call-stack mode: a call is made by the one called before",
                      .counted = "pairs",
                      .source = CALL_STACK,
                      .confidence = STATED },
    [RULE_MISPREDICTED] = { .name = "mispredicted",
                            .about = "mispredicted is set where it can be",
                            .counted = "records",
                            .source = FIELDS,
                            .confidence = STATED },
    [RULE_CYCLES] = { .name = "cycles",
                      .about = "cycles are counted where they can be",
                      .counted = "records",
                      .source = FIELDS,
                      .confidence = STATED },
    [RULE_PACKET] = { .name = "packet",
                      .about = "each packet is one that the manual lists",
                      .counted = "packets",
                      .source = "SDM vol. 3C, \"Intel Processor Trace\", \"Packet "
                                "Definitions\"",
                      .confidence = STATED },
    [RULE_PATH] = { .name = "path",
                    .about = "the packets lead through the code",
                    .counted = "branches",
                    .source = "SDM vol. 3C, \"Intel Processor Trace\", \"Change of Flow "
                              "Instruction (COFI) Tracing\"",
                    .confidence = STATED },
};

const struct flaw_row flaw_rows[FLAWS] = {
    [FOUND_NO_BRANCH] = { .rule = RULE_FROM,
                          .class = WRONG_FROM,
                          .name = "no_branch",
                          .about = "nothing at FROM leads to TO" },
    [FOUND_SHIFTED] = { .rule = RULE_FROM,
                        .class = WRONG_FROM,
                        .name = "shifted",
                        .about = "FROM is a few bytes away from the branch" },
    [FOUND_FUSED] = { .rule = RULE_FROM,
                      .class = WRONG_FROM,
                      .name = "fused",
                      .about = "FROM is an instruction right before the branch" },
    [FOUND_WRONG_TO] = { .rule = RULE_TARGET,
                         .class = WRONG_TO,
                         .name = "wrong_to",
                         .about = "a direct branch leads elsewhere than to its target" },
    [FOUND_NO_CODE] = { .rule = RULE_PLACE,
                        .class = WRONG_TO,
                        .name = "no_code",
                        .about = "an indirect branch leads to what is no instruction" },
    [FOUND_RETURN] = { .rule = RULE_RETURN,
                       .class = SAME,
                       .name = "return",
                       .about = "a return leads to where no call is before" },
    [FOUND_LOST] = { .rule = RULE_STRAIGHT,
                     .class = LOST,
                     .name = "lost",
                     .about = "a record is missing between two" },
    [FOUND_DOUBLED] = { .rule = RULE_STRAIGHT,
                        .class = DOUBLED,
                        .name = "doubled",
                        .about = "a record is there twice, and the code cannot repeat it" },
    [FOUND_DOUBLED_NEWEST] = { .rule = RULE_NEWEST,
                               .class = DOUBLED,
                               .name = "doubled_newest",
                               .about = "the newest record is a copy of the one before" },
    [FOUND_DOUBLED_ADDED] = { .rule = RULE_STRAIGHT,
                              .class = DOUBLED,
                              .name = "doubled_added",
                              .about = "a branch follows its own copy, which the code "
                                       "cannot do" },
    [FOUND_EXCHANGED] = { .rule = RULE_ORDER,
                          .class = WRONG_ORDER,
                          .name = "exchanged",
                          .about = "two neighbours have changed places" },
    [FOUND_REVERSED] = { .rule = RULE_ORDER,
                         .class = WRONG_ORDER,
                         .name = "reversed",
                         .about = "a stack is oldest first" },
    [FOUND_ROTATED] = { .rule = RULE_ORDER,
                        .class = WRONG_ORDER,
                        .name = "rotated",
                        .about =
                            "a stack begins at the wrong entry: its top is miscounted" },
    [FOUND_KERNEL] = { .rule = RULE_RING,
                       .class = EXTRA,
                       .name = "kernel",
                       .about = "a record ends in ring 0, which is filtered out" },
    [FOUND_USER] = { .rule = RULE_RING,
                     .class = EXTRA,
                     .name = "user",
                     .about = "a record ends in ring 3, which is filtered out" },
    [FOUND_NO_CALL] = { .rule = RULE_CALLS,
                        .class = EXTRA,
                        .name = "no_call",
                        .about = "a record is of no call" },
    [FOUND_OTHER_FUNCTION] = { .rule = RULE_NESTED,
                               .class = LOST,
                               .name = "other_function",
                               .about = "a call is of a function that the one called "
                                        "before cannot come to" },
    [FOUND_MISSED_DIRECT] = { .rule = RULE_MISPREDICTED,
                              .class = SAME,
                              .name = "mispredicted_direct",
                              .about = "a direct JMP or CALL is marked as mispredicted" },
    [FOUND_MISSED_NO_FIELD] = { .rule = RULE_MISPREDICTED,
                                .class = SAME,
                                .name = "mispredicted_no_field",
                                .about = "mispredicted is set, and these records have no "
                                         "such field" },
    [FOUND_CYCLES_NO_FIELD] = { .rule = RULE_CYCLES,
                                .class = SAME,
                                .name = "cycles_no_field",
                                .about = "cycles are given, and these records have no such "
                                         "field" },
    [FOUND_PACKET] = { .rule = RULE_PACKET,
                       .class = SAME,
                       .name = "packet",
                       .about = "bytes are no packet that the manual lists" },
    [FOUND_PATH] = { .rule = RULE_PATH,
                     .class = SAME,
                     .name = "path",
                     .about = "packets do not fit the code" },
};

enum weight flaw_weight(enum flaw flaw, const struct model *model)
{
    switch (flaw) {
    case FOUND_RETURN:
        return WEIGHT_SOFTWARE;
    case FOUND_MISSED_DIRECT:
        return WEIGHT_KNOWN;
    case FOUND_DOUBLED_NEWEST:
    case FOUND_DOUBLED_ADDED:
        return model && model->lbr.doubles_newest ? WEIGHT_KNOWN : WEIGHT_BROKEN;
    case FOUND_FUSED:
        return model && model->lbr.fuses ? WEIGHT_KNOWN : WEIGHT_BROKEN;
    default:
        return WEIGHT_BROKEN;
    }
}

const char *weight_name(enum weight weight)
{
    static const char *const names[] = {
        [WEIGHT_SOFTWARE] = "software", [WEIGHT_KNOWN] = "known", [WEIGHT_BROKEN] = "broken"
    };

    return names[weight];
}

const char *flaw_known(enum flaw flaw, const struct model *model)
{
    bool is_known = flaw_weight(flaw, model) == WEIGHT_KNOWN;

    switch (flaw) {
    case FOUND_DOUBLED_NEWEST:
    case FOUND_DOUBLED_ADDED:
        if (is_known)
            return "the doubled newest record of the Skylake family "
                   "(llvm/llvm-project#147971, google/autofdo#223)";
        return model ? NULL
                     : "the Skylake family is known for it; the trace does not name its "
                       "processor: add --header to perf script, or --cpu=skylake here";
    case FOUND_FUSED:
        if (is_known)
            return "branch fusion of Zen 4 and later (Sandipan Das, AMD: "
                   "\"perf/x86/amd/lbr: "
                   "Use fusion-aware branch classifier\")";
        return model ? NULL
                     : "Zen 4 and later are known for it; the trace does not name its "
                       "processor: add --header to perf script, or --cpu=zen4 here";
    case FOUND_MISSED_DIRECT:
        return "a recording of an AVX-512 Xeon has such records: the target of a direct "
               "branch is predicted, too";
    case FOUND_RETURN:
        return "programs may do so: retpolines, coroutines, longjmp()";
    default:
        return NULL;
    }
}
