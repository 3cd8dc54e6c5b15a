/*
 * Interrupts of a performance counter (PMI), and what is made of them.
 *
 * A counter interrupts each time it overflows, some branches late: no manual bounds how
 * late.  The authors of rr met 100 conditional branches and more on Intel, and 10,000 and
 * more on Zen; so the probe measures it on each machine.  The method pmi shows only where
 * each interrupt was taken.  The method lbr-stream reads the LBR stack at each, and joins
 * the readings to one trace, as long as two readings overlap.  The counter of LBR inserts
 * counts each record that enters the stack, even if a later one pushes it out.
 */
#include "rule.h"

#define INSERTS_SOURCE                                                                   \
    "Intel's events in Linux, tools/perf/pmu-events/arch/x86/alderlaken/pipeline.json, " \
    "MISC_RETIRED.LBR_INSERTS: \"Counts the number of LBR entries recorded\""

static bool joins_stacks(const struct rule_place *place)
{
    return place_records(place) && place->method->counter_driven &&
           !place->method->sampled_windows;
}

static bool samples(const struct rule_place *place)
{
    return !place->method->silent && place->method->sampled;
}

static bool counts_inserts(const struct rule_place *place)
{
    return !place->method->silent && place->method->ring_lbr && place->model &&
           place->model->needs_arch_lbr;
}

static bool is_interrupted(const struct rule_place *place)
{
    return !place->method->silent && method_is_interrupted(place->method);
}

static bool has_gaps(const struct rule_place *place)
{
    return place_records(place) && method_is_interrupted(place->method) &&
           !place->method->sampled_windows;
}

static const struct rule rows[] = {
    {
        .name = "stream-interrupts",
        .sentence = "The records of the counter's interrupts (entry and IRETQ) are removed "
                    "from the trace.",
        .source = "SDM vol. 3B, \"Generating an Interrupt on Overflow\"",
        .confidence = STATED,
        .applies = joins_stacks,
        .workload = "recursion",
        .property = "bt-double",
    },
    {
        .name = "stream-overlap",
        .sentence =
            "The trace is complete if, at each interrupt, the LBR stack still holds "
            "the IRETQ of the previous one.",
        .source = "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording\"",
        .confidence = DERIVED,
        .applies = joins_stacks,
        .of_no_record = true,
        .workload = "recursion",
    },
    {
        .name = "pmi-stop",
        .sentence =
            "Each stop is the address at which the interrupt was taken, which may be "
            "several branches after the overflow.",
        .source = "SDM vol. 3B, \"Generating an Interrupt on Overflow\"",
        .confidence = STATED,
        .applies = samples,
        .workload = "wt",
        .property = "bt-lose-pmi",
    },
    {
        .name = "pmi-event",
        .sentence = "Of the taken branches, only those that the selected event counts "
                    "advance the counter.",
        .source = "common/facts/pmu.c",
        .confidence = DERIVED,
        .applies = samples,
        .of_no_record = true,
        .workload = "kinds",
    },
    {
        .name = "pmi-late",
        .sentence = "An interrupt delivered as NMI is at most twice as late as the latest "
                    "one of the probe.",
        .source = "no manual gives a bound; rr, src/PerfCounters_x86.h",
        .confidence = DERIVED,
        .applies = is_interrupted,
        .of_run = true,
        .of_no_record = true, /* tools/judge/lateness.c compares the sums */
        .workload = "recursion",
        .property = "bt-late-nmi",
    },
    {
        .name = "pmi-last",
        .sentence =
            "The window may close before the last interrupt is taken, if that is no "
            "later than those of the probe.",
        .source = "a run in a guest of KVM, whose last interrupt was one event late",
        .confidence = DERIVED,
        .applies = is_interrupted,
        .of_run = true,
        .of_no_record = true,
        .workload = "recursion",
        .property = "bt-lose-pmi",
    },
    {
        .name = "stream-gaps",
        .sentence = "Only branches that ran while an interrupt was late are missing from a "
                    "stream.",
        .source = "SDM vol. 3B, \"Generating an Interrupt on Overflow\"",
        .confidence = DERIVED,
        .applies = has_gaps,
        .of_run = true,
        .of_no_record = true,
        .workload = "recursion",
        .property = "bt-drop",
    },
    {
        .name = "inserts-records",
        .sentence =
            "Where CPUID enumerates the event LBR inserts, its counter counts every "
            "record that enters the LBR stack.",
        .source = INSERTS_SOURCE,
        .confidence = STATED,
        .applies = counts_inserts,
        .workload = "loop",
        .property = "bt-set-0a-ebx",
    },
    {
        .name = "inserts-alone",
        .sentence = "The counter of LBR inserts counts nothing else: except in call-stack "
                    "mode, it equals the number of records that an unlimited stack would "
                    "hold.",
        .source = INSERTS_SOURCE,
        .confidence = DERIVED,
        .applies = counts_inserts,
        .of_no_record = true,
        .workload = "recursion",
    },
};
RULE_TABLE(counter_rules, rows);
