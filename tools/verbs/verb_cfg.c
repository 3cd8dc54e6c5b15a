/*
 * `cfg`: what ran, as a graph.
 */
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfg.h"
#include "exit_code.h"
#include "heap.h"
#include "judge.h"
#include "json_log.h"
#include "output.h"
#include "read.h"
#include "select.h"

static char *title_of(const struct log *log, const struct run *run, const struct cfg *cfg)
{
    return format_text("%s by %s on %s: %llu instructions, %llu branches%s",
                       run->workload->own->name, run->method->name,
                       log->machine.cpu.row ? log->machine.cpu.row->name
                                            : "an unknown processor",
                       (unsigned long long)cfg->profile->insns,
                       (unsigned long long)cfg->profile->transfers,
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

/* Lists all functions, so that the user can name one. */
static void tell_functions(const struct cfg *cfg, const struct cfg_look *look)
{
    const char *before = " ";

    for (size_t i = 0; i < cfg->block_count; i++)
        if (cfg_is_function(cfg, i)) {
            char *name = symbol_text(look->symbols, look->at + cfg->blocks[i].begin);

            fprintf(stderr, "%s%s", before, name);
            before = ", ";
            free(name);
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
        if (cfg_is_function(cfg, i)) {
            char *name = symbol_text(look->symbols, look->at + cfg->blocks[i].begin);

            if (strcmp(name, wanted) == 0)
                look->only = i + 1;
            free(name);
        }
    if (!wanted || look->only)
        return true;
    fprintf(stderr, "everybranch cfg: --function=%s: want one that ran:", wanted);
    tell_functions(cfg, look);
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
    tell_functions(cfg, look);
}

static bool put_graph(FILE *out, const struct given *given, const struct log *log,
                      const struct run *run, bool as_svg)
{
    struct symbols *symbols = symbols_given(given, log, run);
    struct profile profile;
    struct cfg_look look;
    struct cfg cfg;
    char *title;
    bool good;

    if (!symbols)
        return false;
    profile_begin(&profile, run->workload->own);
    profile_add(&profile, log, run);
    profile_end(&profile);
    cfg_of(&cfg, &profile);
    title = title_of(log, run, &cfg);
    look = (struct cfg_look){ .title = title, .symbols = symbols, .at = run->workload->at };
    good = find_function(given, &cfg, &look);
    if (good && as_svg) {
        doubt_picture(&cfg, &look);
        good = put_svg(out, &cfg, &look);
    } else if (good) {
        cfg_dot(out, &cfg, &look);
    }
    free(title);
    cfg_free(&cfg);
    profile_free(&profile);
    symbols_free(symbols);
    return good;
}

/* Writes to standard output, or to the file of -o. */
static bool deliver(const struct given *given, const char *text, size_t size)
{
    const char *path = given_value(given, "output");

    if (path)
        return output_new(path, text, size);
    return fwrite(text, 1, size, stdout) == size;
}

static bool put_all(const struct given *given, struct log *log,
                    const struct run *const *runs, size_t count, bool as_svg)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool good = out != NULL;

    for (size_t i = 0; good && i < count; i++) {
        good = run_usable(log, runs[i]);
        select_doubt(log, runs[i]);
        good = good && put_graph(out, given, log, runs[i], as_svg);
    }
    if (out)
        good = fclose(out) == 0 && good && deliver(given, text, size);
    free(text);
    return good;
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

static void json_graph(struct json *json, const struct log *log, const struct run *run)
{
    struct profile profile;
    struct cfg cfg;

    profile_begin(&profile, run->workload->own);
    profile_add(&profile, log, run);
    profile_end(&profile);
    cfg_of(&cfg, &profile);
    json_object(json, NULL);
    json_run_names(json, run);
    json_blocks(json, &cfg);
    json_edges(json, &cfg);
    json_close(json);
    cfg_free(&cfg);
    profile_free(&profile);
}

static bool json_all(const struct given *given, struct log *log,
                     const struct run *const *runs, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct json json;
    bool good = out != NULL;

    if (!good)
        return false;
    json_begin(&json, out, given->verb->name);
    json_text(&json, "log", log->name);
    json_array(&json, "runs");
    for (size_t i = 0; good && i < count; i++) {
        good = run_usable(log, runs[i]);
        select_doubt(log, runs[i]);
        if (good)
            json_graph(&json, log, runs[i]);
    }
    json_close(&json);
    json_end(&json, EXIT_AS_EXPECTED);
    good = fclose(out) == 0 && good && deliver(given, text, size);
    free(text);
    return good;
}

static int verb_cfg(const struct given *given)
{
    enum { DOT, SVG }; /* the choices of --format */
    const bool as_svg = given_choice(given, "format") == SVG;
    const struct run **runs = NULL;
    struct log log;
    size_t count;
    int code = EXIT_UNUSABLE;

    if (given->json && given_has(given, "function"))
        return given_wrong(
            given, "--json prints all functions, so it does not go with --function");
    count = select_given(given, &log, &runs);
    if (count > 1 && as_svg && !given->json)
        given_wrong(
            given,
            "an SVG picture shows one run, but %zu are selected: name one by --workload "
            "or --run",
            count);
    else if (count > 0 && (given->json ? json_all(given, &log, runs, count)
                                       : put_all(given, &log, runs, count, as_svg)))
        code = EXIT_AS_EXPECTED;
    free(runs);
    log_free(&log);
    return code;
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
