/*
 * The report of `check`.  Words say everything; on a terminal colour is added.
 */
#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "facts.h"
#include "heap.h"
#include "infos.h"
#include "beyond.h"
#include "judge.h"
#include "lateness.h"
#include "unconfirmed.h"
#include "log_run.h"
#include "terminal.h"
#include "verdict.h"
#include "words.h"

/* The expected trace of a workload from the stick is its author's, not this program's. */
static void print_bundled(const struct bundled *bundled)
{
    if (bundled->wrong.length)
        printf("  workload    %.*s NOT loaded: %.*s\n", SPAN(bundled->file),
               SPAN(bundled->wrong));
    else if (bundled->workload.name)
        printf("  workload    %s from the stick: %.*s\n", bundled->workload.name,
               SPAN(bundled->file));
}

static void print_fact(const char *title, const char *text)
{
    printf("  %-*s", REPORT_COLUMN - 2, title);
    terminal_wrap(REPORT_COLUMN, REPORT_COLUMN, text);
    putchar('\n');
}

/* Names the programs in C that have no expected trace here: judge/other_build.c. */
static void print_other_builds(const struct log *log)
{
    const char *names = NULL;

    for (size_t i = 0; i < log->workload_count; i++)
        if (is_other_build(log->workloads[i]))
            names = scratch_text("%s%s%s", names ? names : "", names ? ", " : "",
                                 log->workloads[i]->own->name);
    if (names)
        print_fact(
            "workload",
            scratch_text("%s: another compiler made the image, so no expected trace is "
                         "here.  The runs are compared with the code in the log, with "
                         "the result and with each other, and skipped.  The program "
                         "that was built with the image judges them.",
                         names));
}

const char *avoided_text(const struct avoid_line *avoided)
{
    const struct subject *s = &avoided->subject;

    return scratch_text("%.*s%.*s%.*s%s%.*s%s%.*s", SPAN(s->facility), SPAN(s->method),
                        SPAN(span_of(s->bench ? "bench" : "")),
                        s->workload.length ? " " : "", SPAN(s->workload),
                        s->filter.length ? " filter=" : "", SPAN(s->filter));
}

/* Prints what earlier boots died of, and how to try it all the same. */
static void print_avoided(const struct log *log)
{
    for (size_t i = 0; i < log->avoided_count; i++)
        printf("  not tried   %s: an earlier boot died of it, see %.*s\n",
               avoided_text(&log->avoided[i]), SPAN(log->avoided[i].log));
    if (log->avoided_count)
        puts("              the option `retry` in everybranch.cfg tries it again");
}

static void print_machine(const struct log *log)
{
    const struct facts facts = facts_of(log, &log->machine.cpu);

    for (size_t i = 0; i < facts.count; i++)
        if (facts.at[i].text && !facts.at[i].page_only)
            print_fact(facts.at[i].title, fact_whole(&facts.at[i]));
    for (size_t i = 0; i < log->bundled_count; i++)
        print_bundled(log->bundled[i]);
    print_other_builds(log);
    for (size_t i = 0; i < log->note_count; i++)
        print_fact("note", scratch_text("%.*s", SPAN(log->notes[i])));
    print_avoided(log);
}

/* An absent facility needs a remark, unless the model itself lacks it. */
const char *facility_remark(const struct cpu_part *cpu, enum facility facility)
{
    const struct platform_fact *fact = fact_of(cpu, facility);
    const enum expectation expected = facility_expected(cpu, facility);
    const enum probe_result found = cpu->facilities[facility].outcome;
    const struct rule *derived = facility_derived_rule(cpu, facility);
    const struct rule_place place = rule_place_on(cpu);
    const char *judged = NULL;

    if (derived)
        return scratch_text("measured, and no failure: %s",
                            scratch_take(rule_text(derived, &place)));
    if (fact && platform_is_open(fact) && found != AVOIDED)
        judged = "not judged";
    else if (expected == NOT_AS_EXPECTED)
        judged = "NOT as expected";
    else if (expected == AS_EXPECTED && found != WORKS && fact->when != MODEL_LACKS)
        judged = "as expected";
    return judged ? scratch_text("%s on %s: %s", judged, cpu->platform->name, fact->about)
                  : NULL;
}

