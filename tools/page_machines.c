/*
 * The machines: who they are and what they can do, side by side.
 */
#include "page.h"

#include <stdlib.h>
#include <string.h>

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

static void put_badge(FILE *file, const struct log *log)
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

static void put_counts(FILE *file, const struct log *log)
{
    static const char *const words[VERDICTS] = { "pass", "skip", "measured", "fail",
                                                 "error" };
    const struct sums sums = page_sums(log);
    const char *before = ": ";

    html_text(file, "%zu run%s", sums.runs, sums.runs == 1 ? "" : "s");
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
    put_badge(file, log);
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

/* The table: a row for each fact, a column for each machine. */

static char *span_text(struct span span)
{
    return format_text("%.*s", SPAN(span));
}

static char *processor(const struct log *log)
{
    return span_text(log->cpu.brand);
}

static char *signature(const struct log *log)
{
    return format_text("%s family 0x%x model 0x%x stepping 0x%x", log->cpu.id.vendor,
                       log->cpu.id.family, log->cpu.id.model, log->cpu.id.stepping);
}

static char *microcode(const struct log *log)
{
    return span_text(log->cpu.microcode);
}

static char *model(const struct log *log)
{
    return log->cpu.row ? format_text("%s: %s", log->cpu.row->name, log->cpu.row->about)
                        : format_text("unknown: no row for this processor");
}

static char *model_source(const struct log *log)
{
    return log->cpu.row
               ? format_text("%s: %s", log->cpu.row->confidence, log->cpu.row->source)
               : format_text("-");
}

static char *depth(const struct log *log)
{
    return log->cpu.lbr_depth ? format_text("%zu records", log->cpu.lbr_depth)
                              : format_text("no stack that is known");
}

static char *runs_on(const struct log *log)
{
    const char *announced = log->cpu.hypervisor.length ? "" : "no hypervisor announced";

    if (log->cpu.platform)
        return format_text("%s: %s", log->cpu.platform->name, log->cpu.platform->about);
    return format_text(
        "%s%.*s%s", announced, SPAN(log->cpu.hypervisor),
        log->cpu.hypervisor.length ? ": not known, what it leaves is not judged" : "");
}

static char *machine(const struct log *log)
{
    return format_text("%.*s %.*s", SPAN(log->system_vendor), SPAN(log->system_product));
}

static char *bios(const struct log *log)
{
    return log->bios_line ? format_text("%.*s %.*s, %.*s, Secure Boot %.*s",
                                        SPAN(log->bios_vendor), SPAN(log->bios_version),
                                        SPAN(log->bios_date), SPAN(log->secure_boot))
                          : format_text("-");
}

static char *firmware(const struct log *log)
{
    return format_text("%.*s %.*s", SPAN(log->vendor), SPAN(log->revision));
}

static char *build(const struct log *log)
{
    return span_text(log->build);
}

static const struct {
    const char *what;
    char *(*of)(const struct log *);
} facts[] = {
    { "Processor", processor },
    { "Signature", signature },
    { "Microcode", microcode },
    { "Runs on", runs_on },
    { "Row of the table", model },
    { "Source of the row", model_source },
    { "Last-branch stack", depth },
    { "Machine", machine },
    { "BIOS", bios },
    { "Firmware", firmware },
    { "Kernel's build", build },
};

static void put_group(const struct page *page, const char *title)
{
    fprintf(page->file, "<tr><th scope=\"rowgroup\" colspan=\"%zu\">", page->count + 1);
    html_text(page->file, "%s", title);
    fputs("</th></tr>\n", page->file);
}

static void put_fact(const struct page *page, size_t fact)
{
    fputs("<tr>", page->file);
    html_element(page->file, "th scope=\"row\"", "%s", facts[fact].what);
    for (size_t i = 0; i < page->count; i++) {
        char *text =
            page->logs[i].cpu.line ? facts[fact].of(&page->logs[i]) : format_text("-");

        html_element(page->file, "td", "%s", text[strspn(text, " ")] ? text : "-");
        free(text);
    }
    fputs("</tr>\n", page->file);
}

/* What came of trying it, and whether the platform is known for that. */
static void put_finding(FILE *file, const struct log *log, enum facility facility)
{
    const struct facility_found *found = &log->cpu.facilities[facility];
    const struct platform_fact *fact = fact_of(log, facility);
    bool expected = fact && fact->findings & FOUND(found->finding);

    if (!found->line) {
        html_element(file, "td", "not tried");
        return;
    }
    fputs("<td>", file);
    html_element(file, "strong", "%s", finding_name(found->finding));
    fputs("<br>", file);
    html_element(file, "span class=\"small\"", "%.*s", SPAN(found->evidence));
    if (fact && !expected && found->finding != DEVIATES && found->finding != AVOIDED) {
        fputs("<br>", file);
        html_element(file, "strong class=\"v-fail\"", "NOT as expected on %s: %s",
                     log->cpu.platform->name, fact->about);
    } else if (fact && found->finding != WORKS && fact->when != MODEL_LACKS && expected) {
        fputs("<br>", file);
        html_element(file, "span class=\"small\"", "as expected on %s: %s",
                     log->cpu.platform->name, fact->about);
    }
    fputs("</td>", file);
}

static void put_facility(const struct page *page, enum facility facility)
{
    fputs("<tr>", page->file);
    html_element(page->file, "th scope=\"row\"", "%s", facility_names[facility]);
    for (size_t i = 0; i < page->count; i++)
        put_finding(page->file, &page->logs[i], facility);
    fputs("</tr>\n", page->file);
}

static void put_notes(const struct page *page, const struct log *log)
{
    for (size_t i = 0; i < log->note_count; i++) {
        fputs("<li>", page->file);
        page_name(page, log);
        html_text(page->file, ": %.*s", SPAN(log->notes[i]));
        fputs("</li>\n", page->file);
    }
    for (size_t i = 0; i < log->avoided_count; i++) {
        const struct subject *s = &log->avoided[i].subject;

        fputs("<li>", page->file);
        page_name(page, log);
        html_text(page->file,
                  ": not tried, since an earlier boot died of it: %.*s%.*s%.*s "
                  "%.*s (see %.*s)",
                  SPAN(s->facility), SPAN(s->method), SPAN(s->word), SPAN(s->workload),
                  SPAN(log->avoided[i].log));
        fputs("</li>\n", page->file);
    }
}

static void put_heads(const struct page *page)
{
    fputs("<thead><tr><th scope=\"col\">Machine</th>", page->file);
    for (size_t i = 0; i < page->count; i++) {
        fputs("<th scope=\"col\">", page->file);
        page_name(page, &page->logs[i]);
        fputs(" ", page->file);
        put_badge(page->file, &page->logs[i]);
        fputs("</th>", page->file);
    }
    fputs("</tr></thead>\n", page->file);
}

void page_machines(const struct page *page)
{
    bool any = false;

    fputs("<section aria-labelledby=\"machines\">\n<h2 id=\"machines\">Machines</h2>\n"
          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"The machines side by side\">\n<table class=\"facts\">\n",
          page->file);
    put_heads(page);
    fputs("<tbody>\n", page->file);
    put_group(page, "Found by trying");
    for (enum facility i = FACILITY_STEP; i < FACILITY_COUNT; i++)
        put_facility(page, i);
    fputs("</tbody>\n<tbody>\n", page->file);
    put_group(page, "Who they are");
    for (size_t i = 0; i < COUNT_OF(facts); i++)
        put_fact(page, i);
    fputs("</tbody>\n</table>\n</div>\n", page->file);
    for (size_t i = 0; i < page->count; i++)
        any = any || page->logs[i].note_count || page->logs[i].avoided_count;
    if (any) {
        fputs("<h3>Notes of the kernel</h3>\n<ul class=\"plain\">\n", page->file);
        for (size_t i = 0; i < page->count; i++)
            put_notes(page, &page->logs[i]);
        fputs("</ul>\n", page->file);
    }
    fputs("</section>\n", page->file);
}
