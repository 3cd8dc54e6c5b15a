/*
 * What the methods cost: for each machine one workload, the one that tells most.
 */
#include "cost.h"
#include "page.h"

#define BAR_WIDTH  160
#define BAR_HEIGHT 10

static bool has_cost(const struct log *log)
{
    return !log->log_error && log->run_count && cost_best(log) != NULL;
}

bool page_has_cost(const struct page *page)
{
    for (size_t i = 0; i < page->count; i++)
        if (has_cost(&page->logs[i]))
            return true;
    return false;
}

static uint64_t most_ticks(const struct cost_table *table)
{
    uint64_t most = 1;

    for (size_t i = 0; i < table->count; i++)
        most = table->methods[i].ticks > most ? table->methods[i].ticks : most;
    return most;
}

static void put_per_branch(FILE *file, const struct cost_table *table, uint64_t count)
{
    if (table->branches)
        html_element(file, "td class=\"number\"", "%.2f",
                     (double)count / (double)table->branches);
    else
        html_element(file, "td class=\"number\"", "-");
}

static void put_method(FILE *file, const struct cost_table *table, const struct cost *cost)
{
    const double part = (double)cost->ticks / (double)most_ticks(table);

    fputs("<tr>", file);
    html_element(file, "th scope=\"row\"", "%s", cost->method->name);
    html_element(file, "td class=\"number\"", "%llu", (unsigned long long)cost->events);
    put_per_branch(file, table, cost->events);
    html_element(file, "td class=\"number\"", "%llu", (unsigned long long)cost->ticks);
    put_per_branch(file, table, cost->ticks);
    fprintf(file,
            "<td><svg class=\"bars\" width=\"%d\" height=\"%d\" aria-hidden=\"true\">"
            "<rect class=\"bar-back\" width=\"%d\" height=\"%d\"/>"
            "<rect class=\"bar\" width=\"%.1f\" height=\"%d\"/></svg></td>",
            BAR_WIDTH, BAR_HEIGHT, BAR_WIDTH, BAR_HEIGHT, part * BAR_WIDTH, BAR_HEIGHT);
    html_element(file, "td", "%s",
                 cost->failed ? "FAIL: a run left what it should not" : "");
    fputs("</tr>\n", file);
}

/* Branch-step against single-step, in what each has to stop for. */
static void put_headline(FILE *file, const struct cost_table *table)
{
    const struct cost *step = cost_by(table, "step"), *btf = cost_by(table, "btf");

    if (step && btf && btf->events)
        html_element(file, "p",
                     "Single-stepping takes %llu debug exceptions, branch-stepping %llu: "
                     "%.1f times fewer.",
                     (unsigned long long)step->events, (unsigned long long)btf->events,
                     (double)step->events / (double)btf->events);
}

static void put_table(const struct page *page, const struct log *log)
{
    FILE *file = page->file;
    struct cost_table table;

    cost_of(&table, log, cost_best(log));
    fputs("<h3>", file);
    page_name(page, log);
    fputs("</h3>\n", file);
    put_headline(file, &table);
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Cost\">\n"
          "<table>\n",
          file);
    html_element(file, "caption", "%s: %llu instructions, %llu branches%s",
                 table.workload->own->name, (unsigned long long)table.insns,
                 (unsigned long long)table.branches,
                 log->cpu.platform && log->cpu.platform->emulated
                     ? "; ticks are those of an emulator, and nothing of silicon"
                     : "");
    fputs("<thead><tr><th scope=\"col\">method</th>"
          "<th scope=\"col\" class=\"number\">events</th>"
          "<th scope=\"col\" class=\"number\">for each branch</th>"
          "<th scope=\"col\" class=\"number\">ticks</th>"
          "<th scope=\"col\" class=\"number\">ticks for each branch</th>"
          "<th scope=\"col\">ticks as a bar</th>"
          "<th scope=\"col\"><span class=\"hidden\">remark</span></th></tr></thead>\n"
          "<tbody>\n",
          file);
    for (size_t i = 0; i < table.count; i++)
        put_method(file, &table, &table.methods[i]);
    fputs("</tbody>\n</table>\n</div>\n", file);
}

void page_cost(const struct page *page)
{
    if (!page_has_cost(page))
        return;
    fputs("<section aria-labelledby=\"cost\">\n<h2 id=\"cost\">Cost</h2>\n"
          "<p>What each method takes for one workload, the one that tells most. Events are "
          "debug exceptions or interrupts, ticks those of the time-stamp counter from "
          "before the window to after it, the least of the runs.</p>\n",
          page->file);
    for (size_t i = 0; i < page->count; i++)
        if (has_cost(&page->logs[i]))
            put_table(page, &page->logs[i]);
    fputs("</section>\n", page->file);
}
