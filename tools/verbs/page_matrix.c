/*
 * The matrix of a machine: workloads, with each of the plan's filters, by methods.  Where
 * several processors ran, a cell has a run of each: it shows the worst of them, and all of
 * them when it is opened.
 */
#include "page.h"

#include <stdlib.h>

/* What a row is of. */
struct planned {
    const struct loaded *workload;
    uint32_t filter;
};

struct cell {
    const struct run *worst; /* the first of those, NULL: none was made */
    size_t runs, alike;      /* alike: with that verdict                */
};

static bool is_of(const struct run *run, struct planned row,
                  const struct method_facts *method)
{
    return run->workload == row.workload && run->filter == row.filter &&
           run->method == method && run->end_line;
}

static struct cell cell_of(const struct log *log, struct planned row,
                           const struct method_facts *method)
{
    struct cell cell = { 0 };

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (!is_of(run, row, method))
            continue;
        cell.runs++;
        if (!cell.worst || run->verdict > cell.worst->verdict) {
            cell.worst = run;
            cell.alike = 0;
        }
        cell.alike += run->verdict == cell.worst->verdict;
    }
    return cell;
}

/* A verdict, which leads to what is said of that run further down, if anything is. */
static void put_verdict(const struct page *page, const struct log *log,
                        const struct run *run)
{
    const size_t shown = page->shown[log - page->logs].of[run - log->runs];

    if (shown)
        fprintf(page->file, "<a href=\"#m%zur%zu\">", page_number(page, log), shown);
    html_verdict(page->file, run->verdict);
    if (shown)
        fputs("</a>", page->file);
}

/* What tells a run from the others of its cell. */
static void put_which(FILE *file, const struct log *log, const struct run *run)
{
    if (log->processor_count > 1)
        html_text(file, "processor %zu", run->processor);
    else
        html_text(file, "run %zu", run->number);
}

/* Runs of one verdict: a line each where it leads further, else all in one. */
static void put_alike(const struct page *page, const struct log *log,
                      const struct run *worst, enum verdict verdict)
{
    const struct planned row = { worst->workload, worst->filter };
    const char *between = " ";
    bool begun = false;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (!is_of(run, row, worst->method) || run->verdict != verdict)
            continue;
        if (!begun || verdict >= MEASURED) {
            fprintf(page->file, "%s<li class=\"%s\">", begun ? "</li>\n" : "",
                    html_verdict_class(verdict));
            put_verdict(page, log, run);
            between = " ";
        }
        fputs(between, page->file);
        put_which(page->file, log, run);
        between = ", ";
        begun = true;
    }
    if (begun)
        fputs("</li>\n", page->file);
}

static void put_many(const struct page *page, const struct log *log,
                     const struct cell *cell)
{
    fputs("<details><summary>", page->file);
    html_verdict(page->file, cell->worst->verdict);
    fprintf(page->file, " %zu/%zu</summary>\n<ul>\n", cell->alike, cell->runs);
    for (int verdict = VERDICTS - 1; verdict >= PASS; verdict--)
        put_alike(page, log, cell->worst, (enum verdict)verdict);
    fputs("</ul></details>", page->file);
}

static void put_cell(const struct page *page, const struct log *log,
                     const struct cell *cell)
{
    if (!cell->worst) {
        fputs("<td data-rank=\"-1\">...</td>", page->file);
        return;
    }
    fprintf(page->file, "<td class=\"%s\" data-rank=\"%d\">",
            html_verdict_class(cell->worst->verdict), (int)cell->worst->verdict);
    if (cell->runs > 1 && (cell->worst->verdict >= MEASURED || cell->alike < cell->runs))
        put_many(page, log, cell);
    else
        put_verdict(page, log, cell->worst);
    fputs("</td>", page->file);
}

static struct planned row_of(const struct log *log, size_t at)
{
    const size_t filters = filters_of(log);

