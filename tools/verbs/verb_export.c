/*
 * `export`: writes runs in the formats of other tools.
 */
#include "verbs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_code.h"
#include "export.h"
#include "judge.h"
#include "output.h"
#include "progress.h"
#include "read.h"
#include "select.h"
#include "shown.h"

/* By the choices of --format. */
static const struct export_format *const formats[] = {
    &export_brstack,
    &export_chrome,
    &export_folded,
    &export_pt,
};

static bool put_run(const struct shown *shown)
{
    struct export *e = shown->own;

    select_doubt(e->log, e->run);
    walk_of(&e->walk, e->log, e->run);
    e->symbols = shown->symbols;
    formats[given_choice(e->given, "format")]->run(e);
    export_names_free(e);
    walk_free(&e->walk);
    return true;
}

/* Exports the run, or all runs that were made at the same time. */
static bool put_slot(struct export *e, const struct export_format *format,
                     const struct run *run)
{
    bool good = true;

    for (size_t i = 0; good && i < e->log->run_count; i++) {
        e->run = &e->log->runs[i];
        if (e->run == run || (format->side_by_side && run->round_line &&
                              e->run->round_line == run->round_line && !e->run->skipped))
            good = run_usable(e->log, e->run) &&
                   show_one(
                       &(struct shown){
                           .given = e->given, .log = e->log, .run = e->run, .own = e },
                       put_run);
    }
    return good;
}

static bool put_all(struct export *e, const struct export_format *format,
                    const struct run *const *runs, size_t count)
{
    struct progress progress;
    bool good = true;

    progress_begin(&progress, "exporting", count);
    if (format->begin)
        format->begin(e);
    for (size_t i = 0; good && i < count; i++) {
        progress_at(&progress, i);
        good = put_slot(e, format, runs[i]);
    }
    if (good && format->end)
        format->end(e);
    progress_end(&progress);
    return good;
}

/* Writes directly to the output: a trace can be too long for memory. */
static FILE *opened(const struct given *given)
{
    const char *path = given_value(given, "output");

    return path ? output_begin(path) : stdout;
}

static bool closed(const struct given *given, FILE *file, bool good)
{
    if (file != stdout)
        return output_end(file, given_value(given, "output"), good) && good;
    if (ferror(file))
        given_wrong(given, "not all could be written: %s", strerror(errno));
    return !ferror(file) && good;
}

/* Refuses samples: an empty file would look like a trace. */
static bool any_branches(const struct given *given, const struct run **runs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!runs[i]->method->sampled)
            return true;
    given_wrong(given,
                "the records of %s are places where a counter overflowed, not branches: "
                "choose a run by another method",
                runs[0]->method->name);
    return false;
}

/* Only `pt` has packets. */
static bool any_packets(const struct given *given, const struct run **runs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (runs[i]->method->packets)
            return true;
    given_wrong(given, "%s has no packets of Processor Trace: choose a run by pt",
                runs[0]->method->name);
    return false;
}

static int verb_export(const struct given *given)
{
    const struct export_format *format = formats[given_choice(given, "format")];
    const struct run **runs = NULL;
    struct export e = { .given = given };
    struct log log;
    size_t count;
    bool good = false;

    if (!given_has(given, "format"))
        return given_wrong(given,
                           "--format is missing: want brstack, chrome, folded or pt");
    count = select_given(given, &log, &runs);
    e.log = &log;
    if (count > 0 && any_branches(given, runs, count) &&
        (format != &export_pt || any_packets(given, runs, count)) &&
        (e.out = opened(given))) {
        good = put_all(&e, format, runs, count);
        good = closed(given, e.out, good);
    }
    free(runs);
    free(e.clocks);
    log_free(&log);
    return good ? EXIT_AS_EXPECTED : EXIT_UNUSABLE;
}

static const struct gone_word gone[] = {
    { .option = "format",
      .value = "branches",
      .instead =
          "`everybranch cat` prints a line for each branch, and brstack has the same "
          "branches with their addresses" },
    { .option = "format",
      .value = "callgrind",
      .instead =
          "speedscope shows what each function took, from folded or chrome, and gprof2dot "
          "-f collapse draws the calls, from folded" },
    { .option = NULL },
};

VERB(export) = {
    .name = "export",
    .operands = "LOG",
    .about = "convert runs for perf, Chrome or flame graphs",
    .more = "brstack is text as perf script prints it with -F ip,sym,brstack; chrome is "
            "for Perfetto, chrome://tracing and speedscope; folded is for flamegraph.pl "
            "and speedscope; pt is the packets of runs by pt, for ptdump and ptxed.  A "
            "trace has no clock, so each instruction takes one nanosecond.",
    .examples = "export everybranch.log --format=chrome -o trace.json\n"
                "export everybranch.log --workload=quicksort --format=folded "
                "-o quicksort.folded\n"
                "export everybranch.log --format=brstack --fields=ip,brstack",
    .run = verb_export,
    .least = 1,
    .most = 1,
    .gone = gone,
    .options = {
        BOOT_OPTION,
        { .name = "format",
          .value = "FORMAT",
          .choices = "brstack chrome folded pt",
          .about = "output as brstack, chrome, folded or pt" },
        { .name = "fields",
          .value = "FIELDS",
          .choices = "ip,sym,brstack ip,brstack",
          .about = "for brstack: ip,sym,brstack (the default) or ip,brstack" },
        { .name = "uncut",
          .about = "for brstack: continue a sample across a missing record" },
        SELECT_OPTIONS,
        SYMBOLS_OPTION,
        OUTPUT_OPTION("write to FILE"),
    },
};
