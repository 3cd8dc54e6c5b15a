/*
 * The graph in Graphviz' language.  Two kinds of edges never differ by colour alone: they
 * also differ by a word, the line, or the arrow's head.
 */
#include "cfg.h"

#include <stdio.h>
#include <stdlib.h>

#include "disassembly.h"

static const struct {
    const char *class, *word, *style, *head, *colour;
    bool ranks; /* whether it pulls its blocks one below the other */
} kinds[CFG_KINDS] = {
    [CFG_NEXT] = { "next", "", "solid", "normal", "#57606a", true },
    [CFG_TAKEN] = { "taken", "taken", "solid", "normal", "#1a7f37", true },
    [CFG_NOT_TAKEN] = { "not-taken", "not taken", "solid", "normal", "#bc4c00", true },
    [CFG_JUMP] = { "jump", "", "solid", "normal", "#57606a", true },
    [CFG_CALL] = { "call", "call", "bold", "normal", "#0969da", true },
    [CFG_AFTER] = { "after", "", "dotted", "none", "#8c959f", true },
    [CFG_RETURN] = { "return", "return", "dashed", "empty", "#8250df", false },
    [CFG_EVENT] = { "event", "event", "bold", "diamond", "#cf222e", true },
    [CFG_BACK] = { "back", "back", "dashed", "odiamond", "#cf222e", false },
};

/* Between quotes. */
static void put_quoted(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', out);
        putc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
}

static void put_name(FILE *out, const struct cfg_look *look, uint64_t offset)
{
    put_quoted(out, symbol_text(look->symbols, look->at + offset));
}

static void put_insn(FILE *out, const struct cfg *cfg, const struct cfg_look *look,
                     uint64_t at)
{
    fprintf(out, "+0x%-4llx ", (unsigned long long)at);
    put_quoted(out, insn_text(cfg->profile.workload, at, look->at, look->symbols));
    fputs("\\l", out);
}

static void put_insns(FILE *out, const struct cfg *cfg, const struct cfg_look *look,
                      const struct cfg_block *block)
{
    uint64_t at = block->begin;

    for (uint64_t i = 0; i < block->insns; i++) {
        put_insn(out, cfg, look, at);
        at = profile_next(profile_insn(&cfg->profile, at));
    }
}

static void put_struck(FILE *out, const struct cfg *cfg, const struct cfg_look *look,
                       uint64_t at)
{
    put_insn(out, cfg, look, at);
    fputs("never ran to its end\\l", out);
}

static void put_block(FILE *out, const struct cfg *cfg, const struct cfg_look *look,
                      size_t number)
{
    const struct cfg_block *block = &cfg->blocks[number];

    fprintf(out, "    b%zu [label=\"", number);
    if (block->place < CFG_CALLER)
        put_name(out, look, block->begin);
    switch (block->place) {
    case CFG_RAN:
        fprintf(out, "  x%llu\\l", (unsigned long long)block->times);
        put_insns(out, cfg, look, block);
        fputs("\" class=\"block\"];\n", out);
        break;
    case CFG_STRUCK:
        fputs("\\l", out);
        put_struck(out, cfg, look, block->begin);
        fputs("\" class=\"struck\" style=dashed];\n", out);
        break;
    case CFG_NEVER:
        fprintf(out, "\\n%s", cfg->whole ? "never ran" : "not seen");
        fputs("\" class=\"never\" style=dashed fontcolor=\"#6e7781\" "
              "color=\"#8c959f\"];\n",
              out);
        break;
    case CFG_CALLER:
        fputs("caller\" class=\"outside\" shape=oval];\n", out);
        break;
    case CFG_ELSEWHERE:
        fputs("elsewhere\" class=\"outside\" shape=oval style=dashed];\n", out);
        break;
    }
}

/* Each function in a frame of its own, if there are several. */
static void put_function(FILE *out, const struct cfg *cfg, const struct cfg_look *look,
                         size_t function)
{
    fprintf(out, "  subgraph cluster_%zu {\n    label=\"", function);
    put_name(out, look, cfg->blocks[function].begin);
    fputs("\" class=\"function\" color=\"#8c959f\" style=rounded\n", out);
    for (size_t i = 0; i < cfg->block_count; i++)
        if (cfg->blocks[i].place < CFG_CALLER && cfg->blocks[i].function == function)
            put_block(out, cfg, look, i);
    fputs("  }\n", out);
}

bool cfg_is_function(const struct cfg *cfg, size_t block)
{
    return cfg->blocks[block].place < CFG_CALLER && cfg->blocks[block].function == block;
}

/* True if the picture shows the instructions of this block. */
static bool is_shown(const struct cfg *cfg, const struct cfg_look *look, size_t block)
{
    return !look->only || (cfg->blocks[block].place < CFG_CALLER &&
                           cfg->blocks[block].function == look->only - 1);
}

static bool is_drawn(const struct cfg *cfg, const struct cfg_look *look,
                     const struct cfg_edge *edge)
{
    return is_shown(cfg, look, edge->from) || is_shown(cfg, look, edge->to);
}

/* Another function is only a name, if an edge leads there or comes from there. */
static void put_neighbour(FILE *out, const struct cfg *cfg, const struct cfg_look *look,
                          size_t block)
{
    size_t i = 0;

    while (i < cfg->edge_count &&
           !(is_drawn(cfg, look, &cfg->edges[i]) &&
             (cfg->edges[i].from == block || cfg->edges[i].to == block)))
        i++;
    if (i == cfg->edge_count)
        return;
    if (cfg->blocks[block].place >= CFG_CALLER) {
        put_block(out, cfg, look, block);
        return;
    }
    fprintf(out, "    b%zu [label=\"", block);
    put_name(out, look, cfg->blocks[block].begin);
    fputs("\" class=\"outside\" shape=oval];\n", out);
}

