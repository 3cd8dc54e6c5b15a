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
        traces->at[traces->count++] = (struct page_trace){ log, runs[i] };
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

/* False if Graphviz is missing, so that no other graph is tried. */
static bool json_picture(struct json *json, const struct log *log, const struct run *run,
                         const struct symbols *symbols, const struct missing *missing,
                         bool graphviz)
{
    const struct workload *workload = run->workload->own;
    const struct cfg_look look = { .title = workload->name,
                                   .symbols = symbols,
                                   .at = run->workload->at,
                                   .missing = missing->at,
                                   .missing_count = missing->count };
    struct cfg cfg;
    char *svg = NULL;
    bool readable;

    profile_of(&cfg.profile, log, run);
    cfg_of(&cfg);
    readable = cfg.block_count <= CFG_READABLE;
    if (graphviz && readable)
        svg = cfg_svg(&cfg, &look);
    json_count(json, "blocks", cfg.block_count);
    json_count(json, "edges", cfg.edge_count);
    json_bool(json, "readable", readable);
    json_text(json, "svg", svg);
    graphviz = graphviz && (svg || !readable);
    free(svg);
    cfg_free(&cfg);
    return graphviz;
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

static void json_trace(struct json *json, const struct log *logs, size_t count,
                       const struct page_trace *shown, bool *graphviz)
{
    const struct log *log = &logs[shown->log];
    struct symbols *symbols = symbols_of(log, shown->run);
    struct missing missing = { 0 };

    if (!symbols)
        return;
    json_object(json, NULL);
    json_count(json, "log", shown->log);
    json_run_names(json, shown->run);
    json_text(json, "about", shown->run->workload->own->about);
    json_count(json, "branches", shown->run->branches);
    for (size_t i = 0; i < count; i++)
        add_missing(&missing, &logs[i], shown->run->workload->own->name);
    *graphviz = json_picture(json, log, shown->run, symbols, &missing, *graphviz);
    free(missing.at);
    json_calls(json, log, shown->run, symbols);
    json_close(json);
    symbols_free(symbols);
}

void json_traces(struct json *json, const struct log *logs, size_t count)
{
    struct traces traces = { 0 };
    struct progress progress;
    bool graphviz = true;

    for (int passed = 1; passed >= 0; passed--)
        for (size_t i = 0; i < count; i++)
            add_runs(&traces, logs, i, passed);
    progress_begin(&progress, "drawing", traces.count);
    json_array(json, "traces");
    for (size_t i = 0; i < traces.count; i++) {
        json_trace(json, logs, count, &traces.at[i], &graphviz);
        progress_at(&progress, i);
    }
    json_close(json);
    progress_end(&progress);
    json_bool(json, "graphviz", graphviz);
    free(traces.at);
}
