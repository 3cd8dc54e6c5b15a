/*
 * `cfg`: what ran, as a graph.
 */
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfg.h"
#include "heap.h"
#include "json_log.h"
#include "select.h"
#include "shown.h"

static bool is_svg(const struct given *given)
{
    return given_choice(given, "format") == 1;
}

static const char *title_of(const struct shown *shown, const struct cfg *cfg)
{
    const struct model *row = shown->log->machine.cpu.row;

    return scratch_text("%s by %s on %s: %llu instructions, %llu branches%s",
                        shown->run->workload->own->name, shown->run->method->name,
                        row ? row->name : "an unknown processor",
                        (unsigned long long)cfg->profile.insns,
                        (unsigned long long)cfg->profile.transfers,
                        cfg->whole ? "" : "; parts of it are not known");
}

static bool put_svg(FILE *out, const struct cfg *cfg, const struct cfg_look *look)
{
    char *svg = cfg_svg(cfg, look);

    if (svg)
        fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n%s", svg);
    free(svg);
    return svg != NULL;
}

static const char *function_at(const struct cfg *cfg, const struct cfg_look *look, size_t i)
{
    return symbol_text(look->symbols, look->at + cfg->blocks[i].begin);
}

/* Lists all functions, so that the user can name one. */
static void list_functions(const struct cfg *cfg, const struct cfg_look *look)
{
    const char *before = " ";

    for (size_t i = 0; i < cfg->block_count; i++)
        if (cfg_is_function(cfg, i)) {
            fprintf(stderr, "%s%s", before, function_at(cfg, look, i));
            before = ", ";
        }
    fputs("\n", stderr);
}

/*
 * Finds the function to draw, if the user named one; false if there is no such function.
 */
static bool find_function(const struct given *given, const struct cfg *cfg,
                          struct cfg_look *look)
{
    const char *wanted = given_value(given, "function");

    for (size_t i = 0; wanted && !look->only && i < cfg->block_count; i++)
        if (cfg_is_function(cfg, i) && strcmp(function_at(cfg, look, i), wanted) == 0)
            look->only = i + 1;
    if (!wanted || look->only)
        return true;
    fprintf(stderr, "everybranch cfg: --function=%s: want one that ran:", wanted);
    list_functions(cfg, look);
    return false;
}

/* Warns that a picture of many blocks is hard to read. */
static void doubt_picture(const struct cfg *cfg, const struct cfg_look *look)
{
    if (look->only || cfg->block_count <= CFG_READABLE)
        return;
    fprintf(stderr,
            "everybranch cfg: a picture of %zu blocks is hard to read; --function=NAME "
            "draws one function:",
            cfg->block_count);
    list_functions(cfg, look);
}

static bool put_graph(const struct shown *shown, const struct cfg *cfg)
{
    struct cfg_look look = { .title = title_of(shown, cfg),
                             .symbols = shown->symbols,
                             .at = shown->run->workload->at };

    if (!find_function(shown->given, cfg, &look))
        return false;
    if (is_svg(shown->given)) {
        doubt_picture(cfg, &look);
        return put_svg(shown->out, cfg, &look);
    }
    cfg_dot(shown->out, cfg, &look);
    return true;
}

static void json_blocks(struct json *json, const struct cfg *cfg)
{
    static const char *const places[] = {
        [CFG_RAN] = "ran",       [CFG_NEVER] = "never",         [CFG_STRUCK] = "struck",
        [CFG_CALLER] = "caller", [CFG_ELSEWHERE] = "elsewhere",
    };

    json_array(json, "blocks");
    for (size_t i = 0; i < cfg->block_count; i++) {
        const struct cfg_block *block = &cfg->blocks[i];
        bool inside = block->place != CFG_CALLER && block->place != CFG_ELSEWHERE;

        json_object(json, NULL);
        json_text(json, "place", places[block->place]);
        json_address(json, "begin", inside ? block->begin : BRANCH_UNKNOWN);
        json_address(json, "end", inside ? block->end : BRANCH_UNKNOWN);
        json_count(json, "instructions", block->insns);
        json_count(json, "times", block->times);
        json_close(json);
    }
    json_close(json);
}

static void json_edges(struct json *json, const struct cfg *cfg)
{
    static const char *const kinds[CFG_KINDS] = {
        [CFG_NEXT] = "next",     [CFG_TAKEN] = "taken", [CFG_NOT_TAKEN] = "not taken",
        [CFG_JUMP] = "jump",     [CFG_CALL] = "call",   [CFG_AFTER] = "after",
        [CFG_RETURN] = "return", [CFG_EVENT] = "event", [CFG_BACK] = "back",
    };

    json_array(json, "edges");
    for (size_t i = 0; i < cfg->edge_count; i++) {
        json_object(json, NULL);
        json_count(json, "from", cfg->edges[i].from);
        json_count(json, "to", cfg->edges[i].to);
        json_text(json, "kind", kinds[cfg->edges[i].kind]);
        json_count(json, "times", cfg->edges[i].times);
        json_close(json);
    }
    json_close(json);
}

static bool show_graph(const struct shown *shown)
{
    struct json *json = shown->json;
    struct cfg cfg;
    bool good = true;

    if (shown->count > 1 && !json && is_svg(shown->given)) {
        given_wrong(shown->given,
                    "an SVG picture shows one run, but %zu are selected: name one by "
                    "--workload or --run",
                    shown->count);
        return false;
    }
    select_doubt(shown->log, shown->run);
    profile_of(&cfg.profile, shown->log, shown->run);
    cfg_of(&cfg);
    if (json) {
        json_object(json, NULL);
        json_run_names(json, shown->run);
        json_blocks(json, &cfg);
        json_edges(json, &cfg);
        json_close(json);
    } else {
        good = put_graph(shown, &cfg);
    }
    cfg_free(&cfg);
    return good;
}

static int verb_cfg(const struct given *given)
{
    if (given->json && given_has(given, "function"))
        return given_wrong(
            given, "--json prints all functions, so it does not go with --function");
    return show_runs_whole(given, show_graph, NULL);
}

VERB(cfg) = {
    .name = "cfg",
    .operands = "LOG",
    .about = "draw basic blocks and the edges between them as a graph",
    .more = "The graph is made from the trace alone; edges carry their counts.  dot is "
            "input for Graphviz, and svg is a picture of one workload, which needs "
            "Graphviz's program dot.  An edge that was never taken is dashed, a hot edge "
            "is thick, and calls, returns and events have lines and arrows of their "
            "own.  Where many blocks make the picture too wide, --function draws one "
            "function and names its neighbours.  The environment variable DOT_TIMEOUT "
            "says how many seconds dot may take (30).",
    .examples = "cfg everybranch.log --workload=loop --format=svg -o loop.svg\n"
                "cfg everybranch.log --workload=wt --method=step | dot -Tpng >wt.png",
    .run = verb_cfg,
    .json = true,
    .least = 1,
    .most = 1,
    .options = {
        BOOT_OPTION,
        SELECT_OPTIONS,
        SYMBOLS_OPTION,
        { .name = "format",
          .value = "FORMAT",
          .choices = "dot svg",
          .about = "output as dot (the default) or svg" },
        { .name = "function", .value = "NAME", .about = "draw only this function" },
        OUTPUT_OPTION("write to FILE"),
    },
};