static void put_blocks(FILE *out, const struct cfg *cfg, const struct cfg_look *look)
{
    for (size_t i = 0; i < cfg->block_count; i++) {
        if (!is_shown(cfg, look, i))
            put_neighbour(out, cfg, look, i);
        else if (cfg->blocks[i].place >= CFG_CALLER)
            put_block(out, cfg, look, i);
        else if (cfg->blocks[i].function == i)
            put_function(out, cfg, look, i);
    }
}

static int bits_of(uint64_t number)
{
    int bits = 0;

    for (; number > 1; number >>= 1)
        bits++;
    return bits;
}

/* From 1 for what happened once to 5 for what happened most, by powers of two. */
static double width_of(const struct cfg *cfg, uint64_t times)
{
    return cfg->most > 1 ? 1 + 4.0 * bits_of(times) / bits_of(cfg->most) : 1;
}

/* True if a transfer along this edge is missing from a run. */
static bool is_missing(const struct cfg *cfg, const struct cfg_look *look,
                       const struct cfg_edge *edge)
{
    const struct cfg_block *from = &cfg->blocks[edge->from], *to = &cfg->blocks[edge->to];

    if (from->place != CFG_RAN || edge->kind == CFG_AFTER || edge->kind == CFG_NOT_TAKEN ||
        edge->kind == CFG_NEXT)
        return false;
    for (size_t i = 0; i < look->missing_count; i++)
        if (look->missing[i].from == from->last &&
            (to->place < CFG_CALLER ? to->begin == look->missing[i].to
                                    : look->missing[i].to >= cfg->profile.workload->size))
            return true;
    return false;
}

/* The end of the picture's longest way would lie above its beginning: it has its own. */
static bool leads_out(const struct cfg *cfg, const struct cfg_edge *edge)
{
    return edge->kind == CFG_RETURN && cfg->blocks[edge->to].place == CFG_CALLER;
}

static void put_end(FILE *out, const struct cfg *cfg, const struct cfg_look *look)
{
    for (size_t i = 0; i < cfg->edge_count; i++)
        if (leads_out(cfg, &cfg->edges[i]) && is_drawn(cfg, look, &cfg->edges[i])) {
            fputs("  end [label=\"caller\" class=\"outside\" shape=oval];\n", out);
            return;
        }
}

/* Blanks keep a label off its line, and off the label beside it. */
static void put_label(FILE *out, const struct cfg *cfg, const struct cfg_edge *edge,
                      bool missing)
{
    const char *word = kinds[edge->kind].word;

    fprintf(out, " label=\"  %s", word);
    if (edge->times == 0)
        fprintf(out, "%s%s", *word ? ", " : "", cfg->whole ? "never" : "not seen");
    else
        fprintf(out, "%s%llu", *word ? " " : "", (unsigned long long)edge->times);
    fprintf(out, "%s  \"", missing ? " missing" : "");
}

static void put_edge(FILE *out, const struct cfg *cfg, const struct cfg_look *look,
                     const struct cfg_edge *edge)
{
    enum cfg_kind kind = edge->kind;
    bool never = edge->times == 0, missing = is_missing(cfg, look, edge);

    fprintf(out, "  b%zu -> ", edge->from);
    if (leads_out(cfg, edge))
        fputs("end", out);
    else
        fprintf(out, "b%zu", edge->to);
    fprintf(out, " [class=\"%s%s%s\"", kinds[kind].class, never ? " zero" : "",
            missing ? " missing" : "");
    if (kind == CFG_AFTER) {
        fprintf(out, " style=dotted arrowhead=none color=\"%s\"];\n", kinds[kind].colour);
        return;
    }
    put_label(out, cfg, edge, missing);
    fprintf(out, " style=%s arrowhead=%s color=\"%s\" penwidth=%.2f%s];\n",
            never ? "dashed" : kinds[kind].style, kinds[kind].head,
            missing ? "#b01e17"
            : never ? "#8c959f"
                    : kinds[kind].colour,
            width_of(cfg, edge->times),
            kinds[kind].ranks || leads_out(cfg, edge) ? "" : " constraint=false");
}

void cfg_dot(FILE *out, const struct cfg *cfg, const struct cfg_look *look)
{
    fputs("digraph cfg {\n  graph [label=\"", out);
    put_quoted(out, look->title);
    fputs("\" labelloc=t fontname=\"monospace\" fontsize=12 rankdir=TB]\n"
          "  node [shape=box fontname=\"monospace\" fontsize=10]\n"
          "  edge [fontname=\"monospace\" fontsize=9]\n",
          out);
    put_blocks(out, cfg, look);
    put_end(out, cfg, look);
    for (size_t i = 0; i < cfg->edge_count; i++)
        if (is_drawn(cfg, look, &cfg->edges[i]))
            put_edge(out, cfg, look, &cfg->edges[i]);
    fputs("}\n", out);
}

char *cfg_dot_text(const struct cfg *cfg, const struct cfg_look *look)
{
    char *dot = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&dot, &size);

    if (!file)
        out_of_memory();
    cfg_dot(file, cfg, look);
    if (fclose(file) != 0)
        out_of_memory();
    return dot;
}

char *cfg_svg(const struct cfg *cfg, const struct cfg_look *look)
{
    char *dot = cfg_dot_text(cfg, look), *svg = NULL;

    graphviz_svgs(&dot, 1, &svg);
    free(dot);
    return svg;
}
