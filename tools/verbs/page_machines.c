/*
 * The machines side by side: what they can do and who they are.  Each has a column, and
 * one with several kinds of processor a column for each kind.
 */
#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "heap.h"
#include "judge.h"
#include "left.h"
#include "processors.h"
#include "words.h"

struct column {
    const struct log *machine;
    struct log of; /* the machine's log as one of this kind of processor would have it */
    size_t kind;   /* the first processor of it */
};
struct columns {
    const struct page *page;
    struct column *at;
    size_t count, capacity;
};

static bool is_first_of_kind(const struct log *log, size_t processor)
{
    return processor == 0 || log->processors[processor].like == processor;
}

static size_t kinds_of(const struct log *log)
{
    size_t kinds = 0;

    for (size_t i = 0; i < processors_of(log); i++)
        kinds += is_first_of_kind(log, i);
    return kinds;
}

static struct column column_of(const struct log *machine, size_t kind)
{
    struct column column = { machine, log_of_processor(machine, kind), kind };

    column.of.cpu.platform = machine->cpu.platform; /* it is one machine */
    return column;
}

static void find_columns(struct columns *columns, const struct page *page)
{
    *columns = (struct columns){ .page = page };
    for (size_t i = 0; i < page->count; i++)
        for (size_t k = 0; k < processors_of(&page->logs[i]); k++) {
            if (!is_first_of_kind(&page->logs[i], k))
                continue;
            columns->at =
                grow(columns->at, &columns->capacity, columns->count, sizeof(*columns->at));
            columns->at[columns->count++] = column_of(&page->logs[i], k);
        }
}

/* ": processor 2", ": processors 0, 3 to 5" */
static void put_processors(FILE *file, const struct column *column)
{
    const struct log *log = column->machine;
    const char *before = "";
    size_t like = 0;

    for (size_t i = 0; i < log->processor_count; i++)
        like += log->processors[i].like == column->kind;
    html_text(file, ": processor%s ", plural(like));
    for (size_t first = 0, behind; first < log->processor_count; first = behind + 1) {
        for (behind = first;
             behind < log->processor_count && log->processors[behind].like == column->kind;
             behind++) {
        }
        if (behind == first)
            continue;
        html_text(file, "%s%zu", before, first);
        if (behind - first > 1)
            html_text(file, behind - first == 2 ? ", %zu" : " to %zu", behind - 1);
        before = ", ";
    }
}

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

static char *processors(const struct log *log)
{
    if (!log->processors_line)
        return format_text("the first one alone");
    return format_text("%llu of %llu that were found%s",
                       (unsigned long long)log->processors_started,
                       (unsigned long long)log->processors_found,
                       log->processors_started > 1 ? ", all at once" : "");
}

static const struct {
    const char *what;
    char *(*of)(const struct log *);
} facts[] = {
    { "Processor", processor },
    { "Took part", processors },
    { "Signature", signature },
    { "Microcode", microcode },
    { "Runs on", runs_on },
    { "Row of the table", model },
    { "Source of the row", model_source },
    { "Last-branch stack", depth },
    { "Machine", machine },
    { "BIOS", bios },
    { "Firmware", firmware },
    { "Left by the firmware", left_text },
    { "Kernel's build", build },
};

static void put_group(const struct columns *columns, const char *title)
{
    FILE *file = columns->page->file;

    fprintf(file, "<tr><th scope=\"rowgroup\" colspan=\"%zu\">", columns->count + 1);
    html_text(file, "%s", title);
    fputs("</th></tr>\n", file);
}

static void put_fact(const struct columns *columns, size_t fact)
{
    FILE *file = columns->page->file;

    fputs("<tr>", file);
    html_element(file, "th scope=\"row\"", "%s", facts[fact].what);
    for (size_t i = 0; i < columns->count; i++) {
        const struct log *of = &columns->at[i].of;
        char *text = of->cpu.line ? facts[fact].of(of) : format_text("-");

        html_element(file, "td", "%s", text[strspn(text, " ")] ? text : "-");
        free(text);
    }
    fputs("</tr>\n", file);
}