    return (struct planned){ log->planned[at / filters],
                             log->filter_count ? log->filters[at % filters] : 0 };
}

static bool row_fails(const struct log *log, size_t at)
{
    for (size_t i = 0; i < log->method_count; i++) {
        const struct cell cell = cell_of(log, row_of(log, at), log->methods[i]);

        if (cell.worst && cell.worst->verdict >= FAIL)
            return true;
    }
    return false;
}

/* shown: which row of the table it is, from 0. */
static void put_row(const struct page *page, const struct log *log, size_t at, size_t shown)
{
    const struct planned row = row_of(log, at);
    struct cell cells[METHODS_MAX];
    bool all_pass = true;

    for (size_t i = 0; i < log->method_count; i++) {
        cells[i] = cell_of(log, row, log->methods[i]);
        all_pass = all_pass && cells[i].worst && cells[i].worst->verdict == PASS;
    }
    fprintf(page->file, "<tr data-at=\"%zu\"%s>", shown,
            all_pass ? " class=\"all-pass\"" : "");
    html_element(page->file, "th scope=\"row\"", "%s%s%s", row.workload->own->name,
                 log->filter_count ? " " : "",
                 log->filter_count ? filter_words(row.filter) : "");
    for (size_t i = 0; i < log->method_count; i++)
        put_cell(page, log, &cells[i]);
    fputs("</tr>\n", page->file);
}

static void begin_table(const struct page *page, const struct log *log)
{
    fprintf(page->file,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
            "aria-labelledby=\"verdicts-%zu\">\n<table class=\"matrix\">\n<thead><tr>",
            page_number(page, log));
}

/* Those that fail stand first, as `check` has them. */
static void put_rows(const struct page *page, const struct log *log)
{
    const size_t count = log->planned_count * filters_of(log);
    size_t shown = 0;

    for (int fails = 1; fails >= 0; fails--)
        for (size_t i = 0; i < count; i++)
            if (row_fails(log, i) == fails)
                put_row(page, log, i, shown++);
}

static void put_planned(const struct page *page, const struct log *log)
{
    begin_table(page, log);
    fprintf(page->file,
            "<th scope=\"col\"><button class=\"sort\" type=\"button\" disabled>workload%s"
            "</button></th>",
            log->filter_count ? ", left out" : "");
    for (size_t i = 0; i < log->method_count; i++) {
        fputs("<th scope=\"col\"><button class=\"sort\" type=\"button\" disabled>",
              page->file);
        html_text(page->file, "%s", log->methods[i]->name);
        fputs("</button></th>", page->file);
    }
    fputs("</tr></thead>\n<tbody>\n", page->file);
    put_rows(page, log);
    fputs("</tbody>\n</table>\n</div>\n", page->file);
}

/* The runs of a log of commands, in their order. */
static void put_list(const struct page *page, const struct log *log)
{
    begin_table(page, log);
    fputs("<th scope=\"col\">run</th><th scope=\"col\">method</th>"
          "<th scope=\"col\">workload</th><th scope=\"col\">verdict</th></tr></thead>\n"
          "<tbody>\n",
          page->file);
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];
        const struct cell cell = { run->end_line ? run : NULL, 1, 1 };
        char *processor = processor_text(log, run);

        fputs("<tr>", page->file);
        html_element(page->file, "th scope=\"row\"", "%zu", run->number);
        html_element(page->file, "td", "%s", run->method->name);
        html_element(page->file, "td", "%s%s%s", run->workload->own->name,
                     filter_suffix(run), processor);
        put_cell(page, log, &cell);
        fputs("</tr>\n", page->file);
        free(processor);
    }
    fputs("</tbody>\n</table>\n</div>\n", page->file);
}

void page_matrix(const struct page *page, const struct log *log)
{
    if (!log->by_command && log->plan_line)
        put_planned(page, log);
    else if (log->run_count)
        put_list(page, log);
    else
        fputs("<p>No run was made.</p>\n", page->file);
}
