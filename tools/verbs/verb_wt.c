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
#include "pager.h"
#include "select.h"
#include "shown.h"
#include "words.h"

#define ALL_LEVELS SIZE_MAX

struct wt {
    const struct shown *shown;
    size_t levels; /* levels of calls that are shown */
    bool summary;  /* print no tree */
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
static const char *frame_name(const struct wt *wt, const struct call_frame *frame)
{
    const struct symbols *symbols = wt->shown->symbols;

    return frame->kind == FRAME_UNKNOWN
               ? scratch_text("? at %s", symbol_text(symbols, frame->first))
               : function_name(symbols, frame->function);
}

static void print_frame(const struct wt *wt, const struct call_frame *frame, size_t depth)
{
    const bool event = frame->kind == FRAME_HANDLER || frame->kind == FRAME_SYSTEM;
    const char *more = frame->at_least ? "+" : " ";

    printf("%8" PRIu64 "%s%8" PRIu64 "%s [%3zu] ", frame->self, more, frame->children, more,
           depth);
    print_indent(depth);
    printf("%s%s%s%s\n", frame_name(wt, frame), event ? " (" : "",
           event ? frame_words[frame->kind] : "", event ? ")" : "");
}

/* Prints the JSON of a frame when it is left. */
static void json_frame(const struct wt *wt, const struct call_frame *frame, size_t depth)
{
    struct json *json = wt->shown->json;

    json_object(json, NULL);
    json_count(json, "depth", depth);
    json_text(json, "function", frame_name(wt, frame));
    json_text(json, "how", frame_words[frame->kind]);
    json_count(json, "began", frame->began);
    json_count(json, "self", frame->self);
    json_count(json, "children", frame->children);
    json_bool(json, "at_least", frame->at_least);
    json_close(json);
}

/* Prints a frame if it did something since it was last printed. */
static void print_news(struct wt *wt, const struct call_frame *frame, size_t depth)
{
    if (wt->shown->json || frame->self == wt->printed[depth])
        return;
    print_frame(wt, frame, depth);
    wt->printed[depth] = frame->self;
}

static void entered(struct wt *wt, const struct call *call)
{
    if (call->depth > 0)
        print_news(wt, &call->frame[-1], call->depth - 1);
    wt->printed = grow(wt->printed, &wt->printed_capacity, call->depth, sizeof(uint64_t));
    wt->printed[call->depth] = 0;
}

static void left(struct wt *wt, const struct call *call)
{
    const struct call_frame *frame = call->frame;

    if (wt->shown->json)
        json_frame(wt, frame, call->depth);
    if (wt->printed[call->depth] == 0 && frame->self == 0) /* it is printed, too */
        wt->printed[call->depth] = UINT64_MAX;
    print_news(wt, frame, call->depth);
}

static void met_gap(struct wt *wt, const struct call *call)
{
    if (call->frame)
        print_news(wt, call->frame, call->depth);
    if (!wt->shown->json) {
        printf("%25s", "");
        print_indent(call->depth);
        printf("-- %s --\n", gap_text(call->range->gap));
    }
}

/* When a frame is entered, the one around it is printed. */
static size_t printed_depth(const struct call *call)
{
    return call->step == CALL_ENTERED && call->depth > 0 ? call->depth - 1 : call->depth;
}

static void show_step(struct wt *wt, const struct call *call)
{
    const size_t mark = scratch_mark();

    if (call->step == CALL_ENTERED)
        entered(wt, call);
    else if (call->step == CALL_LEFT)
        left(wt, call);
    else if (call->step == CALL_GAP)
        met_gap(wt, call);
    scratch_release(mark);
}

static void take(void *to, const struct call *call)
{
    struct wt *wt = to;

    if (call->step == CALL_LEFT) {
        functions_add(&wt->functions, call->frame);
    } else if (call->step == CALL_GAP) {
        wt->at_least = true;
    } else if (call->step == CALL_RAN) {
        wt->unseen += call->range->unseen;
        wt->at_least |= call->range->gap == GAP_NO_CODE;
    }
    wt->insns = call->insns;
    if (call->step != CALL_RAN && !wt->summary && printed_depth(call) < wt->levels)
        show_step(wt, call);
}

static void watch(struct wt *wt)
{
    struct walk walk;

    walk_of(&walk, wt->shown->log, wt->shown->run);
    calltree_walk(&walk, wt->shown->symbols, take, wt);
    walk_free(&walk);
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

    for (size_t i = 0; i < wt->shown->log->run_count; i++) {
        const struct run *run = &wt->shown->log->runs[i], *own = wt->shown->run;

        if (run->workload != own->workload || run->skipped || run->round != own->round ||
            run->processor != own->processor)
            continue;
        printf("%s%s%s %" PRIu64, before, run->method->name, filter_suffix(run),
               run->ran.events);
        before = ", ";
    }
    putchar('\n');
}

static void print_counts(const struct wt *wt)
{
    const struct run *run = wt->shown->run;

    printf("\n%s%" PRIu64 " instruction%s, from %" PRIu64 " record%s in %" PRIu64
           " %s%s; single-stepping takes %s%" PRIu64 "\n",
           wt->at_least ? "at least " : "", wt->insns, plural(wt->insns), run->records,
           plural(run->records), run->ran.events,
           method_is_interrupted(run->method) ? "interrupt" : "debug event",
           plural(run->ran.events), wt->at_least ? "at least " : "", stepping_takes(wt));
    print_events(wt);
    if (run->ran.lost)
        printf("%" PRIu64 " record%s lost at an unknown place\n", run->ran.lost,
               run->ran.lost == 1 ? " is" : "s are");
    if (wt->unseen)
        printf("%" PRIu64 " handler%s ran where %s cannot look, and %s not counted\n",
               wt->unseen, plural(wt->unseen), run->method->name,
               wt->unseen == 1 ? "is" : "are");
}

static void print_run(struct wt *wt)
{
    select_heading(wt->shown->log, wt->shown->run, wt->shown->number == 0);
    if (!wt->summary)
        printf("\n%8s %8s  %5s  function\n", "self", "callees", "depth");
    watch(wt);
    print_counts(wt);
    if (wt->functions.count)
        functions_print(&wt->functions, wt->shown->symbols);
}

static void json_run(struct wt *wt)
{
    const struct run *run = wt->shown->run;
    struct json *json = wt->shown->json;

    json_object(json, NULL);
    json_count(json, "run", run->number);
    json_text(json, "method", run->method->name);
    json_text(json, "workload", run->workload->own->name);
    json_array(json, "frames");
    watch(wt);
    json_close(json);
    json_count(json, "instructions", wt->insns);
    json_bool(json, "at_least", wt->at_least);
    json_count(json, "records", run->records);
    json_count(json, "events", run->ran.events);
    json_count(json, "stepping_events", stepping_takes(wt));
    json_count(json, "lost", run->ran.lost);
    json_count(json, "handlers_unseen", wt->unseen);
    functions_json(&wt->functions, wt->shown->symbols, json);
    json_close(json);
}

static bool watch_run(const struct shown *shown)
{
    struct wt wt = { .shown = shown,
                     .levels = *(const size_t *)shown->own,
                     .summary = given_has(shown->given, "summary") };

    (shown->json ? json_run : print_run)(&wt);
    functions_free(&wt.functions);
    free(wt.printed);
    return true;
}

static int verb_wt(const struct given *given)
{
    size_t levels;

    return given_number(given, "depth", ALL_LEVELS, &levels)
               ? show_runs(given, watch_run, &levels)
               : EXIT_UNUSABLE;
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
