/*
 * What must be so of every run, whatever its method: its records, its end and its result.
 *
 * These rules are this project's own.  They hold because the expected trace is that of the
 * architecture: what a method or a model does not show of it, the other rules say.
 */
#include "rule.h"

#define PROJECT "this project"

static const struct rule rows[] = {
    {
        .name = "run-ends",
        .sentence = "A run ends, and so does each repetition of it.",
        .source = PROJECT ": each workload ends when it is executed natively",
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .workload = "loop",
    },
    {
        .name = "run-records",
        .sentence = "The records of a run are the branches of the expected trace that its "
                    "method shows, in the same order.",
        .source = PROJECT ": each expected trace was checked by native single-stepping",
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .workload = "loop",
        .property = "bt-drop",
    },
    {
        .name = "run-steady",
        .sentence = "A repeated run that no SMI or NMI hits has the same records.",
        .source = PROJECT ": errata of power states and throttling are met at random",
        .confidence = DERIVED,
        .applies = rule_is_of_any,
        .of_run = true,
        .of_no_record = true, /* tools/judge/smi.c compares the tries */
        .workload = "loop",
        .property = "bt-wrong-from",
    },
    {
        .name = "run-same",
        .sentence = "What an unconfirmed rule says of all records of a kind holds in all "
                    "runs on a processor, or in none.",
        .source = PROJECT ": such a rule speaks of how processors are made",
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .of_no_record = true, /* tools/judge/properties.c compares the runs */
        .workload = "int",
    },
    {
        .name = "run-result",
        .sentence = "A program in C returns what it returns when it is executed natively.",
        .source = PROJECT,
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .workload = "quicksort",
    },
    {
        .name = "run-loss",
        .sentence =
            "A method loses no record, except those that another rule says are lost.",
        .source = PROJECT,
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .workload = "loop",
    },
    {
        .name = "run-made",
        .sentence =
            "On the emulator a run is made if the model's row has all that it needs.",
        .source = PROJECT ", with --no-skip",
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .workload = "loop",
    },
    {
        .name = "run-filter",
        .sentence = "A filter that is written to its register can be read back from it.",
        .source = PROJECT ": the model's row says which bits are not reserved",
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .workload = "kinds",
    },
    {
        .name = "build-same",
        .sentence =
            "A program in C is compared with its expected trace if the same compiler "
            "made the image and this program.",
        .source = PROJECT ", with --no-skip",
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .workload = "quicksort",
    },
    {
        .name = "build-way",
        .sentence =
            "The records of a program in C lead through its code in the log, whichever "
            "compiler made it.",
        .source = PROJECT,
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .workload = "quicksort",
    },
    {
        .name = "build-packets",
        .sentence =
            "The packets of a program in C fit its code in the log, whichever compiler "
            "made it.",
        .source = PROJECT,
        .confidence = STATED,
        .applies = rule_is_of_any,
        .of_run = true,
        .workload = "quicksort",
    },
};
RULE_TABLE(run_rules, rows);
