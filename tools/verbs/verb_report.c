/*
 * `report`: one page about one machine or several, in a file that needs no other.
 *
 * tools/page/ holds the page, which never changes: a script in it renders the JSON that is
 * written into it here.  That is the document of `check`, and for each log also
 * `workloads`, `rules` and `cost`; then `traces`, which page_traces.c writes.  A browser
 * without JavaScript shows the text of `check`.
 *
 * Anybody may have made a log.  The page's policy lets only its own script run, and that
 * script sets text, never markup.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cost.h"
#include "count_of.h"
#include "escape.h"
#include "exit_code.h"
#include "facts.h"
#include "heap.h"
#include "json_log.h"
#include "judge.h"
#include "output.h"
#include "page_source.h"
#include "page_traces.h"
#include "read.h"
#include "report.h"
#include "verbs.h"
#include "words.h"

#define DEFAULT_NAME "report.html"

static void json_workloads(struct json *json, const struct log *log)
{
    json_array(json, "workloads");
    for (size_t i = 0; i < log->workload_count; i++) {
        json_object(json, NULL);
        json_text(json, "name", log->workloads[i]->own->name);
        json_text(json, "about", log->workloads[i]->own->about);
        json_close(json);
    }
    json_close(json);
}

/* The properties that decide by which rules a run was judged. */
struct rules_key {
    const struct method_facts *method;
    const struct model *row;
    uint32_t filter;
};

struct rules_keys {
    struct rules_key *at;
    size_t count, capacity;
};

static bool is_new(struct rules_keys *keys, const struct rules_key *key)
{
    for (size_t i = 0; i < keys->count; i++)
        if (keys->at[i].method == key->method && keys->at[i].row == key->row &&
            keys->at[i].filter == key->filter)
            return false;
    keys->at = grow(keys->at, &keys->capacity, keys->count, sizeof(*keys->at));
    keys->at[keys->count++] = *key;
    return true;
}

static void json_rules_of(struct json *json, const struct rules_key *key)
{
    const struct rule_place place = { .method = key->method,
                                      .model = key->row,
                                      .filter = key->filter };

    json_object(json, NULL);
    json_text(json, "method", key->method->name);
    json_text(json, "row", key->row ? key->row->name : NULL);
    json_text(json, "filter", filter_words(key->filter));
    json_rules_at(json, &place);
    json_close(json);
}

/* Prints the rules of all runs that are not as expected. */
static void json_rules(struct json *json, const struct log *log)
{
    struct rules_keys keys = { 0 };

    json_array(json, "rules");
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];
        struct rules_key key = { run->method, NULL, run->filter };

        if (!run->end_line || run->verdict < MEASURED)
            continue;
        key.row = run->cpu->row;
        if (is_new(&keys, &key))
            json_rules_of(json, &key);
    }
    json_close(json);
    free(keys.at);
}

static void json_best_cost(struct json *json, const struct log *log)
{
    const struct loaded *best = log->log_error ? NULL : cost_best(log);
    struct cost_table table;

    if (!best) {
        json_null(json, "cost");
        return;
    }
    cost_of(&table, log, best);
    json_cost(json, "cost", &table);
}

static void put_json(FILE *file, const struct log *logs, size_t count)
{
    struct json json;

    json_begin(&json, file, "report");
    json_array(&json, "logs");
    for (size_t i = 0; i < count; i++) {
        json_object(&json, NULL);
        json_log_fields(&json, &logs[i], false);
        json_facts(&json, &logs[i]);
        json_workloads(&json, &logs[i]);
        json_rules(&json, &logs[i]);
        json_best_cost(&json, &logs[i]);
        json_close(&json);
    }
    json_close(&json);
    json_traces(&json, logs, count);
    json_end(&json, EXIT_AS_EXPECTED);
}

/* In JSON "<" occurs in strings only; as \u003c it ends no element of the page. */
static void put_data(FILE *file, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] == '<')
            fputs("\\u003c", file);
        else
            fputc(text[i], file);
}

