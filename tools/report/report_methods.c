/*
 * The report's rows of methods: how many runs passed and failed, and why runs were skipped.
 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
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
 * " (loop, wt)"; "" if the method made no run.  To be freed.
 */
static char *skipped_on(const struct log *log, const struct run *run)
{
    const bool by_filter = run->filtered && filter_skipped(log, run);
    char *list = format_text("%s", by_filter ? " (filter=" : " ("), *longer;
    size_t named = 0;

    if (skipped_always(log, run)) {
        free(list);
        return format_text("%s", "");
    }
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *other = &log->runs[i];

        if (!same_skip(other, run) || !is_first(log, other, by_filter) ||
            named++ >= NAMES_SHOWN)
            continue;
        longer = format_text("%s%s%s", list, named > 1 ? ", " : "",
                             by_filter ? filter_words(other->filter)
                                       : other->workload->own->name);
        free(list);
        list = longer;
    }
    longer = named > NAMES_SHOWN
                 ? format_text("%s and %zu more)", list, named - NAMES_SHOWN)
                 : format_text("%s)", list);
    free(list);
    return longer;
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

/* Each reason once: ", 6 skipped: it takes #DB itself (int1, tf_db)"; takes `row`. */
static char *with_skips(const struct log *log, const struct method_facts *method, char *row)
{
    const char *before = strchr(row, ' ') ? ", " : "";

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];
        char *on, *longer;

        if (run->method != method || run->verdict != SKIP || reason_printed(log, i))
            continue;
        on = skipped_on(log, run);
        longer = format_text("%s%s%zu skipped: %s%s", row, before, times_skipped(log, run),
                             reason_without_name(run), on);
        free(on);
        free(row);
        row = longer;
        before = "; ";
    }
    return row;
}

/* "68 passed, 2 FAILED": takes `row`. */
static char *with_count(char *row, size_t count, const char *what, enum verdict verdict)
{
    static const char *const colours[VERDICTS] = {
        [MEASURED] = "33", [FAIL] = "1;31", [ERROR] = "1;35"
    };
    const bool colour = terminal_takes_colour() && colours[verdict];
    char *longer;

    if (!count)
        return row;
    longer = format_text("%s%s%s%s%s%zu %s%s", row, *row ? ", " : "", colour ? "\033[" : "",
                         colour ? colours[verdict] : "", colour ? "m" : "", count, what,
                         colour ? "\033[0m" : "");
    free(row);
    return longer;
}

static void print_method(const struct log *log, const struct method_facts *method)
{
    size_t counts[VERDICTS] = { 0 }, broken_off = 0, all = 0;
    char *row = format_text("%s", "");

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run->method != method)
            continue;
        all++;
        counts[run->verdict] += run->end_line != 0;
        broken_off += !run->end_line;
    }
    if (!all) {
        free(row);
        return;
    }
    row = with_count(row, counts[PASS], "passed", PASS);
    row = with_count(row, counts[FAIL], "FAILED", FAIL);
    row = with_count(row, counts[ERROR], "in ERROR", ERROR);
    row = with_count(row, counts[MEASURED], "measured", MEASURED);
    row = with_count(row, broken_off, "broken off", PASS);
    row = with_skips(log, method, row);
    printf("  %-*s", REPORT_COLUMN - 2, method->name);
    terminal_wrap(REPORT_COLUMN, REPORT_COLUMN + 2, row);
    putchar('\n');
    free(row);
}

void print_methods(const struct log *log)
{
    if (log->run_count)
        putchar('\n');
    for (size_t i = 0; i < methods_known_count(); i++)
        print_method(log, &methods_known[i]);
}
