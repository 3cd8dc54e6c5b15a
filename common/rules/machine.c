/*
 * What must be so of a machine, beside its runs: its facilities, its processors, its
 * firmware and its files; and of all its runs together.
 */
#include "rule.h"

#define PROJECT "this project"

static const struct rule rows[] = {
    {
        .name = "facility-manual",
        .sentence = "A facility behaves as the manual says.",
        .source = "the manuals, by the titles in the file of each method's rules",
        .confidence = STATED,
    },
    {
        .name = "facility-platform",
        .sentence = "A facility gives a result that its platform is known for.",
        .source = "common/facts/platform.c: everybranch list platforms",
        .confidence = STATED,
    },
    {
        .name = "facility-same",
        .sentence = "A facility that is probed again gives the same result.",
        .source = PROJECT,
        .confidence = STATED,
    },
    {
        .name = "facility-effect",
        .sentence = "No run passes if it needs a facility that has no effect.",
        .source = PROJECT,
        .confidence = STATED,
    },
    {
        .name = "methods-agree",
        .sentence =
            "Two methods show the same trace of a workload, as far as both can see it.",
        .source = PROJECT,
        .confidence = STATED,
    },
    {
        .name = "tries-few",
        .sentence =
            "Because SMIs, errata, and interrupts later than the probe's are rare, at "
            "most three tries of short runs differ, and one more for each 1,000 "
            "records.",
        .source = PROJECT ": the numbers are chosen",
        .confidence = STATED,
    },
    {
        .name = "pmi-late-few",
        .sentence =
            "At most three runs, and one more for each eight runs with interrupts, lack a "
            "last interrupt, or records in gaps, or have interrupts, that were more than "
            "twice as late as those of the probe, without the latest of them, were on "
            "average.",
        .source = PROJECT ": the numbers are chosen",
        .confidence = STATED,
    },
    {
        .name = "log-passes",
        .sentence = "At least one run of a log passes.",
        .source = PROJECT ", with --no-skip",
        .confidence = STATED,
    },
    {
        .name = "firmware-alive",
        .sentence = "The firmware works each time it has the machine back.",
        .source = PROJECT,
        .confidence = STATED,
    },
    {
        .name = "files-loaded",
        .sentence = "Each file of workloads on the stick is loaded.",
        .source = PROJECT ", with --no-skip",
        .confidence = STATED,
    },
    {
        .name = "processors-start",
        .sentence = "Each processor that is to take part starts.",
        .source = PROJECT,
        .confidence = STATED,
    },
    {
        .name = "processors-return",
        .sentence = "Each processor comes back from its runs.",
        .source = PROJECT,
        .confidence = STATED,
    },
    {
        .name = "processors-together",
        .sentence =
            "In a round, the recorders of all processors are armed at the same time.",
        .source = PROJECT,
        .confidence = STATED,
    },
};
RULE_TABLE(machine_rules, rows);
