/*
 * Results for programs: TAP 13 and JUnit's XML.  Each run is a test; each log is a test
 * of its own integrity; and so is each failure of no run.  Methods that contradict a failed
 * run are no further test: the run is one.
 */
#include "report.h"

#include <stdio.h>
#include <string.h>

#include "heap.h"
#include "log_run.h"
#include "severity.h"

static size_t judged(const struct log *log)
{
    size_t count = 0;

    for (size_t i = 0; i < log->run_count; i++)
        count += log->runs[i].end_line != 0;
    return count;
}

/* True if no run passed, and nothing failed: that is neither success nor failure. */
static bool lacks_pass(const struct log *log)
{
    return !log_has_passed(log) && log_verdict(log) < FAIL;
}

/* TAP. */

static void tap_message(const struct log *log, size_t line, const char *text)
{
    printf("  ---\n  message: '%s: ", scratch_take(where_text(log, line)));
    for (; *text; text++)
        printf(*text == '\'' ? "''" : "%c", *text);
    puts("'\n  ...");
}

/* Prints text without #, which begins a directive. */
static void tap_plain(const char *text)
{
    for (; *text; text++)
        putchar(*text == '#' ? '*' : *text);
}

static void tap_run(const struct log *log, const struct run *run, size_t number)
{
    bool good = run->verdict == PASS || run->verdict == SKIP;

    printf("%sok %zu - %s%s %s %s%s", good ? "" : "not ", number, row_name(run->cpu),
           scratch_take(processor_text(log, run)), run->method->name,
           run->workload->own->name, filter_suffix(run));
    if (run->verdict == SKIP || run->verdict == MEASURED) {
        printf(run->verdict == SKIP ? " # SKIP " : " # TODO measured: ");
        tap_plain(run->why);
    }
    putchar('\n');
    if (!good)
        tap_message(log, run->where, run->why);
}

/* A failure of no run, or NULL. */
static const struct complaint *of_no_run(const struct causes *causes, size_t i)
{
    return causes->at[i].complaint_count ? causes->at[i].complaints[0] : NULL;
}

static void tap_log(const struct log *log, size_t *number)
{
    struct causes causes;

    causes_of(&causes, log);
    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].end_line)
            tap_run(log, &log->runs[i], ++*number);
    for (size_t i = 0; i < causes.count; i++) {
        const struct complaint *complaint = of_no_run(&causes, i);

        if (!complaint)
            continue;
        printf("not ok %zu - %s %s\n", ++*number, row_name(&log->machine.cpu),
               complaint->claim);
        tap_message(log, complaint->line, complaint->what);
    }
    if (lacks_pass(log))
        printf("ok %zu - a run passes # SKIP %s: no run passed\n", ++*number,
               log_last_word(log));
    printf("%sok %zu - the log is whole\n", log->log_error ? "not " : "", ++*number);
    if (log->log_error)
        tap_message(log, log->error_line, log->log_error);
    causes_free(&causes);
}

static size_t tests_of(const struct log *log)
{
    struct causes causes;
    size_t count;

    causes_of(&causes, log);
    count = judged(log) + failures_of_no_run(&causes) + lacks_pass(log) + 1;
    causes_free(&causes);
    return count;
}

void tap(const struct log *logs, size_t count)
{
    size_t tests = 0, number = 0;

    for (size_t i = 0; i < count; i++)
        tests += tests_of(&logs[i]);
    printf("TAP version 13\n1..%zu\n", tests);
    for (size_t i = 0; i < count; i++)
        tap_log(&logs[i], &number);
}

/* JUnit. */

static void xml(FILE *file, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '&'    ? "&amp;"
                             : *text == '<'  ? "&lt;"
                             : *text == '>'  ? "&gt;"
                             : *text == '"'  ? "&quot;"
                             : *text == '\'' ? "&apos;"
                                             : NULL;
        if (entity)
            fputs(entity, file);
        else /* a file name may hold bytes that XML does not allow */
            fputc((unsigned char)*text < ' ' ? '?' : *text, file);
    }
}

static void junit_case(FILE *file, const char *class, const char *method, const char *name)
{
    fprintf(file, "    <testcase classname=\"%s.%s\" name=\"", class, method);
    xml(file, name);
    fputs("\">", file);
}

