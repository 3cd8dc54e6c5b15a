/*
 * The rules are rows of common/rules; the flaws, which are rows here, name them.
 */
#include "rules.h"

static const struct {
    const char *rule;
    const char *counted;
} rules[RULES] = {
    [RULE_FROM] = { "record-from", "records" },
    [RULE_TARGET] = { "record-target", "records" },
    [RULE_PLACE] = { "record-place", "records" },
    [RULE_RETURN] = { "record-return", "records" },
    [RULE_STRAIGHT] = { "record-straight", "pairs" },
    [RULE_ORDER] = { "record-order", "pairs" },
    [RULE_NEWEST] = { "record-once", "stacks" },
    [RULE_RING] = { "record-ring", "records" },
    [RULE_BTS_RING] = { "bts-ring-from", "records" },
    [RULE_CALLS] = { "callstack-open", "records" },
    [RULE_NESTED] = { "record-nested", "pairs" },
    [RULE_MISPREDICTED] = { "record-mispredicted", "records" },
    [RULE_CYCLES] = { "record-cycles", "records" },
    [RULE_PACKET] = { "pt-packet", "packets" },
    [RULE_PATH] = { "pt-decodes", "branches" },
};

const struct rule *rule_of(enum audit_rule rule)
{
    return rule_named(rules[rule].rule);
}

const char *rule_counts(enum audit_rule rule)
{
    return rules[rule].counted;
}

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
                      .about = "FROM is an instruction right before the branch",
                      .known_by = "lbr-fused-further" },
    [FOUND_WRONG_TO] = { .rule = RULE_TARGET,
                         .class = WRONG_TO,
                         .name = "wrong_to",
                         .about = "a direct branch does not lead to its target" },
    [FOUND_NO_CODE] = { .rule = RULE_PLACE,
                        .class = WRONG_TO,
                        .name = "no_code",
                        .about = "an indirect branch does not lead to an instruction" },
    [FOUND_RETURN] = { .rule = RULE_RETURN,
                       .class = SAME,
                       .name = "return",
                       .about = "a return leads to an address that no call precedes" },
    [FOUND_LOST] = { .rule = RULE_STRAIGHT,
                     .class = LOST,
                     .name = "lost",
                     .about = "a record is missing between two" },
    [FOUND_DOUBLED] = { .rule = RULE_STRAIGHT,
                        .class = DOUBLED,
                        .name = "doubled",
                        .about = "a record appears twice, but the code cannot repeat it" },
    [FOUND_DOUBLED_NEWEST] = { .rule = RULE_NEWEST,
                               .class = DOUBLED,
                               .name = "doubled_newest",
                               .about = "the newest record is a copy of the one before",
                               .known_by = "lbr-doubled" },
    [FOUND_DOUBLED_ADDED] = { .rule = RULE_STRAIGHT,
                              .class = DOUBLED,
                              .name = "doubled_added",
                              .about = "a branch follows its own copy, which the code "
                                       "cannot do",
                              .known_by = "lbr-doubled" },
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
    [FOUND_FROM_KERNEL] = { .rule = RULE_BTS_RING,
                            .class = EXTRA,
                            .name = "from_kernel",
                            .about = "a record of BTS leads out of ring 0, which is "
                                     "filtered out" },
    [FOUND_FROM_USER] = { .rule = RULE_BTS_RING,
                          .class = EXTRA,
                          .name = "from_user",
                          .about = "a record of BTS leads out of ring 3, which is filtered "
                                   "out" },
    [FOUND_NO_CALL] = { .rule = RULE_CALLS,
                        .class = EXTRA,
                        .name = "no_call",
                        .about = "a record is not of a call" },
    [FOUND_OTHER_FUNCTION] = { .rule = RULE_NESTED,
                               .class = LOST,
                               .name = "other_function",
                               .about = "a call is in a function that the previous call "
                                        "cannot reach" },
    [FOUND_MISSED_DIRECT] = { .rule = RULE_MISPREDICTED,
                              .class = SAME,
                              .name = "mispredicted_direct",
                              .about = "a direct JMP or CALL is marked as mispredicted",
                              .known_by = "record-direct" },
    [FOUND_MISSED_NO_FIELD] = { .rule = RULE_MISPREDICTED,
                                .class = SAME,
                                .name = "mispredicted_no_field",
                                .about = "mispredicted is set, but these records have no "
                                         "such field" },
    [FOUND_CYCLES_NO_FIELD] = { .rule = RULE_CYCLES,
                                .class = SAME,
                                .name = "cycles_no_field",
                                .about = "cycles are given, but these records have no such "
                                         "field" },
    [FOUND_PACKET] = { .rule = RULE_PACKET,
                       .class = SAME,
                       .name = "packet",
                       .about = "bytes are not a packet that the manual lists" },
    [FOUND_PATH] = { .rule = RULE_PATH,
                     .class = SAME,
                     .name = "path",
                     .about = "packets do not fit the code" },
};

/* True if the rule accounts for records of an LBR stack on that processor. */
static bool holds_on(const struct rule *rule, const struct model *model)
{
    const struct rule_place place = { .method = method_named("lbr"), .model = model };

    return !rule->applies || rule_holds(rule, &place);
}

const struct rule *flaw_known_by(enum flaw flaw, const struct model *model)
{
    const char *name = flaw_rows[flaw].known_by;
    const struct rule *rule = name ? rule_named(name) : NULL;

    return rule && holds_on(rule, model) ? rule : NULL;
}

const struct model *flaw_known_on(enum flaw flaw)
{
    for (size_t i = 0; i < model_count; i++)
        if (flaw_known_by(flaw, &models[i]))
            return &models[i];
    return NULL;
}

enum weight flaw_weight(enum flaw flaw, const struct model *model)
{
    if (flaw_known_by(flaw, model))
        return WEIGHT_KNOWN;
    return is_confirmed(rule_of(flaw_rows[flaw].rule)->confidence) ? WEIGHT_BROKEN
                                                                   : WEIGHT_SOFTWARE;
}

const char *weight_name(enum weight weight)
{
    static const char *const names[] = {
        [WEIGHT_SOFTWARE] = "software", [WEIGHT_KNOWN] = "known", [WEIGHT_BROKEN] = "broken"
    };

    return names[weight];
}
