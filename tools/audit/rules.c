/*
 * Sources name manuals by title; "recordings" are those that tests/silicon/recordings
 * lists, with their sums.
 */
#include "rules.h"

#define LBR_STACK "SDM vol. 3B, \"LBR Stack\""

const struct rule_row rule_rows[RULES] = {
    [RULE_FROM] = { "from", "FROM is a branch instruction", "records",
                    LBR_STACK "; AMD64 APM vol. 2, \"Last Branch Stack Registers\"; "
                              "recordings of Westmere and Skylake-SP",
                    "stated" },
    [RULE_TARGET] = { "target", "TO of a direct branch is its target", "records",
                      LBR_STACK "; recordings of Westmere and Skylake-SP", "stated" },
    [RULE_PLACE] = { "place", "an indirect branch leads to an instruction", "records",
                     LBR_STACK, "stated" },
    [RULE_RETURN] = { "return", "a return goes to the instruction after a call", "records",
                      "SDM vol. 1, \"Calling Procedures Using CALL and RET\": by "
                      "convention "
                      "of programs",
                      "derived" },
    [RULE_STRAIGHT] = { "straight", "straight code leads from each TO to the next FROM",
                        "pairs",
                        "SDM vol. 3B, \"LBR, BTS and BTM\": all taken branches are "
                        "recorded; "
                        "recording of Westmere",
                        "stated" },
    [RULE_ORDER] = { "order", "neighbours are in the order in which they ran", "pairs",
                     LBR_STACK " and \"Top-of-Stack Pointer\"; recording of Westmere",
                     "stated" },
    [RULE_NEWEST] = { "newest", "the newest record is no copy of the one before", "stacks",
                      LBR_STACK ": one record for each branch; recording of Westmere",
                      "stated" },
    [RULE_RING] = { "ring", "no record ends in a ring that is filtered out", "records",
                    "SDM vol. 4, MSR_LBR_SELECT: CPL_EQ_0, CPL_NEQ_0; Zide Chen (Intel), "
                    "linux-perf-users, 2026-04-30",
                    "stated" },
    [RULE_CALLS] = { "calls", "call-stack mode: each record is of a call", "records",
                     "SDM vol. 3B, \"LBR Call Stack\"; recording of Coffee Lake",
                     "stated" },
    [RULE_NESTED] = { "nested", "call-stack mode: each call is of the one called before",
                      "pairs", "SDM vol. 3B, \"LBR Call Stack\"; recording of Coffee Lake",
                      "stated" },
    [RULE_MISPREDICTED] = { "mispredicted", "mispredicted is set where it can be",
                            "records", LBR_STACK ": MISPRED", "stated" },
    [RULE_CYCLES] = { "cycles", "cycles are counted where they can be", "records",
                      "SDM vol. 3B, \"LBR Stack and IA32_PERF_CAPABILITIES\"", "stated" },
};

const struct flaw_row flaw_rows[FLAWS] = {
    [FOUND_NO_BRANCH] = { RULE_FROM, WRONG_FROM, "no_branch",
                          "nothing at FROM leads to TO" },
    [FOUND_SHIFTED] = { RULE_FROM, WRONG_FROM, "shifted",
                        "FROM is a few bytes away from the branch" },
    [FOUND_FUSED] = { RULE_FROM, WRONG_FROM, "fused",
                      "FROM is an instruction right before the branch" },
    [FOUND_WRONG_TO] = { RULE_TARGET, WRONG_TO, "wrong_to",
                         "a direct branch leads elsewhere than to its target" },
    [FOUND_NO_CODE] = { RULE_PLACE, WRONG_TO, "no_code",
                        "an indirect branch leads to what is no instruction" },
    [FOUND_RETURN] = { RULE_RETURN, SAME, "return",
                       "a return leads to where no call is before" },
    [FOUND_LOST] = { RULE_STRAIGHT, LOST, "lost", "a record is missing between two" },
    [FOUND_DOUBLED] = { RULE_STRAIGHT, DOUBLED, "doubled",
                        "a record is there twice, and the code cannot repeat it" },
    [FOUND_DOUBLED_NEWEST] = { RULE_NEWEST, DOUBLED, "doubled_newest",
                               "the newest record is a copy of the one before" },
    [FOUND_DOUBLED_ADDED] = { RULE_STRAIGHT, DOUBLED, "doubled_added",
                              "a branch follows its own copy, which the code cannot do" },
    [FOUND_EXCHANGED] = { RULE_ORDER, WRONG_ORDER, "exchanged",
                          "two neighbours have changed places" },
    [FOUND_REVERSED] = { RULE_ORDER, WRONG_ORDER, "reversed", "a stack is oldest first" },
    [FOUND_ROTATED] = { RULE_ORDER, WRONG_ORDER, "rotated",
                        "a stack begins at the wrong entry: its top is miscounted" },
    [FOUND_KERNEL] = { RULE_RING, EXTRA, "kernel",
                       "a record ends in ring 0, which is filtered out" },
    [FOUND_USER] = { RULE_RING, EXTRA, "user",
                     "a record ends in ring 3, which is filtered out" },
    [FOUND_NO_CALL] = { RULE_CALLS, EXTRA, "no_call", "a record is of no call" },
    [FOUND_OTHER_FUNCTION] = { RULE_NESTED, LOST, "other_function",
                               "a call is of a function that the one called before cannot "
                               "come to" },
    [FOUND_MISSED_DIRECT] = { RULE_MISPREDICTED, SAME, "mispredicted_direct",
                              "a direct JMP or CALL is marked as mispredicted" },
    [FOUND_MISSED_NO_FIELD] = { RULE_MISPREDICTED, SAME, "mispredicted_no_field",
                                "mispredicted is set, and these records have no such "
                                "field" },
    [FOUND_CYCLES_NO_FIELD] = { RULE_CYCLES, SAME, "cycles_no_field",
                                "cycles are given, and these records have no such field" },
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