/* What came of trying it, and whether the platform is known for that. */
static void put_probe_result(FILE *file, const struct log *log, enum facility facility)
{
    const struct facility_found *found = &log->cpu.facilities[facility];
    const struct platform_fact *fact = fact_of(log, facility);
    const enum expectation expected = facility_expected(log, facility);

    if (!found->line) {
        html_element(file, "td", "not tried");
        return;
    }
    fputs("<td>", file);
    html_element(file, "strong", "%s", probe_result_name(found->probe_result));
    fputs("<br>", file);
    html_element(file, "span class=\"small\"", "%.*s", SPAN(found->evidence));
    if (fact && platform_is_open(fact) && found->probe_result != AVOIDED) {
        fputs("<br>", file);
        html_element(file, "span class=\"small\"", "not judged on %s: %s",
                     log->cpu.platform->name, fact->about);
    } else if (expected == NOT_AS_EXPECTED) {
        fputs("<br>", file);
        html_element(file, "strong class=\"v-fail\"", "NOT as expected on %s: %s",
                     log->cpu.platform->name, fact->about);
    } else if (expected == AS_EXPECTED && found->probe_result != WORKS &&
               fact->when != MODEL_LACKS) {
        fputs("<br>", file);
        html_element(file, "span class=\"small\"", "as expected on %s: %s",
                     log->cpu.platform->name, fact->about);
    }
    fputs("</td>", file);
}

static void put_facility(const struct columns *columns, enum facility facility)
{
    FILE *file = columns->page->file;

    fputs("<tr>", file);
    html_element(file, "th scope=\"row\"", "%s", facility_names[facility]);
    for (size_t i = 0; i < columns->count; i++)
        put_probe_result(file, &columns->at[i].of, facility);
    fputs("</tr>\n", file);
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
                  "%.*s%s%.*s (see %.*s)",
                  SPAN(s->facility), SPAN(s->method), SPAN(s->word), SPAN(s->workload),
                  s->filter.length ? " filter=" : "", SPAN(s->filter),
                  SPAN(log->avoided[i].log));
        fputs("</li>\n", page->file);
    }
}

static void put_heads(const struct columns *columns)
{
    FILE *file = columns->page->file;

    fputs("<thead><tr><th scope=\"col\">Machine</th>", file);
    for (size_t i = 0; i < columns->count; i++) {
        const struct column *column = &columns->at[i];

        fputs("<th scope=\"col\">", file);
        page_name(columns->page, column->machine);
        if (kinds_of(column->machine) > 1)
            put_processors(file, column);
        fputs(" ", file);
        page_badge(file, column->machine);
        fputs("</th>", file);
    }
    fputs("</tr></thead>\n", file);
}

static void put_table(const struct columns *columns)
{
    FILE *file = columns->page->file;

    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"The machines side by side\">\n<table class=\"facts\">\n",
          file);
    put_heads(columns);
    fputs("<tbody>\n", file);
    put_group(columns, "Found by trying");
    for (enum facility i = FACILITY_STEP; i < FACILITY_COUNT; i++)
        put_facility(columns, i);
    fputs("</tbody>\n<tbody>\n", file);
    put_group(columns, "Who they are");
    for (size_t i = 0; i < COUNT_OF(facts); i++)
        put_fact(columns, i);
    fputs("</tbody>\n</table>\n</div>\n", file);
}

static void put_all_notes(const struct page *page)
{
    bool any = false;

    for (size_t i = 0; i < page->count; i++)
        any = any || page->logs[i].note_count || page->logs[i].avoided_count;
    if (!any)
        return;
    fputs("<h3>Notes of the kernel</h3>\n<ul class=\"plain\">\n", page->file);
    for (size_t i = 0; i < page->count; i++)
        put_notes(page, &page->logs[i]);
    fputs("</ul>\n", page->file);
}

void page_machines(const struct page *page)
{
    struct columns columns;

    find_columns(&columns, page);
    fputs("<section aria-labelledby=\"machines\">\n<h2 id=\"machines\">Machines</h2>\n",
          page->file);
    put_table(&columns);
    put_all_notes(page);
    fputs("</section>\n", page->file);
    free(columns.at);
}
