/*
 * The verdicts of each machine, and below them what was skipped there.
 */
#include "page.h"

#include <stdlib.h>
#include <string.h>

/* Skips: each reason once for a method, with the workloads unless it is all of them. */

static bool same_skip(const struct run *a, const struct run *b)
{
    return a->end_line && b->end_line && a->verdict == SKIP && b->verdict == SKIP &&
           a->method == b->method && strcmp(a->why, b->why) == 0;
}

static bool logged(const struct log *log, size_t run)
{
    for (size_t i = 0; i < run; i++)
        if (same_skip(&log->runs[i], &log->runs[run]))
            return true;
    return false;
}

static void put_skip(FILE *file, const struct log *log, const struct run *run)
{
    const struct loaded *last = NULL;
    const char *before = " on ";
    bool all = true;

    fputs("<li>", file);
    html_element(file, "strong", "%s", run->method->name);
    for (size_t i = 0; i < log->run_count; i++)
        all = all && (log->runs[i].method != run->method || same_skip(&log->runs[i], run));
    for (size_t i = 0; !all && i < log->run_count; i++)
        if (same_skip(&log->runs[i], run) && log->runs[i].workload != last) {
            last = log->runs[i].workload; /* whatever the filter, on whichever processor */
            html_text(file, "%s%s", before, last->own->name);
            before = ", ";
        }
    html_text(file, ": %s", run->why);
    fputs("</li>\n", file);
}

static void put_skips(FILE *file, const struct log *log)
{
    bool any = false;

    for (size_t i = 0; i < log->run_count; i++) {
        if (!log->runs[i].end_line || log->runs[i].verdict != SKIP || logged(log, i))
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
        page_matrix(page, log);
        put_skips(page->file, log);
        fputs("</div>\n", page->file);
    }
    fputs("</div>\n</section>\n", page->file);
}
