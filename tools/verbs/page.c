/*
 * `report`: one page about one machine or several, that needs nothing beside itself.
 *
 * What is in it comes from logs, which anybody may have made.  All text is escaped where
 * it is written (html.h), and the page's policy lets nothing run but its own script.
 */
#include "page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "count_of.h"
#include "heap.h"
#include "json.h"
#include "judge.h"
#include "output.h"
#include "page_source.h"
#include "read.h"
#include "verbs.h"
#include "version.h"
#include "words.h"

#define DEFAULT_NAME "report.html"
#define MARK         "<!-- a report of everybranch -->\n"

static size_t emulated(const struct page *page)
{
    size_t count = 0;

    for (size_t i = 0; i < page->count; i++)
        count += page->logs[i].cpu.platform && page->logs[i].cpu.platform->emulated;
    return count;
}

static void put_head(const struct page *page)
{
    fprintf(page->file,
            "<!DOCTYPE html>\n" MARK
            "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n",
            page_policy);
    html_element(page->file, "title", "Branch-trace report: %zu machine%s", page->count,
                 plural(page->count));
    fprintf(page->file, "\n<style>\n%s</style>\n</head>\n<body>\n", page_style);
}

static void put_lead(const struct page *page)
{
    size_t differ = 0, unusable = 0, runs = 0;
    uint64_t branches = 0;

    for (size_t i = 0; i < page->count; i++) {
        const struct sums sums = page_sums(&page->logs[i]);
        const enum verdict verdict = log_verdict(&page->logs[i]);

        differ += verdict == FAIL;
        unusable += verdict == ERROR;
        runs += sums.runs;
        branches += sums.branches;
    }
    html_element(page->file, "p class=\"lead\"",
                 "%zu machine%s, %zu runs, %llu branches. %s%zu of them show%s a "
                 "difference, %zu in error.",
                 page->count, plural(page->count), runs, (unsigned long long)branches, "",
                 differ, differ == 1 ? "s" : "", unusable);
}

static void put_top(const struct page *page)
{
    fputs("<a class=\"skip-link\" href=\"#main\">Skip to the results</a>\n"
          "<header class=\"top\">\n<div>\n<h1>Branch-trace report</h1>\n",
          page->file);
    put_lead(page);
    fputs("\n</div>\n"
          "<p class=\"theme\" hidden><label for=\"theme\">Theme</label> "
          "<select id=\"theme\"><option value=\"system\">as the system</option>"
          "<option value=\"light\">light</option><option value=\"dark\">dark</option>"
          "</select></p>\n</header>\n",
          page->file);
    fputs("<nav aria-label=\"Sections\">\n<ul>\n"
          "<li><a href=\"#machines\">Machines</a></li>\n"
          "<li><a href=\"#verdicts\">Verdicts</a></li>\n"
          "<li><a href=\"#differences\">Differences</a></li>\n",
          page->file);
    if (page_has_cost(page))
        fputs("<li><a href=\"#cost\">Cost</a></li>\n", page->file);
    if (page_has_traces(page))
        fputs("<li><a href=\"#traces\">Traces</a></li>\n", page->file);
    fputs("<li><a href=\"#reading\">How to read it</a></li>\n</ul>\n</nav>\n", page->file);
}

static void put_loud(const struct page *page)
{
    const size_t count = emulated(page);

    if (!count)
        return;
    fputs("<p class=\"loud\"><strong>", page->file);
    if (count == page->count)
        fputs(count == 1 ? "This machine is emulated"
                         : "All of these machines are emulated",
              page->file);
    else
        html_text(page->file, "%zu of these %zu machines %s emulated", count, page->count,
                  count == 1 ? "is" : "are");
    fputs(":</strong> nothing that was found there is a property of silicon.</p>\n",
          page->file);
}

