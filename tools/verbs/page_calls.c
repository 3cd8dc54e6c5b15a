/*
 * The calls of a run on the page: those that have the same way from the window are one
 * row, with what all of them took.
 */
#include "page_trace.h"

#include <stdio.h>
#include <stdlib.h>

#include "chains.h"
#include "functions.h"
#include "html.h"

#define ROWS_MAX   400 /* of a run; further ones are counted         */
#define INDENT_MAX 12  /* levels that page.css has a step for    */

struct rows {
    FILE *file;
    const struct symbols *symbols;
    const struct chains *chains;
    size_t count;
};

static void watch(struct chains *chains, const struct page_trace *trace)
{
    struct code code;
    struct walk walk;

    code_of(&code, trace->log);
    walk_of(&walk, &code, trace->log, trace->run);
    chains_of(chains, &walk, trace->symbols);
    walk_free(&walk);
    code_free(&code);
}

static void put_chain(FILE *file, const struct symbols *symbols, const struct chain *node)
{
    static const char *const kinds[] = {
        [FRAME_CALLED] = "",
        [FRAME_JUMPED] = " (jumped to)",
        [FRAME_HANDLER] = " (handler)",
        [FRAME_SYSTEM] = " (system call)",
        [FRAME_UNKNOWN] = " (not known)",
    };
    const char *at_least = node->at_least ? "+" : "";
    const size_t depth = node->depth - 1;
    char *name = function_name(symbols, node->function);

    fprintf(file, "<tr><th scope=\"row\" class=\"d%zu\">",
            depth < INDENT_MAX ? depth : INDENT_MAX);
    html_text(file, "%s%s", name, kinds[node->kind]);
    fputs("</th>", file);
    html_element(file, "td class=\"number\"", "%zu", depth);
    html_element(file, "td class=\"number\"", "%llu", (unsigned long long)node->times);
    html_element(file, "td class=\"number\"", "%llu%s", (unsigned long long)node->self,
                 at_least);
    html_element(file, "td class=\"number\"", "%llu%s",
                 (unsigned long long)node->self + node->children, at_least);
    fputs("</tr>\n", file);
    free(name);
}

/* In the order of the tree: a chain, and then what was called from there. */
static void put_below(struct rows *rows, size_t above)
{
    for (size_t i = rows->chains->at[above].below; i && rows->count < ROWS_MAX;
         i = rows->chains->at[i].beside) {
        put_chain(rows->file, rows->symbols, &rows->chains->at[i]);
        rows->count++;
        put_below(rows, i);
    }
}

void page_calls(FILE *file, const struct page_trace *trace)
{
    struct chains chains;
    struct rows rows = { file, trace->symbols, &chains, 0 };

    watch(&chains, trace);
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Calls\">\n"
          "<table class=\"tree\">\n<caption>Calls; what has the same way from the outside "
          "is one row. Instructions with a + are at least so many.</caption>\n"
          "<thead><tr><th scope=\"col\">function</th>"
          "<th scope=\"col\" class=\"number\">depth</th>"
          "<th scope=\"col\" class=\"number\">times</th>"
          "<th scope=\"col\" class=\"number\">own instructions</th>"
          "<th scope=\"col\" class=\"number\">with callees</th></tr></thead>\n<tbody>\n",
          file);
    put_below(&rows, 0);
    fputs("</tbody>\n</table>\n</div>\n", file);
    if (rows.count < chains.count - 1)
        html_element(file, "p class=\"small\"",
                     "And %zu further ways; `everybranch wt` has all calls.",
                     chains.count - 1 - rows.count);
    if (chains.gaps)
        fputs("<p class=\"small\">Of this run not all is known: parts of it left no record."
              "</p>\n",
              file);
    chains_free(&chains);
}
