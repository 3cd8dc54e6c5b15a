/*
 * The verdicts: for each machine a matrix of methods and workloads.
 */
#include "page.h"

#include <stdlib.h>
#include <string.h>

/* All runs of one workload by one method; there may be several. */
struct cell {
    const struct run *worst; /* the first of those, NULL: none was made */
    size_t runs, alike;      /* alike: with that verdict                */
};

static struct cell cell_of(const struct log *log, const struct placed *workload,
                           const struct method_view *method)
{
    struct cell cell = { 0 };

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run->workload != workload || run->method != method || !run->end_line)
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

static void put_cell(const struct page *page, const struct log *log,
                     const struct cell *cell)
{
    const enum verdict verdict = cell->worst ? cell->worst->verdict : SKIP;
    const bool linked = cell->worst && page_shows(log, cell->worst);

    if (!cell->worst) {
        fputs("<td data-rank=\"-1\">...</td>", page->file);
        return;
    }
    fprintf(page->file, "<td class=\"%s\" data-rank=\"%d\">", html_verdict_class(verdict),
            (int)verdict);
    if (linked)
        fprintf(page->file, "<a href=\"#m%zur%zu\">", page_number(page, log),
                page_run(log, cell->worst));
    html_verdict(page->file, verdict);
    if (cell->alike < cell->runs)
        fprintf(page->file, " %zu/%zu", cell->alike, cell->runs);
    fputs(linked ? "</a></td>" : "</td>", page->file);
}

static void put_row(const struct page *page, const struct log *log, size_t at)
{
    const struct placed *workload = log->planned[at];
    struct cell cells[METHODS_MAX];
    bool all_pass = true;

    for (size_t i = 0; i < log->method_count; i++) {
        cells[i] = cell_of(log, workload, log->methods[i]);
        all_pass = all_pass && cells[i].worst && cells[i].worst->verdict == PASS;
    }
    fprintf(page->file, "<tr data-at=\"%zu\"%s>", at,
            all_pass ? " class=\"all-pass\"" : "");
    html_element(page->file, "th scope=\"row\"", "%s", workload->own->name);
    for (size_t i = 0; i < log->method_count; i++)
        put_cell(page, log, &cells[i]);
    fputs("</tr>\n", page->file);
}

static void put_matrix(const struct page *page, const struct log *log)
{
    fprintf(page->file,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
            "aria-labelledby=\"verdicts-%zu\">\n<table class=\"matrix\">\n<thead><tr>",
            page_number(page, log));
    fputs("<th scope=\"col\"><button class=\"sort\" type=\"button\" disabled>workload"
          "</button></th>",
          page->file);
    for (size_t i = 0; i < log->method_count; i++) {
        fputs("<th scope=\"col\"><button class=\"sort\" type=\"button\" disabled>",
              page->file);
        html_text(page->file, "%s", log->methods[i]->name);
        fputs("</button></th>", page->file);
    }
    fputs("</tr></thead>\n<tbody>\n", page->file);
    for (size_t i = 0; i < log->planned_count; i++)
        put_row(page, log, i);
    fputs("</tbody>\n</table>\n</div>\n", page->file);
}

/* The runs of a log of commands, in their order. */
static void put_list(const struct page *page, const struct log *log)
{
    if (log->run_count == 0) {
        fputs("<p>No run was made.</p>\n", page->file);
        return;
    }
    fprintf(page->file,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
            "aria-labelledby=\"verdicts-%zu\">\n<table class=\"matrix\">\n"
            "<thead><tr><th scope=\"col\">run</th><th scope=\"col\">method</th>"
            "<th scope=\"col\">workload</th><th scope=\"col\">verdict</th></tr></thead>\n"
            "<tbody>\n",
            page_number(page, log));
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];
        const struct cell cell = { run->end_line ? run : NULL, 1, 1 };

        fputs("<tr>", page->file);
        html_element(page->file, "th scope=\"row\"", "%zu", run->number);
        html_element(page->file, "td", "%s", run->method->name);
        html_element(page->file, "td", "%s", run->workload->own->name);
        put_cell(page, log, &cell);
        fputs("</tr>\n", page->file);
    }
    fputs("</tbody>\n</table>\n</div>\n", page->file);
}

/* Skips: each reason once for a method, with the workloads unless it is all of them. */

static bool same_skip(const struct run *a, const struct run *b)
{
    return a->end_line && b->end_line && a->verdict == SKIP && b->verdict == SKIP &&
           a->method == b->method && strcmp(a->why, b->why) == 0;
}

static bool told(const struct log *log, size_t run)
{
    for (size_t i = 0; i < run; i++)
        if (same_skip(&log->runs[i], &log->runs[run]))
            return true;
    return false;
}

static void put_skip(FILE *file, const struct log *log, const struct run *run)
{
    const char *before = " on ";
    bool all = true;

    fputs("<li>", file);
    html_element(file, "strong", "%s", run->method->name);
    for (size_t i = 0; i < log->run_count; i++)
        all = all && (log->runs[i].method != run->method || same_skip(&log->runs[i], run));
    for (size_t i = 0; !all && i < log->run_count; i++)
        if (same_skip(&log->runs[i], run)) {
            html_text(file, "%s%s", before, log->runs[i].workload->own->name);
            before = ", ";
        }
    html_text(file, ": %s", run->why);
    fputs("</li>\n", file);
}

static void put_skips(FILE *file, const struct log *log)
{
    bool any = false;

    for (size_t i = 0; i < log->run_count; i++) {
        if (!log->runs[i].end_line || log->runs[i].verdict != SKIP || told(log, i))
            continue;
        if (!any)
            fputs("<details class=\"on-paper\"><summary>What was skipped there, and why"
                  "</summary>\n<ul class=\"plain\">\n",
                  file);
        any = true;
        put_skip(file, log, &log->runs[i]);
    }
    if (any)
        fputs("</ul>\n</details>\n", file);
}

void page_verdicts(const struct page *page)
{
    fputs(
        "<section aria-labelledby=\"verdicts\">\n<h2 id=\"verdicts\">Verdicts</h2>\n"
        "<p class=\"filter\"><input type=\"checkbox\" id=\"only-other\"> "
        "<label for=\"only-other\">Only workloads that do not pass by every method</label>"
        "</p>\n<div class=\"matrices\">\n",
        page->file);
    for (size_t i = 0; i < page->count; i++) {
        const struct log *log = &page->logs[i];

        fprintf(page->file, "<div>\n<h3 id=\"verdicts-%zu\">", i + 1);
        page_name(page, log);
        fputs("</h3>\n", page->file);
        if (log->by_command || !log->plan_line)
            put_list(page, log);
        else
            put_matrix(page, log);
        put_skips(page->file, log);
        fputs("</div>\n", page->file);
    }
    fputs("</div>\n</section>\n", page->file);
}
