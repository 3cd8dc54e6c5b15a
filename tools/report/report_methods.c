/*
 * The report's rows of methods: how many runs passed and failed, and why runs were skipped.
 */
#include "report.h"

#include <stdio.h>
#include <string.h>

#include "heap.h"
#include "log_run.h"
#include "terminal.h"

#define NAMES_SHOWN 4 /* workloads, or filters, that a reason to skip names */

/* True if two runs of one method are skipped for the same reason. */
static bool same_skip(const struct run *a, const struct run *b)
{
    return a->verdict == SKIP && b->verdict == SKIP && a->method == b->method &&
           strcmp(a->why, b->why) == 0;
}

static bool reason_printed(const struct log *log, size_t run)
{
    for (size_t i = 0; i < run; i++)
        if (same_skip(&log->runs[i], &log->runs[run]))
            return true;
    return false;
}

/* True if all runs of its method with that filter are skipped for the same reason. */
static bool filter_skipped(const struct log *log, const struct run *of)
{
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run->method == of->method && run->filter == of->filter && !same_skip(run, of))
            return false;
    }
    return true;
}

static bool skipped_always(const struct log *log, const struct run *of)
{
    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].method == of->method && !same_skip(&log->runs[i], of))
            return false;
    return true;
}

/* True for the first run skipped for this reason with this filter, or on this workload. */
static bool is_first(const struct log *log, const struct run *of, bool by_filter)
{
    for (const struct run *run = log->runs; run < of; run++)
        if (same_skip(run, of) &&
            (by_filter ? run->filter == of->filter : run->workload == of->workload))
            return false;
    return true;
}

/*
 * The workloads that were skipped, or the filters that were skipped on all workloads:
 * " (loop, wt)"; "" if the method made no run.
 */
static const char *skipped_on(const struct log *log, const struct run *run)
{
    const bool by_filter = run->filtered && filter_skipped(log, run);
    const char *list = by_filter ? " (filter=" : " (";
    size_t named = 0;

    if (skipped_always(log, run))
        return "";
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *other = &log->runs[i];

        if (!same_skip(other, run) || !is_first(log, other, by_filter) ||
            named++ >= NAMES_SHOWN)
            continue;
        list = scratch_text("%s%s%s", list, named > 1 ? ", " : "",
                            by_filter ? filter_words(other->filter)
                                      : other->workload->own->name);
    }
    return named > NAMES_SHOWN ? scratch_text("%s and %zu more)", list, named - NAMES_SHOWN)
                               : scratch_text("%s)", list);
}

/* Drops the method's own name from "brs absent: ...": the row begins with it. */
static const char *reason_without_name(const struct run *run)
{
    size_t length = strlen(run->method->name);

    return strncmp(run->why, run->method->name, length) == 0 && run->why[length] == ' '
               ? run->why + length + 1
               : run->why;
}

static size_t times_skipped(const struct log *log, const struct run *run)
{
    size_t count = 0;

    for (size_t i = 0; i < log->run_count; i++)
        count += same_skip(&log->runs[i], run);
    return count;
}

/* Each reason once: ", 6 skipped: it takes #DB itself (int1, tf_db)" */
static const char *with_skips(const struct log *log, const struct method_facts *method,
                              const char *row)
{
    const char *before = *row ? ", " : "";

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run->method != method || run->verdict != SKIP || reason_printed(log, i))
            continue;
        row = scratch_text("%s%s%zu skipped: %s%s", row, before, times_skipped(log, run),
                           reason_without_name(run), skipped_on(log, run));
        before = "; ";
    }
    return row;
}

/* "68 passed, 2 FAILED" */
static const char *with_count(const char *row, size_t count, const char *what,
                              enum verdict verdict)
{
    static const char *const colours[VERDICTS] = {
        [MEASURED] = "33", [FAIL] = "1;31", [ERROR] = "1;35"
    };
    const char *begin = "", *end = "";

    if (!count)
        return row;
    if (terminal_takes_colour() && colours[verdict]) {
        begin = scratch_text("\033[%sm", colours[verdict]);
        end = "\033[0m";
    }
    return scratch_text("%s%s%s%zu %s%s", row, *row ? ", " : "", begin, count, what, end);
}

static void print_method(const struct log *log, const struct method_facts *method)
{
    size_t counts[VERDICTS] = { 0 }, broken_off = 0, all = 0;
    const char *row = "";

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run->method != method)
            continue;
        all++;
        counts[run->verdict] += run->end_line != 0;
        broken_off += !run->end_line;
    }
    if (!all)
        return;
    row = with_count(row, counts[PASS], "passed", PASS);
    row = with_count(row, counts[FAIL], "FAILED", FAIL);
    row = with_count(row, counts[ERROR], "in ERROR", ERROR);
    row = with_count(row, counts[MEASURED], "measured", MEASURED);
    row = with_count(row, broken_off, "broken off", PASS);
    row = with_skips(log, method, row);
    printf("  %-*s", REPORT_COLUMN - 2, method->name);
    terminal_wrap(REPORT_COLUMN, REPORT_COLUMN + 2, row);
    putchar('\n');
}

void print_methods(const struct log *log)
{
    if (log->run_count)
        putchar('\n');
    for (size_t i = 0; i < methods_known_count(); i++)
        print_method(log, &methods_known[i]);
}