/* report_log() prints to standard output, which with glibc is a variable like any other. */
static void put_text(FILE *file, const struct log *logs, size_t count)
{
    FILE *before = stdout;

    stdout = file;
    for (size_t i = 0; i < count; i++) {
        report_log(&logs[i], &(struct report_options){ 0 });
        putchar('\n');
    }
    stdout = before;
}

static void put_page(FILE *file, const struct log *logs, size_t count)
{
    struct collected text = { 0 }, data = { 0 };

    collect_begin(&text);
    put_text(text.file, logs, count);
    collect_end(&text);
    collect_begin(&data);
    put_json(data.file, logs, count);
    collect_end(&data);
    fputs(page_before_text, file);
    escape_html(file, text.bytes, text.size);
    fputs(page_before_data, file);
    put_data(file, data.bytes, data.size);
    fputs(page_after_data, file);
    free(text.bytes);
    free(data.bytes);
}

/* True for an earlier report. */
static bool is_report(const char *name)
{
    const size_t length = strcspn(page_before_text, ">") + 1; /* <!DOCTYPE html> */
    const size_t mark = length + 1 + strcspn(page_before_text + length + 1, "\n");
    char there[128] = "";
    FILE *file = fopen(name, "rb");
    size_t size = file ? fread(there, 1, mark, file) : 0;
    bool ours = size == mark && memcmp(there, page_before_text, mark) == 0;

    if (file)
        fclose(file);
    return ours;
}

static bool save(const char *name, const char *bytes, size_t size)
{
    if (is_report(name) && unlink(name) != 0) {
        fprintf(stderr, "everybranch: %s cannot be replaced: %s\n", name, strerror(errno));
        return false;
    }
    return output_new(name, bytes, size);
}

static bool all_usable(const struct log *logs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (logs[i].log_error)
            return false;
    return true;
}

static int make(const struct given *given, const struct log *logs)
{
    const char *name =
        given_has(given, "output") ? given_value(given, "output") : DEFAULT_NAME;
    struct collected page = { 0 };
    int code = EXIT_UNUSABLE;

    collect_begin(&page);
    put_page(page.file, logs, given->count);
    collect_end(&page);
    if (save(name, page.bytes, page.size)) {
        code = all_usable(logs, given->count) ? EXIT_AS_EXPECTED : EXIT_UNUSABLE;
        printf("%s: %zu machine%s, %zu bytes\n", name, given->count, plural(given->count),
               page.size);
    }
    free(page.bytes);
    return code;
}

/* Reads and judges the logs; the page has what could be read.  False if nothing could. */
static bool read_all(const struct given *given, struct log *logs)
{
    const struct judge_options judging = { .no_skip = given_has(given, "no-skip") };
    bool all = true;

    for (size_t i = 0; i < given->count; i++) {
        log_read(&logs[i], given->operands[i]);
        all = all && (!logs[i].log_error || logs[i].opened);
        judge(&logs[i], &judging);
        if (log_has_no_error(&logs[i]) && logs[i].skipped)
            fprintf(stderr, "everybranch: %s: skipped: %s\n", logs[i].name,
                    logs[i].skipped);
    }
    return all;
}

static int verb_report(const struct given *given)
{
    struct log *logs = zeroed(given->count, sizeof(*logs));
    int code = read_all(given, logs) ? make(given, logs) : EXIT_UNUSABLE;

    for (size_t i = 0; i < given->count; i++)
        log_free(&logs[i]);
    free(logs);
    return code;
}

VERB(report) = {
    .name = "report",
    .operands = "LOG...",
    .about = "write one HTML page about one machine or several",
    .more = "The page needs no network and no other file.  For a log that is cut short "
            "it shows what there is, and the exit code is 2.",
    .examples = "report metal.log kvm.log -o report.html",
    .run = verb_report,
    .least = 1,
    .options = {
        BOOT_OPTION,
        { .letter = 'o',
          .name = "output",
          .value = "FILE",
          .about = "write to FILE (report.html), replacing only an earlier report" },
        { .name = "no-skip",
          .about = "count a skip as a failure where the model has the feature" },
    },
};
