/*
 * The code is the same on all machines, so the page has one trace of each workload: of the
 * first machine on which it passed, or else of the first that ran it.
 */
#include "page_traces.h"

#include <stdlib.h>
#include <string.h>

#include "cfg.h"
#include "chains.h"
#include "functions.h"
#include "heap.h"
#include "json_log.h"
#include "progress.h"
#include "select.h"

#define CALLS_MAX 400 /* call chains printed for a run; the rest are only counted */

struct page_trace {
    size_t log;
    const struct run *run;
    struct symbols *symbols;
    size_t blocks, edges;
    char *dot, *svg; /* the graph and its picture; NULL: there is none */
};

struct traces {
    struct page_trace *at;
    size_t count, capacity;
};

static bool is_there(const struct traces *traces, const struct run *run)
{
    for (size_t i = 0; i < traces->count; i++)
        if (strcmp(traces->at[i].run->workload->own->name, run->workload->own->name) == 0)
            return true;
    return false;
}

static bool has_runs(const struct log *log, bool passed)
{
    for (size_t i = 0; i < log->run_count; i++)
        if (!log->runs[i].skipped && (!passed || log->runs[i].verdict == PASS))
            return !log->log_error;
    return false;
}

static void add_runs(struct traces *traces, const struct log *logs, size_t log, bool passed)
{
    const struct selection wanted = { .passed = passed };
    const struct run **runs = NULL;
    size_t count =
        has_runs(&logs[log], passed) ? select_runs(&logs[log], &wanted, &runs) : 0;

    for (size_t i = 0; i < count; i++) {
        if (is_there(traces, runs[i]))
            continue;
        traces->at =
            grow(traces->at, &traces->capacity, traces->count, sizeof(*traces->at));
        traces->at[traces->count++] = (struct page_trace){ .log = log, .run = runs[i] };
    }
    free(runs);
}

/* What the failed runs of one workload did not record, of all logs. */
struct missing {
    struct cfg_missing *at;
    size_t count, capacity;
};

static void add_missing(struct missing *missing, const struct log *log,
                        const char *workload)
{
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];
        const struct difference *d = run->context ? &run->context->d : NULL;

        if (!d || run->verdict != FAIL || d->want_ended ||
            strcmp(run->workload->own->name, workload) != 0)
            continue;
        missing->at =
            grow(missing->at, &missing->capacity, missing->count, sizeof(*missing->at));
        missing->at[missing->count++] =
            (struct cfg_missing){ d->want.from - run->workload->at,
                                  d->want.to - run->workload->at };
    }
}

/* Makes the graph of a run; one that is too large to read is not drawn. */
static void make_graph(struct page_trace *shown, const struct log *logs, size_t count)
{
    const struct log *log = &logs[shown->log];
    const struct run *run = shown->run;
    struct missing missing = { 0 };
    struct cfg_look look = { .title = run->workload->own->name,
                             .symbols = shown->symbols,
                             .at = run->workload->at };
    struct cfg cfg;

    for (size_t i = 0; i < count; i++)
        add_missing(&missing, &logs[i], run->workload->own->name);
    look.missing = missing.at;
    look.missing_count = missing.count;
    profile_of(&cfg.profile, log, run);
    cfg_of(&cfg);
    shown->blocks = cfg.block_count;
    shown->edges = cfg.edge_count;
    if (cfg.block_count <= CFG_READABLE)
        shown->dot = cfg_dot_text(&cfg, &look);
    cfg_free(&cfg);
    free(missing.at);
}

/* Draws all of them at once; false: Graphviz is missing, or could not draw one. */
static bool draw_graphs(struct traces *traces)
{
    char **dots = zeroed(traces->count, sizeof(*dots));
    char **svgs = zeroed(traces->count, sizeof(*svgs));
    size_t count = 0, drawn;

    for (size_t i = 0; i < traces->count; i++)
        if (traces->at[i].dot)
            dots[count++] = traces->at[i].dot;
    drawn = graphviz_svgs(dots, count, svgs);
    for (size_t i = 0, n = 0; i < traces->count; i++)
        if (traces->at[i].dot)
            traces->at[i].svg = svgs[n++];
    free(dots);
    free(svgs);
    return drawn == count;
}

static void json_chain(struct json *json, const struct symbols *symbols,
                       const struct chain *chain)
{
    json_object(json, NULL);
    json_text(json, "function", function_name(symbols, chain->function));
    json_text(json, "how", frame_words[chain->kind]);
    json_count(json, "depth", chain->depth - 1);
    json_count(json, "times", chain->times);
    json_count(json, "self", chain->self);
    json_count(json, "children", chain->children);
    json_bool(json, "at_least", chain->at_least);
    json_close(json);
}

/* Prints the tree in order: a chain, and then the calls made from it. */
static void json_below(struct json *json, const struct symbols *symbols,
                       const struct chains *chains, size_t above, size_t *room)
{
    for (size_t i = chains->at[above].below; i && *room; i = chains->at[i].beside) {
        json_chain(json, symbols, &chains->at[i]);
        --*room;
        json_below(json, symbols, chains, i, room);
    }
}

static void json_calls(struct json *json, const struct log *log, const struct run *run,
                       const struct symbols *symbols)
{
    size_t room = CALLS_MAX;
    struct chains chains;
    struct walk walk;

    walk_of(&walk, log, run);
    chains_of(&chains, &walk, symbols);
    json_array(json, "calls");
    json_below(json, symbols, &chains, 0, &room);
    json_close(json);
    json_count(json, "further_calls", chains.count - 1 - (CALLS_MAX - room));
    json_bool(json, "gaps", chains.gaps);
    chains_free(&chains);
    walk_free(&walk);
}

static void json_trace(struct json *json, const struct log *logs,
                       const struct page_trace *shown)
{
    json_object(json, NULL);
    json_count(json, "log", shown->log);
    json_run_names(json, shown->run);
    json_text(json, "about", shown->run->workload->own->about);
    json_count(json, "branches", shown->run->branches);
    json_count(json, "blocks", shown->blocks);
    json_count(json, "edges", shown->edges);
    json_bool(json, "readable", shown->dot != NULL);
    json_text(json, "svg", shown->svg);
    json_calls(json, &logs[shown->log], shown->run, shown->symbols);
    json_close(json);
}

void json_traces(struct json *json, const struct log *logs, size_t count)
{
    struct traces traces = { 0 };
    struct progress progress;
    bool graphviz;

    for (int passed = 1; passed >= 0; passed--)
        for (size_t i = 0; i < count; i++)
            add_runs(&traces, logs, i, passed);
    progress_begin(&progress, "drawing", traces.count);
    for (size_t i = 0; i < traces.count; i++) {
        struct page_trace *shown = &traces.at[i];

        shown->symbols = symbols_of(&logs[shown->log], shown->run);
        if (shown->symbols)
            make_graph(shown, logs, count);
        progress_at(&progress, i);
    }
    graphviz = draw_graphs(&traces);
    json_array(json, "traces");
    for (size_t i = 0; i < traces.count; i++) {
        struct page_trace *shown = &traces.at[i];

        if (shown->symbols)
            json_trace(json, logs, shown);
        symbols_free(shown->symbols);
        free(shown->dot);
        free(shown->svg);
    }
    json_close(json);
    progress_end(&progress);
    json_bool(json, "graphviz", graphviz);
    free(traces.at);
}
