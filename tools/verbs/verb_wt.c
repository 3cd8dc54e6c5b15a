/*
 * `wt`: trace and watch.  A debugger's command of that name single-steps through a
 * function and reports what it called and how many instructions each call took; here that
 * is rebuilt from the branches.
 *
 * A line is printed whenever another function begins or continues: its instructions so
 * far, those of its callees, its depth and its name.
 */
#include "verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_code.h"
#include "functions.h"
#include "heap.h"
#include "judge.h"
#include "json.h"
#include "pager.h"
#include "read.h"
#include "select.h"
#include "symbols.h"
#include "words.h"

#define ALL_LEVELS SIZE_MAX

struct wt {
    struct log *log;
    const struct run *run;
    const struct symbols *symbols;
    struct json *json; /* NULL: print text */
    size_t levels;     /* levels of calls that are shown */
    bool summary;      /* print no tree */
    struct functions functions;
    uint64_t insns, unseen;
    uint64_t *printed; /* by depth: instructions of the frame when it was last printed */
    size_t printed_capacity;
    bool at_least;
};

static void print_indent(size_t depth)
{
    printf("%*s", (int)(2 * (depth < 40 ? depth : 40)), "");
}

/* A frame without a name is called by its first known address. */
static char *frame_name(const struct wt *wt, const struct call_frame *frame)
{
    char *at, *name;

    if (frame->kind != FRAME_UNKNOWN)
        return function_name(wt->symbols, frame->function);
    at = symbol_text(wt->symbols, frame->first);
    name = format_text("? at %s", at);
    free(at);
    return name;
}

static void print_frame(struct wt *wt, const struct call_frame *frame, size_t depth)
{
    char *name = frame_name(wt, frame);
    bool event = frame->kind == FRAME_HANDLER || frame->kind == FRAME_SYSTEM;

    printf("%8" PRIu64 "%s%8" PRIu64 "%s[%3zu] ", frame->self, frame->at_least ? "+" : " ",
           frame->children, frame->at_least ? "+ " : "  ", depth);
    print_indent(depth);
    printf("%s%s%s%s\n", name, event ? " (" : "", event ? frame_words[frame->kind] : "",
           event ? ")" : "");
    free(name);
}

/* Prints the JSON of a frame when it is left. */
static void json_frame(struct wt *wt, const struct call_frame *frame, size_t depth)
{
    char *name = frame_name(wt, frame);

    json_object(wt->json, NULL);
    json_count(wt->json, "depth", depth);
    json_text(wt->json, "function", name);
    json_text(wt->json, "how", frame_words[frame->kind]);
    json_count(wt->json, "began", frame->began);
    json_count(wt->json, "self", frame->self);
    json_count(wt->json, "children", frame->children);
    json_bool(wt->json, "at_least", frame->at_least);
    json_close(wt->json);
    free(name);
}

/* Prints a frame if it did something since it was last printed. */
static void tell(struct wt *wt, const struct call_frame *frame, size_t depth)
{
    if (wt->summary || wt->json || depth >= wt->levels || frame->self == wt->printed[depth])
        return;
    print_frame(wt, frame, depth);
    wt->printed[depth] = frame->self;
}

static void entered(struct wt *wt, const struct calltree *tree, const struct call *call)
{
    if (call->depth > 0)
        tell(wt, &tree->frames[call->depth - 1], call->depth - 1);
    wt->printed = grow(wt->printed, &wt->printed_capacity, call->depth, sizeof(uint64_t));
    wt->printed[call->depth] = 0;
}

static void left(struct wt *wt, const struct call *call)
{
    const struct call_frame *frame = call->frame;
    bool nothing_logged = wt->printed[call->depth] == 0;

    functions_add(&wt->functions, frame);
    if (wt->json && !wt->summary && call->depth < wt->levels)
        json_frame(wt, frame, call->depth);
    if (nothing_logged && frame->self == 0) /* a frame that ran nothing is printed too */
        wt->printed[call->depth] = UINT64_MAX;
    tell(wt, frame, call->depth);
}

static void met_gap(struct wt *wt, const struct calltree *tree, const struct call *call)
{
    wt->at_least = true;
    if (call->depth < tree->depth)
        tell(wt, call->frame, call->depth);
    if (!wt->summary && !wt->json && call->depth < wt->levels) {
        printf("%25s", "");
        print_indent(call->depth);
        printf("-- %s --\n", gap_text(call->piece->gap));
    }
}

static void take(struct wt *wt, const struct calltree *tree, const struct call *call)
{
    if (call->step == CALL_ENTERED)
        entered(wt, tree, call);
    else if (call->step == CALL_LEFT)
        left(wt, call);
    else if (call->step == CALL_GAP)
        met_gap(wt, tree, call);
    else {
        wt->unseen += call->piece->unseen;
        wt->at_least |= call->piece->gap == GAP_NO_CODE;
    }
    wt->insns = call->insns;
}

static void watch(struct wt *wt)
{
    struct code code;
    struct walk walk;
    struct calltree tree;
    struct call call;

    code_of(&code, wt->log);
    walk_of(&walk, &code, wt->log, wt->run);
    calltree_of(&tree, &walk, wt->symbols);
    while (calltree_next(&tree, &call))
        take(wt, &tree, &call);
    calltree_free(&tree);
    walk_free(&walk);
    code_free(&code);
}

/* How many steps take a debugger from before the first instruction to before the last. */
static uint64_t stepping_takes(const struct wt *wt)
{
    return wt->insns ? wt->insns - 1 : 0;
}