static void put_reading(const struct page *page)
{
    static const struct {
        enum verdict verdict;
        const char *meaning;
    } legend[] = {
        { PASS,
          "every record is what the workload must leave by that method on that model" },
        { FAIL, "the hardware did otherwise" },
        { MEASURED,
          "silicon did otherwise where no manual states what is right: a finding" },
        { SKIP, "it cannot be done there; the reason stands below the table" },
        { ERROR, "the log or the program is at fault, so nothing is known" },
    };

    fputs("<section aria-labelledby=\"reading\">\n<h2 id=\"reading\">How to read it</h2>\n"
          "<ul class=\"legend\">\n",
          page->file);
    for (size_t i = 0; i < COUNT_OF(legend); i++) {
        fprintf(page->file, "<li><span class=\"%s\">",
                html_verdict_class(legend[i].verdict));
        html_verdict(page->file, legend[i].verdict);
        fputs("</span> ", page->file);
        html_text(page->file, "%s", legend[i].meaning);
        fputs("</li>\n", page->file);
    }
    fputs("</ul>\n<p>A kernel booted from UEFI ran each workload under each method of "
          "tracing and wrote down every branch. This page was made from those logs alone; "
          "they hold no verdict. Each record was held against the trace that is written "
          "under the workload's code, seen through what the method can show on that model "
          "of processor.</p>\n</section>\n",
          page->file);
}

static void put_page(const struct page *page)
{
    put_head(page);
    put_top(page);
    fputs("<main id=\"main\" tabindex=\"-1\">\n", page->file);
    put_loud(page);
    page_cards(page);
    page_machines(page);
    page_verdicts(page);
    page_differences(page);
    page_cost(page);
    page_traces(page);
    put_reading(page);
    fputs("<p id=\"said\" class=\"hidden\" role=\"status\"></p>\n</main>\n<footer>",
          page->file);
    html_text(page->file, "Made by everybranch %s. On paper it has what is open.",
              EVERYBRANCH_BUILD);
    fprintf(page->file, "</footer>\n<script>\n%s</script>\n</body>\n</html>\n",
            page_script);
}

/* A report of before may be written over, and nothing else. */
static bool may_write(const char *name)
{
    static const char begin[] = "<!DOCTYPE html>\n" MARK;
    char there[sizeof(begin)] = "";
    FILE *file = fopen(name, "rb");
    size_t size = file ? fread(there, 1, sizeof(there) - 1, file) : 0;
    bool ours = !file || (size == strlen(begin) && memcmp(there, begin, size) == 0);

    if (file)
        fclose(file);
    return ours;
}

static bool save(const char *name, const char *bytes, size_t size)
{
    if (strcmp(name, "-") == 0)
        return fwrite(bytes, 1, size, stdout) == size;
    if (may_write(name))
        unlink(name);
    return output_new(name, bytes, size);
}

/* What stands on standard output beside the file. */
static void tell(const struct given *given, const char *name, size_t size, int code)
{
    if (given->json) {
        struct json json;

        json_begin(&json, stdout, given->verb->name);
        json_text(&json, "file", name);
        json_count(&json, "bytes", size);
        json_count(&json, "machines", given->count);
        json_end(&json, code);
    } else if (strcmp(name, "-") != 0) {
        printf("%s: %zu machine%s, %zu bytes\n", name, given->count, plural(given->count),
               size);
    }
}

static bool all_usable(const struct log *logs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (logs[i].log_error)
            return false;
    return true;
}

static int make(const struct given *given, const struct log *logs)
{
    const char *name =
        given_has(given, "output") ? given_value(given, "output") : DEFAULT_NAME;
    struct page page = { .logs = logs, .count = given->count };
    char *bytes = NULL;
    size_t size = 0;
    int code = EXIT_UNUSABLE;

    page.file = open_memstream(&bytes, &size);
    if (!page.file)
        return given_wrong(given, "out of memory");
    page_find_differences(&page);
    put_page(&page);
    page_forget_differences(&page);
    if (fclose(page.file) == 0 && save(name, bytes, size)) {
        code = all_usable(logs, given->count) ? EXIT_AS_EXPECTED : EXIT_UNUSABLE;
        tell(given, name, size, code);
    }
    free(bytes);
    return code;
}

/* What is wrong with a log is said; where something could be read there is a page of it. */
static bool read_all(const struct given *given, struct log *logs)
{
    const struct judge_options judging = { .no_skip = given_has(given, "no-skip") };
    bool all = true;

    for (size_t i = 0; i < given->count; i++) {
        log_read(&logs[i], given->operands[i]);
        all = all && (!logs[i].log_error || logs[i].opened);
        judge(&logs[i], &judging);
        log_has_no_error(&logs[i]);
    }
    return all;
}

int verb_report(const struct given *given)
{
    struct log *logs = zeroed(given->count, sizeof(*logs));
    int code = read_all(given, logs) ? make(given, logs) : EXIT_UNUSABLE;

    for (size_t i = 0; i < given->count; i++)
        log_free(&logs[i]);
    free(logs);
    return code;
}
