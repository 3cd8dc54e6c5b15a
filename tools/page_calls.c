/*
 * The calls of a run on the page: those that have the same way from the window are one
 * row, with what all of them took.
 */
#include <stdlib.h>

#include "functions.h"
#include "page.h"
#include "page_trace.h"

#define NODES_MAX  400 /* rows; deeper or later ones are counted */
#define INDENT_MAX 12  /* levels that page.css has a step for    */

struct node {
    uint64_t function;
    enum frame_kind kind;
    size_t parent, depth;
    uint64_t times, self, children;
    bool at_least;
};

struct calls {
    struct node *nodes; /* each behind its parent, not all in the order of the tree */
    size_t count, room;
    size_t *path; /* the node at each depth, SIZE_MAX: it has none */
    size_t path_room;
    uint64_t left_out;
    bool gaps;
};

/* The node of that parent for this frame, made if there is room for it. */
static size_t node_of(struct calls *calls, size_t parent, size_t depth,
                      const struct frame *frame)
{
    for (size_t i = 0; i < calls->count; i++)
        if (calls->nodes[i].parent == parent && calls->nodes[i].depth == depth &&
            calls->nodes[i].function == frame->function &&
            calls->nodes[i].kind == frame->kind)
            return i;
    if (calls->count == NODES_MAX || (depth > 0 && parent == SIZE_MAX))
        return SIZE_MAX;
    calls->nodes = more_room(calls->nodes, &calls->room, calls->count, sizeof(struct node));
    calls->nodes[calls->count] = (struct node){
        .function = frame->function, .kind = frame->kind, .parent = parent, .depth = depth
    };
    return calls->count++;
}

static void take(struct calls *calls, const struct call *call)
{
    const size_t depth = call->depth;
    struct node *node;

    if (call->step == CALL_ENTERED) {
        while (depth >= calls->path_room)
            calls->path =
                more_room(calls->path, &calls->path_room, calls->path_room, sizeof(size_t));
        calls->path[depth] =
            node_of(calls, depth ? calls->path[depth - 1] : SIZE_MAX, depth, &call->frame);
    } else if (call->step == CALL_GAP) {
        calls->gaps = true;
    } else if (call->step == CALL_LEFT && calls->path) {
        if (calls->path[depth] == SIZE_MAX) {
            calls->left_out++;
            return;
        }
        node = &calls->nodes[calls->path[depth]];
        node->times++;
        node->self += call->frame.self;
        node->children += call->frame.children;
        node->at_least |= call->frame.at_least;
    }
}

static void watch(struct calls *calls, const struct page_trace *trace)
{
    struct code code;
    struct walk walk;
    struct calltree tree;
    struct call call;

    code_of(&code, trace->log);
    walk_of(&walk, &code, trace->log, trace->run);
    calltree_of(&tree, &walk, trace->symbols);
    while (calltree_next(&tree, &call))
        take(calls, &call);
    calltree_free(&tree);
    walk_free(&walk);
    code_free(&code);
}

static void put_node(FILE *file, const struct symbols *symbols, const struct node *node)
{
    static const char *const kinds[] = {
        [FRAME_CALLED] = "",
        [FRAME_JUMPED] = " (jumped to)",
        [FRAME_HANDLER] = " (handler)",
        [FRAME_SYSTEM] = " (system call)",
        [FRAME_UNKNOWN] = " (not known)",
    };
    const char *at_least = node->at_least ? "+" : "";
    char *name = function_name(symbols, node->function);

    fprintf(file, "<tr><th scope=\"row\" class=\"d%zu\">",
            node->depth < INDENT_MAX ? node->depth : INDENT_MAX);
    html_text(file, "%s%s", name, kinds[node->kind]);
    fputs("</th>", file);
    html_element(file, "td class=\"number\"", "%zu", node->depth);
    html_element(file, "td class=\"number\"", "%llu", (unsigned long long)node->times);
    html_element(file, "td class=\"number\"", "%llu%s", (unsigned long long)node->self,
                 at_least);
    html_element(file, "td class=\"number\"", "%llu%s",
                 (unsigned long long)node->self + node->children, at_least);
    fputs("</tr>\n", file);
    free(name);
}

/* In the order of the tree: a node, and then what it called. */
static void put_below(FILE *file, const struct symbols *symbols, const struct calls *calls,
                      size_t parent)
{
    for (size_t i = parent == SIZE_MAX ? 0 : parent + 1; i < calls->count; i++)
        if (calls->nodes[i].parent == parent) {
            put_node(file, symbols, &calls->nodes[i]);
            put_below(file, symbols, calls, i);
        }
}

void page_calls(FILE *file, const struct page_trace *trace)
{
    struct calls calls = { 0 };

    watch(&calls, trace);
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Calls\">\n"
          "<table class=\"tree\">\n<caption>Calls; what has the same way from the outside "
          "is one row. Instructions with a + are at least so many.</caption>\n"
          "<thead><tr><th scope=\"col\">function</th>"
          "<th scope=\"col\" class=\"number\">depth</th>"
          "<th scope=\"col\" class=\"number\">times</th>"
          "<th scope=\"col\" class=\"number\">own instructions</th>"
          "<th scope=\"col\" class=\"number\">with callees</th></tr></thead>\n<tbody>\n",
          file);
    put_below(file, trace->symbols, &calls, SIZE_MAX);
    fputs("</tbody>\n</table>\n</div>\n", file);
    if (calls.left_out)
        html_element(file, "p class=\"small\"",
                     "And %llu calls on further ways; `everybranch wt` has them all.",
                     (unsigned long long)calls.left_out);
    if (calls.gaps)
        fputs("<p class=\"small\">Of this run not all is known: parts of it left no record."
              "</p>\n",
              file);
    free(calls.nodes);
    free(calls.path);
}
