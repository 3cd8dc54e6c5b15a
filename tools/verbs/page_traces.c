/*
 * What ran, workload by workload: the graph of its blocks, and who called whom.  The code
 * is the same on all machines, so one trace of each workload is shown: of the first machine
 * on which it passed.
 */
#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "cfg.h"
#include "heap.h"
#include "page_trace.h"
#include "progress.h"
#include "select.h"

struct shown {
    const struct log *log;
    const struct run *run;
};

struct traces {
    struct shown *at;
    size_t count, capacity;
};

static bool is_there(const struct traces *traces, const struct run *run)
{
    for (size_t i = 0; i < traces->count; i++)
        if (strcmp(traces->at[i].run->workload->own->name, run->workload->own->name) == 0)
            return true;
    return false;
}

static bool has_runs(const struct log *log)
{
    for (size_t i = 0; i < log->run_count; i++)
        if (!log->runs[i].skipped)
            return !log->log_error;
    return false;
}

/* Of this log the runs of workloads that are not there yet, those that passed if asked. */
static void add_runs(struct traces *traces, const struct log *log, bool passed)
{
    const struct selection any = { 0 };
    const struct run **runs = NULL;
    size_t count = has_runs(log) ? select_runs(log, &any, &runs) : 0;

    for (size_t i = 0; i < count; i++) {
        if (is_there(traces, runs[i]) || (passed && runs[i]->verdict != PASS))
            continue;
        traces->at =
            grow(traces->at, &traces->capacity, traces->count, sizeof(*traces->at));
        traces->at[traces->count++] = (struct shown){ log, runs[i] };
    }
    free(runs);
}

static void find_traces(struct traces *traces, const struct page *page)
{
    for (int passed = 1; passed >= 0; passed--)
        for (size_t i = 0; i < page->count; i++)
            add_runs(traces, &page->logs[i], passed);
}

bool page_has_traces(const struct page *page)
{
    for (size_t i = 0; i < page->count; i++)
        if (has_runs(&page->logs[i]))
            return true;
    return false;
}

/*
 * Pictures have their comments and names of elements taken out: several of them stand in
 * one page, and their names are all the same.
 */
static void put_svg(FILE *file, const char *svg)
{
    while (*svg) {
        const char *end;

        if (strncmp(svg, "<!--", 4) == 0 && (end = strstr(svg, "-->")) != NULL)
            svg = end + 3;
        else if (strncmp(svg, " id=\"", 5) == 0 && (end = strchr(svg + 5, '"')) != NULL)
            svg = end + 1;
        else
            fputc(*svg++, file);
    }
}

/* False: there is no Graphviz, so no other picture need be tried. */
static bool put_display(FILE *file, const struct page_trace *trace)
{
    const struct workload *workload = trace->run->workload->own;
    const struct cfg_look look = { workload->name, trace->symbols, trace->run->workload->at,
                                   0 };
    struct profile profile;
    struct cfg cfg;
    char *svg = NULL;
    bool asked;

    profile_begin(&profile, workload);
    profile_add(&profile, trace->log, trace->run);
    profile_end(&profile);
    cfg_of(&cfg, &profile);
    asked = cfg.block_count <= CFG_READABLE;
    if (asked)
        svg = cfg_svg(&cfg, &look);
    if (svg) {
        fputs("<div class=\"picture\" tabindex=\"0\" role=\"group\" "
              "aria-label=\"Basic blocks\">\n<div role=\"img\" aria-label=\"",
              file);
        html_text(file, "Control-flow graph of %s: %zu blocks, %zu ways between them",
                  workload->name, cfg.block_count, cfg.edge_count);
        fputs("\">\n", file);
        put_svg(file, svg);
        fputs("</div>\n</div>\n", file);
    } else if (!asked) {
        html_element(
            file, "p class=\"small\"",
            "%zu blocks: too many for a picture; `everybranch cfg --function=` draws "
            "one of the functions.",
            cfg.block_count);
    }
    free(svg);
    cfg_free(&cfg);
    profile_free(&profile);
    return svg != NULL || !asked;
}

static void put_trace(const struct page *page, const struct shown *shown, bool *pictures)
{
    const struct run *run = shown->run;
    struct page_trace trace = { shown->log, run, symbols_of(shown->log, run) };
    char *processor = processor_text(shown->log, run);

    fputs("<details class=\"box\">\n<summary>", page->file);
    html_element(page->file, "span class=\"title\"", "%s", run->workload->own->name);
    html_text(page->file, " %s", run->workload->own->about);
    fputs("<span class=\"why\">by ", page->file);
    html_text(page->file, "%s%s%s, on ", run->method->name, filter_suffix(run), processor);
    free(processor);
    page_name(page, shown->log);
    html_text(page->file, ": %llu branches", (unsigned long long)run->branches);
    fputs("</span></summary>\n<div class=\"inside\">\n", page->file);
    if (trace.symbols) {
        if (*pictures)
            *pictures = put_display(page->file, &trace);
        page_calls(page->file, &trace);
    }
    fputs("</div>\n</details>\n", page->file);
    symbols_free(trace.symbols);
}

void page_traces(const struct page *page)
{
    struct traces traces = { 0 };
    struct progress progress;
    bool pictures = true;

    find_traces(&traces, page);
    if (traces.count == 0)
        return;
    fputs(
        "<section aria-labelledby=\"traces\">\n<h2 id=\"traces\">Traces</h2>\n"
        "<p>Of each workload one run: the blocks that ran and the ways between them, and "
        "who called whom. A way that was never taken says so, a hot one is thick. What you "
        "open here is printed too.</p>\n",
        page->file);
    progress_begin(&progress, "drawing", traces.count);
    for (size_t i = 0; i < traces.count; i++) {
        put_trace(page, &traces.at[i], &pictures);
        progress_at(&progress, i);
    }
    progress_end(&progress);
    if (!pictures)
        fputs("<p class=\"loud\">There are no pictures, since Graphviz was not there when "
              "this page was made.</p>\n",
              page->file);
    fputs("</section>\n", page->file);
    free(traces.at);
}
