/*
 * What is not as it should be: each run with the records around its first difference,
 * and the rules that it was held against, each with its source.
 */
#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "heap.h"
#include "judge.h"
#include "processors.h"
#include "report.h"
#include "text.h"

#define OPEN_MAX 1 /* runs of a machine that are open at first */

static bool differs(const struct run *run)
{
    return run->end_line && run->verdict >= MEASURED;
}

/* The number of the shown run that this one is, or that is like it; 0: there is none. */
static size_t place_of(struct page_shown *shown, const struct log *log, size_t run)
{
    if (!differs(&log->runs[run]))
        return 0;
    for (size_t i = 0; i < shown->count; i++)
        if (processors_alike(&log->runs[shown->runs[i]], &log->runs[run]))
            return shown->runs[i] + 1;
    if (shown->count == PAGE_SHOWN_MAX) {
        shown->left++;
        return 0;
    }
    shown->runs[shown->count++] = run;
    return run + 1;
}

void page_find_differences(struct page *page)
{
    page->shown = zeroed(page->count, sizeof(*page->shown));
    for (size_t i = 0; i < page->count; i++) {
        const struct log *log = &page->logs[i];
        struct page_shown *shown = &page->shown[i];

        shown->of = zeroed(log->run_count, sizeof(*shown->of));
        for (size_t j = 0; j < log->run_count; j++)
            shown->of[j] = place_of(shown, log, j);
    }
}

void page_forget_differences(struct page *page)
{
    for (size_t i = 0; i < page->count; i++)
        free(page->shown[i].of);
    free(page->shown);
}

static void put_row(FILE *file, const struct context *c, size_t row)
{
    const uint64_t got = c->got - c->here + row, want = c->want - c->here + row;

    fprintf(file, row == c->here ? "<tr class=\"here\">" : "<tr>");
    html_element(file, "td", "%s", row == c->here ? "\u25b6 differs" : "");
    html_element(file, "td class=\"number\"", "%llu", (unsigned long long)got + 1);
    html_element(file, "td", "%s", c->rows[row].got);
    if (c->got != c->want)
        html_element(file, "td class=\"number\"", "%llu", (unsigned long long)want + 1);
    html_element(file, "td", "%s", c->rows[row].want);
    fputs("</tr>\n", file);
}

static void put_records(FILE *file, const struct context *c)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
          "aria-label=\"Records around the difference\">\n<table class=\"records\">\n",
          file);
    html_element(file, "caption", "The records around it, oldest first (%s)",
                 check_class_name(c->class));
    fputs("<thead><tr><th scope=\"col\"><span class=\"hidden\">mark</span></th>"
          "<th scope=\"col\">record</th><th scope=\"col\">got</th>",
          file);
    if (c->got != c->want)
        fputs("<th scope=\"col\">of wanted</th>", file);
    fputs("<th scope=\"col\">want</th></tr></thead>\n<tbody>\n", file);
    for (size_t i = 0; i < c->count; i++)
        put_row(file, c, i);
    fputs("</tbody>\n</table>\n</div>\n", file);
}

static void put_limit(FILE *file, const struct limit *limit)
{
    html_text(file, "%s", limit->what);
    html_element(file, "span class=\"source\"", "%s: %s", limit->confidence, limit->source);
}

static void put_rules(FILE *file, const struct log *log, const struct run *run)
{
    struct limit limits[32];
    const struct log of = log_of_processor(log, run->processor);
    size_t count = limits_of_method(run->method, of.cpu.row, limits, COUNT_OF(limits));

    count += record_filter_limits(run->method, of.cpu.row, run->filter, limits + count,
                                  COUNT_OF(limits) - count);
    if (run->context && run->context->rule.what) {
        fputs("<p><strong>It rests on a rule that no manual states:</strong> ", file);
        put_limit(file, &run->context->rule);
        fputs("</p>\n", file);
    }
    fputs("<details><summary>The rules for ", file);
    html_text(file, "%s on %s, with their sources", run->method->name,
              of.cpu.row ? of.cpu.row->name : "an unknown model");
    fputs("</summary>\n<p>What is wanted is the trace of ", file);
    html_element(file, "code", "%s", run->workload->own->name);
    html_text(file, " (%s) as its author wrote it, less what this method cannot show:",
              run->workload->own->about);
    fputs("</p>\n<ul class=\"limits\">\n", file);
    for (size_t i = 0; i < count; i++) {
        fputs("<li>", file);
        put_limit(file, &limits[i]);
        fputs("</li>\n", file);
    }
    fputs("</ul>\n</details>\n", file);
}

