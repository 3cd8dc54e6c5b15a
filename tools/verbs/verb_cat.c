/*
 * `cat`: a log without trailers and without addresses that differ from machine to
 * machine, folded in the one way that common/branch/fold.c folds, so that the logs of two
 * machines can be compared with diff.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_code.h"
#include "folded.h"
#include "heap.h"
#include "infos.h"
#include "json_log.h"
#include "line.h"
#include "bytes.h"
#include "judge.h"
#include "read.h"
#include "verbs.h"

#define DATA_BYTES_PER_LINE 144 /* as the kernel writes them */

static void print_base64(const char *word, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += DATA_BYTES_PER_LINE) {
        char buffer[LOG_LINE_MAX];
        struct text text = text_into(buffer, sizeof(buffer));
        size_t rest = size - at;

        text_base64(&text, bytes + at,
                    rest < DATA_BYTES_PER_LINE ? rest : DATA_BYTES_PER_LINE);
        printf("%s %s\n", word, buffer);
    }
}

/* Packed bytes are portable: the same trace gives the same bytes on every machine. */
static void print_packed(const struct run *run)
{
    const struct run_lines *lines = run->lines;

    printf("packed records=%llu bytes=%llu coder=%d\n", (unsigned long long)run->records,
           (unsigned long long)lines->size, PACK_CODER);
    print_base64("data", lines->bytes, lines->size);
}

/* Prints the event by its name, which is the same on every machine. */
static void name_event(const struct log *log, const struct run *run, struct line *line)
{
    const struct pmu *pmu = pmu_find(&log->machine.cpu.id);
    const struct pmu_event *event = counted_event(run);

    for (enum event_name i = 0; event && i < EVENT_NAMES; i++)
        if (pmu_event_named(pmu, i) == event)
            *line_value(line, "event") = span_of(event_names[i]);
}

/* False if some record cannot be unpacked. */
static bool print_records(struct log *log, const struct run *run, bool packed)
{
    const struct log_map map = map_of(log, run->workload);

    if (packed && run->lines && run->lines->bytes && !run->lines->packets) {
        print_packed(run);
        return true;
    }
    folded_print(log, &map, run);
    if (!records_hold(log, run))
        return false;
    records_free(run, run + 1 < log->runs + log->run_count ? run + 1 : NULL);
    return true;
}

static void print_line(const struct line *line)
{
    char buffer[LOG_LINE_MAX + 1];
    struct text text = text_into(buffer, sizeof(buffer));

    line_put(line, '-', &text);
    puts(buffer);
}

/*
 * Leaves out how many interrupts a run took: like their lateness, it depends on the
 * processor.
 */
static void print_end_of_run(const struct run *run, struct line *line)
{
    if (method_is_interrupted(run->method))
        line_value(line, "events")->at = NULL;
    print_line(line);
}

static bool canonical(struct log *log, bool packed)
{
    struct log_lines lines = { .log = log };
    const struct run *run = NULL;
    struct span body;
    struct line line;

    while (log_next(&lines, &body) && line_begin(&line, log, body)) {
        enum log_line word = log_word(line.word.at, line.word.length);

        if (!(log_words[word].shown & LOG_IN_CAT) ||
            (log_words[word].section == LOG_IN_RUN && word != WORD_RAN) ||
            !line_parse(&line, word))
            continue;
        if (word == WORD_RUN || word == WORD_SKIP)
            run = run ? run + 1 : log->runs;
        if (word == WORD_RUN && run->method->counter_driven)
            name_event(log, run, &line);
        if (word == WORD_RAN && !print_records(log, run, packed))
            return false;
        if (word == WORD_RAN)
            print_end_of_run(run, &line);
        else
            print_line(&line);
    }
    return true;
}