/* Prints the events of each method that ran the workload in the same round. */
static void print_events(const struct wt *wt)
{
    const char *before = "events by method: ";

    for (size_t i = 0; i < wt->log->run_count; i++) {
        const struct run *run = &wt->log->runs[i];

        if (run->workload != wt->run->workload || run->skipped ||
            run->round != wt->run->round || run->processor != wt->run->processor)
            continue;
        printf("%s%s%s %" PRIu64, before, run->method->name, filter_suffix(run),
               run->events);
        before = ", ";
    }
    putchar('\n');
}

static void print_counts(const struct wt *wt)
{
    const struct run *run = wt->run;

    printf("\n%s%" PRIu64 " instruction%s, from %" PRIu64 " record%s in %" PRIu64
           " %s%s; single-stepping takes %s%" PRIu64 "\n",
           wt->at_least ? "at least " : "", wt->insns, plural(wt->insns), run->records,
           plural(run->records), run->events,
           method_is_interrupted(run->method) ? "interrupt" : "debug event",
           plural(run->events), wt->at_least ? "at least " : "", stepping_takes(wt));
    print_events(wt);
    if (run->lost)
        printf("%" PRIu64 " record%s lost at an unknown place\n", run->lost,
               run->lost == 1 ? " is" : "s are");
    if (wt->unseen)
        printf("%" PRIu64 " handler%s ran where %s cannot look, and %s not counted\n",
               wt->unseen, plural(wt->unseen), run->method->name,
               wt->unseen == 1 ? "is" : "are");
}

static void tell_functions(const struct wt *wt)
{
    if (wt->json)
        functions_json(&wt->functions, wt->symbols, wt->json);
    else if (wt->functions.count)
        functions_print(&wt->functions, wt->symbols);
}

static void print_run(struct wt *wt, bool first)
{
    select_heading(wt->log, wt->run, first);
    if (!wt->summary)
        printf("\n%8s %8s  %5s  function\n", "self", "callees", "depth");
    watch(wt);
    print_counts(wt);
    tell_functions(wt);
}

static void json_run(struct wt *wt)
{
    struct json *json = wt->json;

    json_object(json, NULL);
    json_count(json, "run", wt->run->number);
    json_text(json, "method", wt->run->method->name);
    json_text(json, "workload", wt->run->workload->own->name);
    json_array(json, "frames");
    watch(wt);
    json_close(json);
    json_count(json, "instructions", wt->insns);
    json_bool(json, "at_least", wt->at_least);
    json_count(json, "records", wt->run->records);
    json_count(json, "events", wt->run->events);
    json_count(json, "stepping_events", stepping_takes(wt));
    json_count(json, "lost", wt->run->lost);
    json_count(json, "handlers_unseen", wt->unseen);
    tell_functions(wt);
    json_close(json);
}

static bool watch_run(struct wt wt, const struct given *given, bool first)
{
    struct symbols *symbols =
        run_usable(wt.log, wt.run) ? symbols_given(given, wt.log, wt.run) : NULL;

    if (!symbols)
        return false;
    wt.symbols = symbols;
    if (wt.json)
        json_run(&wt);
    else
        print_run(&wt, first);
    functions_free(&wt.functions);
    free(wt.printed);
    symbols_free(symbols);
    return true;
}

static bool watch_runs(const struct given *given, struct log *log, const struct run **runs,
                       size_t count)
{
    struct json json;
    struct wt wt = { .log = log, .summary = given_has(given, "summary") };
    bool good = true;

    if (!given_number(given, "depth", ALL_LEVELS, &wt.levels))
        return false;
    if (!given->json)
        pager_begin(given);
    if (given->json) {
        wt.json = &json;
        json_begin(&json, stdout, "wt");
        json_text(&json, "log", log->name);
        json_array(&json, "runs");
    }
    for (size_t i = 0; i < count && good; i++) {
        wt.run = runs[i];
        good = watch_run(wt, given, i == 0);
    }
    if (given->json) {
        json_close(&json);
        json_end(&json, good ? EXIT_AS_EXPECTED : EXIT_UNUSABLE);
    }
    pager_end();
    return good;
}

static int verb_wt(const struct given *given)
{
    const struct run **runs;
    struct log log;
    size_t count = select_given(given, &log, &runs);
    bool good = count > 0 && watch_runs(given, &log, runs, count);

    free(runs);
    log_free(&log);
    return good ? EXIT_AS_EXPECTED : EXIT_UNUSABLE;
}

VERB(wt) = {
    .name = "wt",
    .operands = "LOG",
    .about = "print the call tree, and the instructions of each function",
    .more = "The name is the debugger command's, trace and watch; here it is rebuilt "
            "from the branches alone.  Each time a function begins or continues, a line "
            "shows its instructions so far, those of its callees, and its depth.  A "
            "table of the functions follows, with their invocations.  For each workload "
            "it shows the most complete run, unless an option selects others.",
    .examples = "wt --workload wt everybranch.log\n"
                "wt --workload quicksort --summary everybranch.log",
    .run = verb_wt,
    .least = 1,
    .most = 1,
    .json = true,
    .options = {
        BOOT_OPTION,
        SELECT_OPTIONS,
        SYMBOLS_OPTION,
        { .name = "depth", .value = "N", .about = "show at most N levels of calls" },
        { .name = "summary", .about = "print only the table of functions" },
        PAGER_OPTIONS,
    },
};