static void print_facilities(const struct log *log)
{
    bool any = false;

    for (size_t i = 0; i < FACILITY_COUNT; i++) {
        const struct facility_line *found = &log->machine.cpu.facilities[i];
        const char *remark = facility_remark(&log->machine.cpu, i), *late = "";

        if (!found->line)
            continue;
        if (!any)
            puts("\n  by effect");
        any = true;
        if (found->most)
            late = scratch_text(", %llu branches late, the latest by %llu",
                                (unsigned long long)found->typical,
                                (unsigned long long)found->most);
        print_fact(facility_names[i],
                   scratch_text("%s: %.*s%s", probe_result_name(found->outcome),
                                SPAN(found->evidence), late));
        if (remark)
            print_fact("", remark);
    }
}

/* True if two runs, one after the other, need only one line. */
static bool alike(const struct run *a, const struct run *b)
{
    return a->method == b->method && a->workload == b->workload && a->filter == b->filter &&
           a->verdict == b->verdict && b->end_line;
}

/* Prints a run and the following runs like it, up to the next command. */
static size_t print_runs(const struct log *log, size_t first, size_t next_logged)
{
    const struct run *run = &log->runs[first];
    size_t count = 1;

    while (first + count < log->run_count && alike(run, run + count) &&
           run[count].line < next_logged)
        count++;
    if (count == 1)
        printf("      run %zu", run->number);
    else
        printf("      runs %zu to %zu", run->number, run->number + count - 1);
    printf(", %s %s%s: ", run->method->name, run->workload->own->name, filter_suffix(run));
    if (run->end_line)
        print_verdict(run->verdict, 0);
    else
        printf("...");
    putchar('\n');
    return count;
}

static void print_commands(const struct log *log)
{
    size_t run = 0, logged = 0;

    while (run < log->run_count || logged < log->logged_count) {
        size_t next = logged < log->logged_count ? log->logged[logged].line : SIZE_MAX;

        if (run < log->run_count && log->runs[run].line < next) {
            run += print_runs(log, run, next);
            continue;
        }
        printf(log->logged[logged].kind == LOGGED_COMMAND ? "\n  > %.*s\n" : "      %.*s\n",
               SPAN(log->logged[logged].text));
        logged++;
    }
}

#define INTERRUPTED_WIDTH \
    ((int)sizeof("lbr-stream") - 1) /* the longest name of such a method */

/*
 * Prints how many interrupts a method had, and how late; no manual says how late they may
 * be.
 */
static void print_interrupts(const struct log *log, const struct method_facts *method)
{
    uint64_t events = 0, late = 0, most = 0, unlogged = 0, held = 0, ran = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run->method != method)
            continue;
        unlogged += lateness_is_logged(run) ? 0 : run->ran.events;
        events += run->ran.events;
        late += lateness_in_all(run);
        held += run->branches;
        ran += run->branches_run ? run->branches_run : run->branches;
        most = run->ran.most > most ? run->ran.most : most;
    }
    if (events == 0)
        return;
    printf("  %-*s  %llu interrupt%s", INTERRUPTED_WIDTH, method->name,
           (unsigned long long)events, plural(events));
    if (events == unlogged)
        printf("; how late is unknown for this event");
    else if (late)
        printf(", %llu %s%s late in all, the latest by %llu", (unsigned long long)late,
               method->counter_driven ? "event" : "record", plural(late),
               (unsigned long long)most);
    if (held < ran)
        printf("; %llu %% of the branches held", (unsigned long long)(held * 100 / ran));
    putchar('\n');
}

/* Runs with fewer branches are mostly overhead, so bits per branch would say little. */
#define DENSE 1000

/* Counts what passes although nothing confirms it: tools/judge/rounds.c. */
static void print_ended_early(const struct log *log)
{
    uint64_t count = 0;

    for (size_t i = 0; i < log->run_count; i++)
        count += log->runs[i].ended_early;
    if (count)
        printf("  %llu time%s REPE or REPNE stopped before its count ran out: the log "
               "contains no memory, so this cannot be confirmed\n",
               (unsigned long long)count, plural(count));
}

