/*
 * The machines in brief: a card for each, with how it came out.
 */
#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "words.h"

size_t page_number(const struct page *page, const struct log *log)
{
    return (size_t)(log - page->logs) + 1;
}

void page_name(const struct page *page, const struct log *log)
{
    html_text(page->file, "%zu, %s", page_number(page, log),
              log->cpu.row          ? log->cpu.row->name
              : log->cpu.model_line ? "unknown model"
                                    : "unknown machine");
}

void page_badge(FILE *file, const struct log *log)
{
    if (!log->cpu.line)
        return;
    if (log->cpu.platform && log->cpu.platform->emulated)
        html_element(file, "span class=\"badge\"", "emulated");
    else if (log->cpu.hypervisor.length)
        html_element(file, "span class=\"badge\"", "under %s",
                     log->cpu.platform ? log->cpu.platform->name : "a hypervisor");
    else
        html_element(file, "span class=\"badge metal\"", "no hypervisor announced");
}

static const char *outcome_of(const struct log *log)
{
    static const char *const outcomes[VERDICTS] = {
        [PASS] = "all as expected",
        [SKIP] = "all as expected",
        [MEASURED] = "as expected, and something was measured",
        [FAIL] = "a difference",
        [ERROR] = "not usable",
    };

    return outcomes[log_verdict(log)];
}

struct sums page_sums(const struct log *log)
{
    struct sums sums = { 0 };

    for (size_t i = 0; i < log->run_count; i++) {
        if (!log->runs[i].end_line)
            continue;
        sums.verdicts[log->runs[i].verdict]++;
        sums.branches += log->runs[i].branches;
        sums.runs++;
    }
    return sums;
}

static void put_counts(FILE *file, const struct log *log)
{
    static const char *const words[VERDICTS] = { "pass", "skip", "measured", "fail",
                                                 "error" };
    const struct sums sums = page_sums(log);
    const char *before = ": ";

    html_text(file, "%zu run%s", sums.runs, plural(sums.runs));
    for (enum verdict i = PASS; i < VERDICTS; i++)
        if (sums.verdicts[i]) {
            html_text(file, "%s%zu %s", before, sums.verdicts[i], words[i]);
            before = ", ";
        }
}

static void put_card(const struct page *page, const struct log *log)
{
    FILE *file = page->file;
    const enum verdict verdict = log_verdict(log);

    fputs("<li class=\"card\">\n<h3>", file);
    page_name(page, log);
    fputs("</h3>\n<p>", file);
    page_badge(file, log);
    fprintf(file, "</p>\n<p><span class=\"%s\">", html_verdict_class(verdict));
    html_verdict(file, verdict);
    fputs("</span> ", file);
    html_text(file, "%s", outcome_of(log));
    fputs("</p>\n<p>", file);
    put_counts(file, log);
    if (log->complaint_count)
        html_text(file, "; %zu more of no single run", log->complaint_count);
    fputs("</p>\n", file);
    html_element(file, "p class=\"where\"", "%s", log->name);
    fputs("\n</li>\n", file);
}

void page_cards(const struct page *page)
{
    fputs("<section aria-labelledby=\"brief\">\n<h2 id=\"brief\" class=\"hidden\">In "
          "brief</h2>\n"
          "<ul class=\"cards\">\n",
          page->file);
    for (size_t i = 0; i < page->count; i++)
        put_card(page, &page->logs[i]);
    fputs("</ul>\n</section>\n", page->file);
}
