/*
 * Tables of a report, with a row for each workload and a column for each method.
 */
#include "report.h"

#include <stdio.h>
#include <string.h>

#include "heap.h"
#include "log_run.h"
#include "terminal.h"
#include "verdict.h"

static const char *const verdict_colours[] = { "32", "2", "33", "1;31", "1;35" };

void print_verdict(enum verdict verdict, int width)
{
    if (terminal_takes_colour())
        printf("\033[%sm%-*s\033[0m", verdict_colours[verdict], width,
               verdict_words[verdict]);
    else
        printf("%-*s", width, verdict_words[verdict]);
}

/*
 * The columns of a table.  Where they are wider than the terminal, there are several
 * tables, one below the other, each with as many columns as fit.
 */
struct columns {
    size_t first, end; /* methods          */
    int name;          /* width of the row's title */
    int least;         /* of a cell        */
};

static int column_width(const struct log *log, const struct columns *columns, size_t method)
{
    int width = (int)strlen(log->plan.methods[method]->name);

    for (size_t i = 0; i < log->run_count; i++) {
        int word = (int)strlen(verdict_words[log->runs[i].verdict]);

        width = word > width ? word : width;
    }
    return width > columns->least ? width : columns->least;
}

/* Does not pad the last column: no line ends in spaces. */
static int padded_width(const struct log *log, const struct columns *columns, size_t method)
{
    return method + 1 == columns->end ? 0 : column_width(log, columns, method);
}

/* Fits as many columns as the terminal has space for, and at least one. */
static void fit_columns(const struct log *log, struct columns *columns)
{
    const size_t capacity = terminal_columns();
    size_t used = 2 + (size_t)columns->name;

    for (columns->end = columns->first; columns->end < log->plan.method_count;
         columns->end++) {
        used += 2 + (size_t)column_width(log, columns, columns->end);
        if (capacity && used > capacity && columns->end > columns->first)
            return;
    }
}

/* Counts the rows: one for each workload, or for each workload with each filter. */
static size_t row_count(const struct log *log)
{
    return log->plan.workload_count * filters_of(log);
}

static const char *row_title(const struct log *log, size_t row)
{
    const char *name = log->plan.workloads[row / filters_of(log)]->own->name;

    if (!log->plan.filter_count)
        return name;
    return scratch_text("%s %s", name,
                        filter_words(log->plan.filters[row % filters_of(log)]));
}

static int name_width(const struct log *log, const char *corner)
{
    int widest = (int)strlen(corner);

    for (size_t i = 0; i < row_count(log); i++) {
        int width = (int)strlen(row_title(log, i));

        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Returns the worst run of all processors, or NULL if there is none so far. */
static const struct run *worst_run(const struct log *log, size_t row,
                                   const struct method_facts *method)
{
    const struct loaded *workload = log->plan.workloads[row / filters_of(log)];
    uint32_t filter = log->plan.filter_count ? log->plan.filters[row % filters_of(log)] : 0;
    const struct run *worst = NULL;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run->workload == workload && run->method == method && run->filter == filter &&
            (!worst || run->verdict > worst->verdict || !run->end_line))
            worst = run;
    }
    return worst;
}

/* True if any run of the row fails or is in error. */
static bool row_fails(const struct log *log, size_t row)
{
    for (size_t i = 0; i < log->plan.method_count; i++) {
        const struct run *worst = worst_run(log, row, log->plan.methods[i]);

        if (worst && worst->end_line && worst->verdict >= FAIL)
            return true;
    }
    return false;
}

static void print_row(const struct log *log, const struct columns *columns, size_t row,
                      void (*cell)(const struct run *, int width))
{
    printf("\n  %-*s", columns->name, row_title(log, row));
    for (size_t i = columns->first; i < columns->end; i++) {
        const struct run *run = worst_run(log, row, log->plan.methods[i]);

        printf("  ");
        if (run)
            cell(run, padded_width(log, columns, i));
        else
            printf("%-*s", padded_width(log, columns, i), "-");
    }
}

/* Prints rows with a failure first: nobody reads many rows that pass. */
static void print_columns(const struct log *log, const struct columns *columns,
                          const char *corner, void (*cell)(const struct run *, int width))
{
    printf("\n  %-*s", columns->name, corner);
    for (size_t i = columns->first; i < columns->end; i++)
        printf("  %-*s", padded_width(log, columns, i), log->plan.methods[i]->name);
    for (int fails = 1; fails >= 0; fails--)
        for (size_t i = 0; i < row_count(log); i++)
            if (row_fails(log, i) == fails)
                print_row(log, columns, i, cell);
    putchar('\n');
}

static void print_table(const struct log *log, const char *corner, int least,
                        void (*cell)(const struct run *, int width))
{
    struct columns columns = { .name = name_width(log, corner), .least = least };

    for (; columns.first < log->plan.method_count; columns.first = columns.end) {
        fit_columns(log, &columns);
        print_columns(log, &columns, corner, cell);
    }
}

#define VERDICT_WIDTH 4 /* "pass": a log of CI has all methods side by side */
#define COUNT_WIDTH   7 /* digits of a large number of branches */

static void verdict_cell(const struct run *run, int width)
{
    if (run->end_line)
        print_verdict(run->verdict, width);
    else
        printf("%-*s", width, "...");
}

static void bytes_cell(const struct run *run, int width)
{
    printf("%-*zu", width, run->bytes);
}

#define FEW_BRANCHES 10000 /* with more, a branch takes a fraction of a bit */

static void bits_cell(const struct run *run, int width)
{
    if (run->branches)
        printf("%-*.*f", width, run->branches < FEW_BRANCHES ? 1 : 4,
               8.0 * (double)run->bytes / (double)run->branches);
    else
        printf("%-*s", width, "-");
}

void print_tables(const struct log *log, const struct report_options *options)
{
    if (options->table)
        print_table(log, log->plan.filter_count ? "workload, filter" : "workload",
                    VERDICT_WIDTH, verdict_cell);
    if (options->bytes) {
        print_table(log, "bytes", COUNT_WIDTH, bytes_cell);
        print_table(log, "bits/branch", COUNT_WIDTH, bits_cell);
    }
}