/* Counts the runs that SMIs and stray NMIs hit, and those that were made again. */
static void print_hits(const struct log *log)
{
    size_t repeated = 0, hit = 0, differed = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        differed += log->runs[i].ran.tries.count > 0;
        repeated += log->runs[i].ran.repeated > 0 && !log->runs[i].ran.tries.count;
        hit += run_was_hit(&log->runs[i]);
    }
    if (repeated || hit)
        printf("  %zu run%s repeated after an SMI or a stray NMI; %zu %s still hit\n",
               repeated, repeated == 1 ? " was" : "s were", hit, hit == 1 ? "was" : "were");
    if (differed)
        printf("  %zu run%s repeated because %s differed%s\n", differed,
               differed == 1 ? " was" : "s were", differed == 1 ? "it" : "they",
               log->machine.cpu.left.smi_count.is == LOG_THERE
                   ? ""
                   : ": this processor does not count SMIs");
    if (log->nmis)
        printf("  %llu unexpected NMI%s\n", (unsigned long long)log->nmis,
               plural(log->nmis));
}

static void print_bytes(const struct log *log, size_t of_runs, uint64_t branches)
{
    printf("  %zu bytes on the wire, %zu of them for the runs", log->wire_bytes, of_runs);
    if (branches >= DENSE * log->run_count && branches)
        printf(": %.3f bits per branch overall", 8.0 * (double)of_runs / (double)branches);
    putchar('\n');
}

/* Says how often the records of two methods were compared: tools/judge/cross.c. */
static void print_pairs(const struct findings *findings)
{
    if (findings->pairs_compared == 0)
        puts("  no workload was recorded by two methods that can be compared");
    else if (findings->pairs_disagree == 0)
        printf(
            "  the records of two methods were compared %zu time%s, and never differed\n",
            findings->pairs_compared, plural(findings->pairs_compared));
    else
        printf("  the records of two methods were compared %zu time%s, and differed %zu "
               "time%s\n",
               findings->pairs_compared, plural(findings->pairs_compared),
               findings->pairs_disagree, plural(findings->pairs_disagree));
}

/* Most runs of a process are skipped in a guest, which must not read as if they had passed.
 */
static void print_skipped(size_t count)
{
    if (count)
        printf(
            "  %zu run%s skipped for the reasons above: nothing was recorded, so nothing "
            "failed there\n",
            count, count == 1 ? " was" : "s were");
}

static void print_sums(const struct log *log)
{
    uint64_t branches = 0, events = 0;
    size_t bytes = 0, skipped = 0; /* bytes: of the runs alone */

    for (size_t i = 0; i < log->run_count; i++) {
        branches += log->runs[i].branches;
        events += method_is_interrupted(log->runs[i].method) ? 0 : log->runs[i].ran.events;
        bytes += log->runs[i].bytes;
        skipped += log->runs[i].verdict == SKIP;
    }
    printf("\n  %llu %s traced, %llu debug event%s\n", (unsigned long long)branches,
           branches == 1 ? "branch" : "branches", (unsigned long long)events,
           plural(events));
    for (size_t i = 0; i < methods_known_count(); i++)
        if (method_is_interrupted(&methods_known[i]))
            print_interrupts(log, &methods_known[i]);
    report_known(log);
    if (log->machine.os.line) /* a process has no serial line */
        print_skipped(skipped);
    else
        print_bytes(log, bytes, branches);
    if (log->machine.cycles.line)
        printf(
            "  the machine was taken over %llu times more, and found alive in %llu of %llu "
            "checks\n",
            (unsigned long long)log->machine.cycles.done,
            (unsigned long long)log->machine.cycles.alive,
            (unsigned long long)log->machine.cycles.checked);
    print_hits(log);
    print_pairs(&log->findings);
    print_ended_early(log);
}

/* Counts the runs that failed by the class of their first difference: "20 lost, 2 wrong".
 */
static void print_classes(const struct log *log)
{
    const char *before = "  first differences: ";

    for (enum difference_class kind = LOST; kind <= WRONG; kind++) {
        size_t count = 0;

        for (size_t i = 0; i < log->run_count; i++)
            count += log->runs[i].verdict == FAIL && log->runs[i].context &&
                     log->runs[i].context->d.class == kind;
        if (!count)
            continue;
        printf("%s%zu %s", before, count, check_class_name(kind));
        before = ", ";
    }
    if (*before == ',')
        putchar('\n');
}

static bool method_fails(const struct log *log, const struct method_facts *method)
{
    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].method == method && log->runs[i].verdict >= FAIL)
            return true;
    return false;
}