/* Prints stops as stops: `show` works out the branches between them. */
static void json_stop(struct json *json, struct place_words *words, const struct run *run,
                      const struct branch *stop, uint64_t times)
{
    json_object(json, NULL);
    json_span(json, "to", place_word(words, stop->to, LOG_TO));
    if (run->method->sampled || !stop->info)
        json_null(json, "taken");
    else
        json_bool(json, "taken", stop->info == STOP_TAKEN);
    json_count(json, "late", run->method->sampled ? stop->info : 0);
    json_count(json, "times", times);
    json_close(json);
}

static void json_stops(struct json *json, const struct log *log, const struct log_map *map,
                       const struct run *run)
{
    static struct place_words words;
    const struct run_records stops = run_records(log, run);

    place_words_of(&words, map);
    json_array(json, "records");
    for (uint64_t at = 0, end = 0; at < stops.count; at = end) {
        while (end < stops.count && branch_same(&stops.at[end], &stops.at[at]))
            end++;
        json_stop(json, &words, run, &stops.at[at], end - at);
    }
    json_close(json);
}

/* Prints each run's records; equal neighbours are one element. */
static void json_records(struct json *json, const struct log *log, const struct run *run)
{
    struct recorded recorded;
    struct log_map map = map_of(log, run->workload);

    json_object(json, NULL);
    json_run_names(json, run);
    json_text(json, "outcome", run->skipped ? "skipped" : outcome_names[run->ran.outcome]);
    json_text(json, "why", run->skipped ? scratch_take(skip_sentence(run)) : NULL);
    json_count(json, "count",
               run->method->packets ? run_records(log, run).count : run->records);
    json_count(json, "events", run->ran.events);
    json_count(json, "lost", run->ran.lost);
    if (run->method->stops)
        json_stops(json, log, &map, run);
    else
        json_transfers(json, transfers_of(&recorded, log, run), &map);
    json_infos(json, run);
    json_close(json);
    records_free(run, NULL);
}

static void json_canonical(const struct log *log)
{
    struct json json;

    json_begin(&json, stdout, "cat");
    json_text(&json, "log", log->name);
    json_machine(&json, "machine", log, &log->machine.cpu);
    json_facilities(&json, &log->machine.cpu);
    json_array(&json, "runs");
    for (size_t i = 0; i < log->run_count; i++)
        json_records(&json, log, &log->runs[i]);
    json_close(&json);
    json_end(&json, EXIT_AS_EXPECTED);
}

static bool all_hold(struct log *log)
{
    bool whole = true;

    for (size_t i = 0; i < log->run_count; i++) {
        whole = whole && records_hold(log, &log->runs[i]);
        records_free(&log->runs[i], i + 1 < log->run_count ? &log->runs[i + 1] : NULL);
    }
    return whole;
}

/*
 * Text is printed up to the first record that cannot be unpacked.  JSON that breaks off
 * is useless, and packed bytes are printed unchecked, so for these all records are
 * unpacked first.
 */
static bool print(struct log *log, bool json, bool packed)
{
    if (!json && !packed)
        return canonical(log, packed);
    if (!all_hold(log))
        return false;
    if (json)
        json_canonical(log);
    else
        canonical(log, packed);
    return true;
}

static int verb_cat(const struct given *given)
{
    struct log log;
    bool whole;

    log_read(&log, given->operands[0]);
    whole = !log.log_error && print(&log, given->json, given_has(given, "packed"));
    log_is_whole(&log);
    log_free(&log);
    return whole ? EXIT_AS_EXPECTED : EXIT_UNUSABLE;
}

VERB(cat) = {
    .name = "cat",
    .operands = "LOG",
    .about = "print the log in a form that diffs cleanly between machines",
    .more = "Packed runs are unpacked, and repeats are folded in the same way for every "
            "log.",
    .examples = "cat everybranch.log | less",
    .options = { BOOT_OPTION, { .name = "packed", .about = "leave packed runs packed" } },
    .run = verb_cat,
    .json = true,
    .least = 1,
    .most = 1,
};