static void junit_message(FILE *file, const char *element, const struct log *log,
                          size_t line, const char *text)
{
    fprintf(file, "<%s message=\"", element);
    if (line) {
        xml(file, log->name);
        fprintf(file, ":%zu: ", line);
    }
    xml(file, text);
    fputs("\"/>", file);
}

static void junit_run(FILE *file, const struct log *log, const struct run *run)
{
    static const char *const elements[] = { NULL, "skipped", "skipped", "failure",
                                            "error" };

    junit_case(file, row_name(run->cpu), run->method->name,
               scratch_text("%s%s%s", run->workload->own->name, filter_suffix(run),
                            scratch_take(processor_text(log, run))));
    if (run->verdict != PASS)
        junit_message(file, elements[run->verdict], log, run->where, run->why);
    fputs("</testcase>\n", file);
}

static void junit_suite(FILE *file, const struct log *log, const char *what, size_t tests,
                        size_t failures, size_t errors, size_t skipped)
{
    fputs("  <testsuite name=\"", file);
    xml(file, log->name);
    fprintf(file, "%s\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
            what, tests, failures, errors, skipped);
}

/* How methods contradict the runs that failed. */
static void junit_disagreements(FILE *file, const struct log *log)
{
    if (!log->findings.pairs_disagree)
        return;
    fputs("    <system-out>", file);
    for (size_t i = 0; i < log->findings.complaint_count; i++) {
        const struct complaint *complaint = &log->findings.complaints[i];

        if (!complaint->other)
            continue;
        xml(file, log->name);
        fprintf(file, ":%zu: ", complaint->line);
        xml(file, complaint->what);
        fputc('\n', file);
    }
    fputs("</system-out>\n", file);
}

static void junit_runs(FILE *file, const struct log *log)
{
    size_t counts[VERDICTS] = { 0 };

    for (size_t i = 0; i < log->run_count; i++)
        counts[log->runs[i].verdict] += log->runs[i].end_line != 0;
    junit_suite(file, log, "", judged(log), counts[FAIL], counts[ERROR],
                counts[SKIP] + counts[MEASURED]);
    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].end_line)
            junit_run(file, log, &log->runs[i]);
    junit_disagreements(file, log);
    fputs("  </testsuite>\n", file);
}

/* A suite of its own, only if something failed: the first one counts runs. */
static void junit_others(FILE *file, const struct log *log)
{
    const bool is_whole = !log->log_error;
    struct causes causes;
    size_t failures;

    causes_of(&causes, log);
    failures = failures_of_no_run(&causes);
    if (failures || !is_whole || lacks_pass(log)) {
        junit_suite(file, log, ": checks outside the runs",
                    failures + !is_whole + lacks_pass(log), failures, !is_whole,
                    lacks_pass(log));
        for (size_t i = 0; i < causes.count; i++) {
            const struct complaint *complaint = of_no_run(&causes, i);

            if (!complaint)
                continue;
            junit_case(file, row_name(&log->machine.cpu), complaint->method,
                       complaint->claim);
            junit_message(file, "failure", log, complaint->line, complaint->what);
            fputs("</testcase>\n", file);
        }
        if (lacks_pass(log)) {
            junit_case(file, row_name(&log->machine.cpu), "log", "a run passes");
            junit_message(file, "skipped", log, 0,
                          scratch_text("%s: no run passed", log_last_word(log)));
            fputs("</testcase>\n", file);
        }
        if (!is_whole) {
            junit_case(file, row_name(&log->machine.cpu), "log", "the log is whole");
            junit_message(file, "error", log, log->error_line, log->log_error);
            fputs("</testcase>\n", file);
        }
        fputs("  </testsuite>\n", file);
    }
    causes_free(&causes);
}

void junit(FILE *file, const struct log *logs, size_t count)
{
    fputs("<testsuites name=\"everybranch\">\n", file);
    for (size_t i = 0; i < count; i++) {
        junit_runs(file, &logs[i]);
        junit_others(file, &logs[i]);
    }
    fputs("</testsuites>\n", file);
}