/* True if the method recorded something in a run of this log. */
static bool method_recorded(const struct log *log, const struct method_facts *method)
{
    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].method == method && log->runs[i].records)
            return true;
    return false;
}

/* Where some methods fail, names those that do not: what they have in common is a hint. */
static void print_faultless(const struct log *log)
{
    const char *before = "  no run failed that was recorded by ";
    bool any = false;

    for (size_t i = 0; i < methods_known_count(); i++)
        any = any || method_fails(log, &methods_known[i]);
    for (size_t i = 0; i < methods_known_count() && any; i++)
        if (method_recorded(log, &methods_known[i]) &&
            !method_fails(log, &methods_known[i])) {
            printf("%s%s", before, methods_known[i].name);
            before = ", ";
        }
    if (*before == ',')
        putchar('\n');
}

/* The command that a person is likely to type next, if the log is a file. */
static void print_next(const struct log *log)
{
    const struct run *run = log->runs, *end = run ? run + log->run_count : run;

    if (!isatty(STDOUT_FILENO) || access(log->name, F_OK) != 0)
        return;
    while (run < end &&
           (!run->end_line || run->verdict < FAIL || run->skipped || run->damaged))
        run++;
    if (run < end)
        printf("next: %s show --run=%zu %s\n", program_invocation_name, run->number,
               log->name);
    else if (!log->log_error)
        printf("next: %s report %s -o report.html\n", program_invocation_name, log->name);
}

/* The name of the log; among several of one file, with its number. */
static const char *title(const struct log *log)
{
    return log->boot ? scratch_text("%s, log %zu of %zu", log->name, log->boot, log->boots)
                     : log->name;
}

static void print_verdict_line(const struct log *log, const struct causes *causes)
{
    const size_t of_no_run = failures_of_no_run(causes);
    const bool colour = terminal_takes_colour();
    size_t count[VERDICTS] = { 0 }, broken_off = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        count[log->runs[i].verdict] += log->runs[i].end_line != 0;
        broken_off += !log->runs[i].end_line;
    }
    if (colour)
        printf("\033[1;%sm", log_verdict(log) >= FAIL ? "31" : "32");
    printf("%-5s %s: %zu run%s: %zu pass, %zu fail, %zu skipped", log_last_word(log),
           title(log), log->run_count, plural(log->run_count), count[PASS], count[FAIL],
           count[SKIP]);
    if (!log->log_error || count[ERROR]) /* no "0 in error" of a log that is in error */
        printf(", %zu in error", count[ERROR]);
    if (broken_off)
        printf(", %zu broken off", broken_off);
    if (count[MEASURED])
        printf(", %zu measured", count[MEASURED]);
    if (of_no_run)
        printf("; %zu failed check%s outside the runs", of_no_run, plural(of_no_run));
    fputs(log->log_error ? "; the log is UNUSABLE" : "", stdout);
    puts(colour ? "\033[0m" : "");
}

void report_boots(const struct log *logs, size_t count)
{
    if (count < 2)
        return;
    printf("%s has %zu logs; --boot=N chooses one\n", logs[0].name, count);
    for (size_t i = 0; i < count; i++)
        printf("  %zu  from line %-7zu %-5s  %zu run%s\n", i + 1, logs[i].first_line,
               log_last_word(&logs[i]), logs[i].run_count, plural(logs[i].run_count));
    putchar('\n');
}

/* How the log was kept, where that is not as it was written. */
static void print_reading(const struct log *log)
{
    if (log->form)
        print_fact("file", log->form);
    if (log->skipped)
        print_fact("skipped", log->skipped);
}

void report_log(const struct log *log, const struct report_options *options)
{
    struct causes causes;

    if (log->log_error && !log->error_line) { /* no line was read */
        print_log_error(log);
        return;
    }
    puts(title(log));
    print_reading(log);
    print_machine(log);
    print_facilities(log);
    print_processors(log);
    if (log->by_command)
        print_commands(log);
    else if (log->plan.line)
        print_tables(log, options);
    print_methods(log);
    infos_report(log);
    causes_of(&causes, log);
    print_causes(log, &causes);
    print_sums(log);
    print_classes(log);
    print_faultless(log);
    putchar('\n');
    if (log->advice)
        puts(log->advice);
    print_next(log);
    print_verdict_line(log, &causes);
    causes_free(&causes);
}
