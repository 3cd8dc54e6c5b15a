/*
 * What must be so of the lines of a log, whatever any processor does.
 *
 * The kernel and `here` write no log that breaks one of these rules, so it is an error: the
 * log is damaged or made up, or this program is wrong.  Of its processor it says nothing.
 */
#include "rule.h"

#define PROJECT "this project: docs/log.md"

static const struct rule rows[] = {
    {
        .name = "log-whole",
        .sentence = "No line of a run is lost or damaged.",
        .source = PROJECT,
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .of_log = true,
        .workload = "loop",
    },
    {
        .name = "log-packed",
        .sentence = "Packed records unpack to as many records as were packed.",
        .source = PROJECT,
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .of_log = true,
        .workload = "million",
    },
    {
        .name = "log-run",
        .sentence = "The line run agrees with the lines before it: a run is made only with "
                    "what it needs, and all runs of a boot have the same settings.",
        .source = PROJECT,
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .of_log = true,
        .workload = "loop",
    },
    {
        .name = "log-ran",
        .sentence =
            "The numbers of the lines ran and cost agree with each other and with the "
            "records of the run.",
        .source = PROJECT,
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .of_log = true,
        .workload = "loop",
    },
    {
        .name = "log-time",
        .sentence =
            "A run takes at least one tick of the TSC for each event, and one for each "
            "256 branches or instructions.",
        .source = PROJECT ": no clock is more than a few times that of the TSC",
        .confidence = DERIVED,
        .applies = rule_is_of_any,
        .of_run = true,
        .of_no_record = true,
        .of_log = true,
        .workload = "loop",
    },
    {
        .name = "log-flag",
        .sentence = "A stop of `step` says taken or not-taken if, and only if, it is at a "
                    "conditional branch to the next instruction.",
        .source = PROJECT,
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .of_log = true,
        .workload = "jcc_next",
    },
    {
        .name = "log-skip",
        .sentence = "The rest of the log confirms the reason why a run was skipped.",
        .source = PROJECT,
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .of_log = true,
        .workload = "loop",
    },
};
RULE_TABLE(log_rules, rows);