static void put_run(const struct page *page, const struct log *log, size_t at, bool open)
{
    const struct run *run = &log->runs[at];
    FILE *file = page->file;
    char buffer[LOG_LINE_MAX];
    struct text who = text_into(buffer, sizeof(buffer));

    processors_like(log, at, &who);

    fprintf(file, "<details class=\"box on-paper\" id=\"m%zur%zu\"%s>\n<summary>",
            page_number(page, log), at + 1, open ? " open" : "");
    fprintf(file, "<span class=\"%s\">", html_verdict_class(run->verdict));
    html_verdict(file, run->verdict);
    fputs("</span> ", file);
    html_element(file, "span class=\"title\"", "%s, %s%s%s", run->method->name,
                 run->workload->own->name, filter_suffix(run), who.at);
    html_element(file, "span class=\"why\"", "%s", run->why);
    fputs("</summary>\n<div class=\"inside\">\n", file);
    html_element(file, "p class=\"small\"", "%s:%zu, run %zu of %zu", log->name, run->where,
                 run->number, log->run_count);
    if (run->context)
        put_records(file, run->context);
    put_rules(file, log, run);
    fputs("</div>\n</details>\n", file);
}

static void put_runs(const struct page *page, const struct log *log)
{
    const struct page_shown *shown = &page->shown[log - page->logs];

    for (size_t i = 0; i < shown->count; i++)
        put_run(page, log, shown->runs[i], i < OPEN_MAX);
    if (shown->left)
        html_element(page->file, "p",
                     "And %zu more, which the table above has; `everybranch check` tells "
                     "of each.",
                     shown->left);
}

/* What belongs to no single run; a method that disagrees with several is one of these. */

static bool logged(const struct log *log, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (complaints_of_one(&log->complaints[i], &log->complaints[at]))
            return true;
    return false;
}

static void put_complaint(FILE *file, const struct log *log, size_t at)
{
    const char *before = "; and so with ";

    fputs("<li>", file);
    html_text(file, "line %zu: %s", log->complaints[at].line, log->complaints[at].what);
    for (size_t i = at + 1; i < log->complaint_count; i++)
        if (complaints_of_one(&log->complaints[i], &log->complaints[at])) {
            html_text(file, "%s%s", before, log->complaints[i].other);
            before = ", ";
        }
    fputs("</li>\n", file);
}

static void put_complaints(FILE *file, const struct log *log)
{
    size_t shown = 0;

    if (log->complaint_count == 0)
        return;
    fputs("<details class=\"box on-paper\">\n<summary>", file);
    html_element(file, "span class=\"title\"", "Of no single run: %zu",
                 log->complaint_count);
    fputs("</summary>\n<div class=\"inside\"><ul class=\"plain\">\n", file);
    for (size_t i = 0; i < log->complaint_count; i++)
        if (!logged(log, i) && shown++ < PAGE_SHOWN_MAX)
            put_complaint(file, log, i);
    fputs("</ul></div>\n</details>\n", file);
}

static void put_log_error(FILE *file, const struct log *log)
{
    char *where = where_text(log, log->error_line);

    fprintf(file, "<p><span class=\"%s\">", html_verdict_class(ERROR));
    html_verdict(file, ERROR);
    fputs("</span> ", file);
    html_text(file, "%s: %s", where, log->log_error);
    fputs(". What is said of this machine ends there.</p>\n", file);
    free(where);
}

void page_differences(const struct page *page)
{
    bool any = false;

    fputs("<section aria-labelledby=\"differences\">\n"
          "<h2 id=\"differences\">Differences</h2>\n",
          page->file);
    for (size_t i = 0; i < page->count; i++) {
        const struct log *log = &page->logs[i];
        const enum verdict verdict = log_verdict(log);

        if (verdict < MEASURED)
            continue;
        any = true;
        fputs("<h3>", page->file);
        page_name(page, log);
        fputs("</h3>\n", page->file);
        if (log->log_error)
            put_log_error(page->file, log);
        put_complaints(page->file, log);
        put_runs(page, log);
    }
    if (!any)
        fputs("<p>None: every record is what it had to be.</p>\n", page->file);
    fputs("</section>\n", page->file);
}
