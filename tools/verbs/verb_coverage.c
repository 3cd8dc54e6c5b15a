/*
 * `coverage`: adds up the runs of any number of logs.
 */
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coverage.h"
#include "exit_code.h"
#include "heap.h"
#include "json.h"
#include "judge.h"
#include "read.h"
#include "select.h"
#include "shown.h"
#include "symbols.h"
#include "words.h"

struct work {
    const struct given *given;
    struct log *logs;
    size_t log_count;
    struct cover *covers; /* one for each workload, in the order of the logs */
    size_t count, capacity;
};

static bool is_meant(const struct given *given, const struct run *run)
{
    const char *methods = given_value(given, "method");
    const char *workloads = given_value(given, "workload");

    return !run->skipped && run->records > 0 &&
           (!methods || listed(methods, run->method->name)) &&
           (!workloads || listed(workloads, run->workload->own->name));
}

/*
 * Leaves a run out, with a warning, if it is not as expected: what it says of its code
 * cannot be relied on.
 */
static bool is_sound(const struct log *log, const struct run *run)
{
    if (run->verdict < FAIL)
        return true;
    select_doubt(log, run);
    fprintf(stderr, "everybranch: run %zu of %s is not counted\n", run->number, log->name);
    return false;
}

/*
 * Returns the coverage of this workload; NULL after an error if another log has different
 * code under the same name.
 */
static struct cover *cover_for(struct work *work, const struct log *log,
                               const struct loaded *loaded)
{
    for (size_t i = 0; i < work->count; i++) {
        const struct workload *own = work->covers[i].loaded->own;

        if (strcmp(own->name, loaded->own->name) != 0)
            continue;
        if (own->size == loaded->own->size &&
            memcmp(own->code, loaded->own->code, own->size) == 0)
            return &work->covers[i];
        given_wrong(work->given, "%s has another workload %s than %s: they cannot be added",
                    log->name, own->name, work->covers[i].log->name);
        return NULL;
    }
    work->covers = grow(work->covers, &work->capacity, work->count, sizeof(*work->covers));
    cover_begin(&work->covers[work->count], log, loaded);
    return &work->covers[work->count++];
}

static bool add_log(struct work *work, const struct log *log)
{
    size_t added = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];
        struct cover *cover;

        if (!is_meant(work->given, run) || !is_sound(log, run))
            continue;
        cover = cover_for(work, log, run->workload);
        if (!cover)
            return false;
        cover_add(cover, log, run);
        added++;
    }
    if (added == 0)
        given_wrong(
            work->given,
            "%s has no run of that method and workload that is as expected and has records",
            log->name);
    return added > 0;
}

static unsigned percent(uint64_t part, uint64_t whole)
{
    return whole ? (unsigned)(100 * part / whole) : 100;
}

static void put_row(FILE *out, const char *name, uint64_t runs, const struct cover *c)
{
    fprintf(
        out,
        "  %-14s %4llu %6llu of %-5llu %3u%% %5llu of %-5llu %3u%% %5llu of %-5llu %3u%%\n",
        name, (unsigned long long)runs, (unsigned long long)c->insns_ran,
        (unsigned long long)c->insns, percent(c->insns_ran, c->insns),
        (unsigned long long)c->blocks_ran, (unsigned long long)c->block_count,
        percent(c->blocks_ran, c->block_count), (unsigned long long)c->edges_ran,
        (unsigned long long)c->edges, percent(c->edges_ran, c->edges));
}

static void put_table(FILE *out, const struct work *work)
{
    struct cover all = { 0 };
    uint64_t runs = 0;

    fputs("  workload       runs      instructions            blocks             "
          "directions\n",
          out);
    for (size_t i = 0; i < work->count; i++) {
        const struct cover *c = &work->covers[i];

        put_row(out, c->loaded->own->name, c->profile.runs, c);
        runs += c->profile.runs;
        all.insns += c->insns;
        all.insns_ran += c->insns_ran;
        all.block_count += c->block_count;
        all.blocks_ran += c->blocks_ran;
        all.edges += c->edges;
        all.edges_ran += c->edges_ran;
    }
    if (work->count > 1)
        put_row(out, "all", runs, &all);
}

static const char *way_of(const struct cover_jcc *jcc)
{
    if (jcc->taken && jcc->passed)
        return "both ways";
    if (jcc->taken)
        return "only taken";
    return jcc->passed ? "only not taken" : "never ran";
}

