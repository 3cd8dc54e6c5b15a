/*
 * Results for programs: TAP 13 and JUnit's XML.  Each run is a test; each log is a test
 * of its own integrity; and so is each complaint that belongs to no run.
 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "log_run.h"
#include "output.h"

static size_t judged(const struct log *log)
{
    size_t count = 0;

    for (size_t i = 0; i < log->run_count; i++)
        count += log->runs[i].end_line != 0;
    return count;
}

/* TAP. */

static void tap_message(const struct log *log, size_t line, const char *text)
{
    char *where = where_text(log, line);

    printf("  ---\n  message: '%s: ", where);
    free(where);
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

    char *processor = processor_text(log, run);

    printf("%sok %zu - %s%s %s %s%s", good ? "" : "not ", number, row_name(run->cpu),
           processor, run->method->name, run->workload->own->name, filter_suffix(run));
    free(processor);
    if (run->verdict == SKIP || run->verdict == MEASURED) {
        printf(run->verdict == SKIP ? " # SKIP " : " # TODO measured: ");
        tap_plain(run->why);
    }
    putchar('\n');
    if (!good)
        tap_message(log, run->where, run->why);
}

void tap(const struct log *logs, size_t count)
{
    size_t tests = 0, number = 0;

    for (size_t i = 0; i < count; i++)
        tests += judged(&logs[i]) + logs[i].findings.complaint_count + 1;
    printf("TAP version 13\n1..%zu\n", tests);
    for (const struct log *log = logs; log < logs + count; log++) {
        for (size_t i = 0; i < log->run_count; i++)
            if (log->runs[i].end_line)
                tap_run(log, &log->runs[i], ++number);
        for (size_t i = 0; i < log->findings.complaint_count; i++) {
            const struct complaint *complaint = &log->findings.complaints[i];

            printf("not ok %zu - %s %s\n", ++number, row_name(&log->machine.cpu),
                   complaint->claim);
            tap_message(log, complaint->line, complaint->what);
        }
        printf("%sok %zu - the log is whole\n", log->log_error ? "not " : "", ++number);
        if (log->log_error)
            tap_message(log, log->error_line, log->log_error);
    }
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

    char *processor = processor_text(log, run);
    char *name =
        format_text("%s%s%s", run->workload->own->name, filter_suffix(run), processor);

    junit_case(file, row_name(run->cpu), run->method->name, name);
    free(name);
    free(processor);
    if (run->verdict != PASS)
        junit_message(file, elements[run->verdict], log, run->where, run->why);
    fputs("</testcase>\n", file);
}

static void junit_counts(FILE *file, const struct log *log)
{
    size_t counts[VERDICTS] = { 0 };

    for (size_t i = 0; i < log->run_count; i++)
        counts[log->runs[i].verdict] += log->runs[i].end_line != 0;
    fprintf(file, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%d\" skipped=\"%zu\">\n",
            judged(log) + log->findings.complaint_count + 1,
            counts[FAIL] + log->findings.complaint_count,
            (int)counts[ERROR] + (log->log_error ? 1 : 0), counts[SKIP] + counts[MEASURED]);
}

static void junit_log(FILE *file, const struct log *log)
{
    fputs("  <testsuite name=\"", file);
    xml(file, log->name);
    junit_counts(file, log);
    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].end_line)
            junit_run(file, log, &log->runs[i]);
    for (size_t i = 0; i < log->findings.complaint_count; i++) {
        const struct complaint *complaint = &log->findings.complaints[i];

        junit_case(file, row_name(&log->machine.cpu), complaint->method, complaint->claim);
        junit_message(file, "failure", log, complaint->line, complaint->what);
        fputs("</testcase>\n", file);
    }
    junit_case(file, row_name(&log->machine.cpu), "log", "the log is whole");
    if (log->log_error)
        junit_message(file, "error", log, log->error_line, log->log_error);
    fputs("</testcase>\n  </testsuite>\n", file);
}

bool junit(const struct log *logs, size_t count, const char *name)
{
    FILE *file = output_xml(name);

    if (!file)
        return false;
    fputs("<testsuites name=\"everybranch\">\n", file);
    for (size_t i = 0; i < count; i++)
        junit_log(file, &logs[i]);
    fputs("</testsuites>\n", file);
    return output_end(file, name, true);
}
