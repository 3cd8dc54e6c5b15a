/*
 * AMD's branch sampling (BRS, Zen 3): after a counter overflows, the processor records the
 * next branches until its entries are full, and then interrupts.
 *
 * So the records are segments of the trace, with gaps between them.
 */
#include "rule.h"

#define LINUX_BRS "Linux, arch/x86/events/amd/brs.c"

static bool samples_segments(const struct rule_place *place)
{
    return !place->method->silent && !place->method->sampled &&
           place->method->sampled_windows;
}

static const struct rule rows[] = {
    {
        .name = "brs-segments",
        .sentence = "BRS records only segments of consecutive branches: those after an "
                    "overflow, as many as BRS has entries, and then it interrupts.",
        .source = LINUX_BRS,
        .confidence = STATED,
        .applies = samples_segments,
        .workload = "recursion",
        .property = "bt-drop",
    },
    {
        .name = "brs-between",
        .sentence = "Neither the branch that overflows the counter nor any branch between "
                    "two segments is recorded.",
        .source = LINUX_BRS,
        .confidence = DERIVED,
        .applies = samples_segments,
        .of_no_record = true,
        .workload = "recursion",
    },
    {
        .name = "brs-last",
        .sentence = "The last segment holds only the branches that were sampled before the "
                    "counter was stopped, which may be none, and lacks older ones only as "
                    "far as an interrupt may be late.",
        .source = LINUX_BRS,
        .confidence = DERIVED,
        .applies = samples_segments,
        .of_no_record = true,
        .workload = "recursion",
    },
    {
        .name = "brs-rest",
        .sentence = "The last segment has one record for each branch that was counted "
                    "after the one that began it.",
        .source = LINUX_BRS "; no source says whether a processor keeps them when the "
                            "counter is stopped",
        .confidence = DERIVED,
        .applies = samples_segments,
        .platform = ON_EMULATOR,
        .of_run = true,
        .of_no_record = true,
        .workload = "recursion",
    },
};
RULE_TABLE(brs_rules, rows);