/* Lists what never ran, each with its place. */
static void put_missing(FILE *out, const struct cover *cover)
{
    struct symbols *symbols = symbols_of(cover->log, cover->run);
    uint64_t at = cover->loaded->at;

    for (size_t i = 0; i < cover->jcc_count; i++) {
        const struct cover_jcc *jcc = &cover->jccs[i];

        if (!jcc->taken || !jcc->passed)
            fprintf(out, "  %s (+0x%llx): %s, %llu and %llu times\n",
                    symbol_text(symbols, at + jcc->at), (unsigned long long)jcc->at,
                    way_of(jcc), (unsigned long long)jcc->taken,
                    (unsigned long long)jcc->passed);
    }
    for (size_t i = 0; i < cover->block_count; i++) {
        const struct cover_block *block = &cover->blocks[i];

        if (!block->ran)
            fprintf(out, "  %s (+0x%llx to +0x%llx): never ran\n",
                    symbol_text(symbols, at + block->begin),
                    (unsigned long long)block->begin, (unsigned long long)block->end);
    }
    symbols_free(symbols);
}

static bool all_covered(const struct cover *c)
{
    return c->edges_ran == c->edges && c->blocks_ran == c->block_count;
}

static void put_text(FILE *out, const struct work *work)
{
    put_table(out, work);
    for (size_t i = 0; i < work->count; i++) {
        if (all_covered(&work->covers[i]))
            continue;
        fprintf(out, "\n%s, (times) taken and not taken\n",
                work->covers[i].loaded->own->name);
        put_missing(out, &work->covers[i]);
    }
}

static void json_cover(struct json *json, const struct cover *c)
{
    json_object(json, NULL);
    json_text(json, "workload", c->loaded->own->name);
    json_count(json, "runs", c->profile.runs);
    json_count(json, "instructions", c->insns);
    json_count(json, "instructions_ran", c->insns_ran);
    json_count(json, "blocks_ran", c->blocks_ran);
    json_count(json, "directions", c->edges);
    json_count(json, "directions_ran", c->edges_ran);
    json_array(json, "blocks");
    for (size_t i = 0; i < c->block_count; i++) {
        json_object(json, NULL);
        json_hex(json, "begin", c->blocks[i].begin);
        json_hex(json, "end", c->blocks[i].end);
        json_count(json, "times", c->profile.ran[c->blocks[i].begin]);
        json_close(json);
    }
    json_close(json);
    json_array(json, "jcc");
    for (size_t i = 0; i < c->jcc_count; i++) {
        json_object(json, NULL);
        json_hex(json, "at", c->jccs[i].at);
        json_count(json, "taken", c->jccs[i].taken);
        json_count(json, "not_taken", c->jccs[i].passed);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

static void put_json(FILE *out, const struct work *work)
{
    struct json json;

    json_begin(&json, out, "coverage");
    json_array(&json, "workloads");
    for (size_t i = 0; i < work->count; i++)
        json_cover(&json, &work->covers[i]);
    json_close(&json);
    json_end(&json, EXIT_AS_EXPECTED);
}

static bool gather(struct work *work)
{
    for (size_t i = 0; i < work->given->count; i++) {
        work->log_count = i + 1;
        if (!log_usable(&work->logs[i], work->given->operands[i]) ||
            !add_log(work, &work->logs[i]))
            return false;
    }
    for (size_t i = 0; i < work->count; i++)
        cover_end(&work->covers[i]);
    return true;
}

static int verb_coverage(const struct given *given)
{
    struct work work = { .given = given };
    struct collected text = { 0 };
    bool good;

    work.logs = zeroed(given->count, sizeof(*work.logs));
    good = gather(&work);
    if (good) {
        collect_begin(&text);
        (given->json ? put_json : put_text)(text.file, &work);
        collect_end(&text);
        good = show_output(given, &text);
        free(text.bytes);
    }
    for (size_t i = 0; i < work.count; i++)
        cover_free(&work.covers[i]);
    for (size_t i = 0; i < work.log_count; i++)
        log_free(&work.logs[i]);
    free(work.covers);
    free(work.logs);
    return good ? EXIT_AS_EXPECTED : EXIT_UNUSABLE;
}

static const struct gone_word gone[] = {
    { .option = "format",
      .instead = "`everybranch coverage --json LOG | jq` makes the lines that Lighthouse "
                 "reads, as docs/show.md shows" },
    { .option = NULL },
};

VERB(coverage) = {
    .name = "coverage",
    .operands = "LOG...",
    .about = "print which code ran, and the directions of each Jcc",
    .more = "All runs of all logs are added up.  The total is the code that can be "
            "reached by direct branches and by falling through, from the workload's "
            "start, from its handlers and from everything that ran.",
    .examples = "coverage everybranch.log\n"
                "coverage --workload=quicksort,parser a.log b.log",
    .run = verb_coverage,
    .least = 1,
    .json = true,
    .gone = gone,
    .options = {
        BOOT_OPTION,
        { .name = "method", .value = "METHODS", .about = "only runs by these methods" },
        { .name = "workload", .value = "WORKLOADS", .about = "only these workloads" },
        OUTPUT_OPTION("write to FILE"),
    },
};
