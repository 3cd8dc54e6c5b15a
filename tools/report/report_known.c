/*
 * Counts deviations that real processors are known for and manuals do not mention.
 *
 * None of them is a failure, but they matter to anyone who reads such records with
 * another tool.
 */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>

#include "rule.h"
#include "words.h"

/* True if the run shows the erratum and passes with it. */
static bool notes(const struct run *run, const struct rule *rule)
{
    for (size_t i = 0; i < run->findings.count; i++)
        if (run->findings.at[i].rule == rule && run->findings.at[i].verdict == PASS)
            return true;
    return false;
}

static void report_noted(const struct log *log)
{
    const struct rule *rule;

    for (size_t n = 0; (rule = rule_nth(n)); n++) {
        size_t count = 0;

        for (size_t i = 0; rule->errata && i < log->run_count; i++)
            count += notes(&log->runs[i], rule);
        if (count)
            printf("  %zu run%s show%s the erratum %s (%s)\n", count, plural(count),
                   count == 1 ? "s" : "", rule->name, rule->errata);
    }
}

/* In how many LBR stacks this rule was met. */
static void print_stacks(const struct log *log, const struct rule *rule)
{
    size_t stacks = 0, met = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        stacks += run->method->ring_lbr && !run->skipped && run->records > 1;
        met += run->method->ring_lbr && run_found_by(run, rule->name);
    }
    if (met)
        printf("  %zu of %zu LBR stacks %s\n", met, stacks, rule->reported);
}

void report_known(const struct log *log)
{
    const struct rule *rule;
    uint64_t fused = 0, entries = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        fused += run->fused;
        entries += run->ran.wrong_path;
    }
    if (fused)
        printf("  %" PRIu64 " record%s ha%s as FROM the instruction fused with the branch, "
               "not the branch\n",
               fused, plural(fused), fused == 1 ? "s" : "ve");
    if (entries)
        printf("  %" PRIu64
               " entr%s of the LBR stack %s taken by branches on the wrong path\n",
               entries, entries == 1 ? "y" : "ies", entries == 1 ? "was" : "were");
    for (size_t n = 0; (rule = rule_nth(n)); n++)
        if (rule->reported)
            print_stacks(log, rule);
    report_noted(log);
}
