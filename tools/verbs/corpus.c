/*
 * `corpus`: many logs, by the kind of machine that they are from.  Those of one kind may
 * have made different runs, but what two of them both tried must have come to the same:
 * where it did not, both are named.
 */
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "heap.h"
#include "json_log.h"
#include "judge.h"
#include "log_lines.h"
#include "read.h"
#include "words.h"

/* One processor, one microcode, one platform. */
static bool same_kind(const struct log *a, const struct log *b)
{
    return strcmp(a->cpu.id.vendor, b->cpu.id.vendor) == 0 &&
           a->cpu.id.family == b->cpu.id.family && a->cpu.id.model == b->cpu.id.model &&
           a->cpu.id.stepping == b->cpu.id.stepping &&
           span_same(a->cpu.microcode, b->cpu.microcode) &&
           strcmp(a->cpu.id.hypervisor, b->cpu.id.hypervisor) == 0 &&
           a->cpu.platform == b->cpu.platform;
}

static void print_kind(const struct log *log, size_t logs, size_t runs)
{
    printf("%s, %s family 0x%x model 0x%x stepping 0x%x, microcode %.*s, ",
           log->cpu.row ? log->cpu.row->name : "unknown", log->cpu.id.vendor,
           log->cpu.id.family, log->cpu.id.model, log->cpu.id.stepping,
           SPAN(log->cpu.microcode));
    if (log->cpu.platform)
        printf("%s", log->cpu.platform->name);
    else
        printf("under \"%s\"", log->cpu.id.hypervisor);
    printf(": %zu log%s, %zu run%s\n", logs, plural(logs), runs, plural(runs));
}

static const char *verdict_of(const struct log *log)
{
    static const char *const words[VERDICTS] = { [PASS] = "as expected",
                                                 [SKIP] = "as expected",
                                                 [MEASURED] = "as expected, and measured",
                                                 [FAIL] = "a difference",
                                                 [ERROR] = "in error" };

    return words[log_verdict(log)];
}

/* The first log of a kind, with all that are of it; the number of conflicts. */
static size_t print_group(const struct log *logs, size_t count, size_t first)
{
    size_t members = 0, runs = 0, conflicts = 0;

    for (size_t i = first; i < count; i++)
        if (same_kind(&logs[first], &logs[i])) {
            members++;
            runs += logs[i].run_count;
        }
    print_kind(&logs[first], members, runs);
    for (size_t i = first; i < count; i++)
        if (same_kind(&logs[first], &logs[i]))
            printf("    %s: %zu run%s, %s\n", logs[i].name, logs[i].run_count,
                   plural(logs[i].run_count), verdict_of(&logs[i]));
    for (size_t i = first; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            if (same_kind(&logs[first], &logs[i]) && same_kind(&logs[first], &logs[j]))
                conflicts += diff_conflicts(&logs[i], &logs[j], NULL);
    return conflicts;
}

static size_t json_group(struct json *json, const struct log *logs, size_t count,
                         size_t first)
{
    size_t conflicts = 0;

    json_object(json, NULL);
    json_machine(json, "machine", &logs[first]);
    json_array(json, "logs");
    for (size_t i = first; i < count; i++) {
        if (!same_kind(&logs[first], &logs[i]))
            continue;
        json_object(json, NULL);
        json_text(json, "log", logs[i].name);
        json_count(json, "runs", logs[i].run_count);
        json_text(json, "verdict", json_verdicts[log_verdict(&logs[i])]);
        json_close(json);
    }
    json_close(json);
    json_array(json, "conflicts");
    for (size_t i = first; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            if (same_kind(&logs[first], &logs[i]) && same_kind(&logs[first], &logs[j]))
                conflicts += diff_conflicts(&logs[i], &logs[j], json);
    json_close(json);
    json_close(json);
    return conflicts;
}

static bool logged(const struct log *logs, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (same_kind(&logs[i], &logs[at]))
            return true;
    return false;
}

/* Line by line the same, however the lines end and whatever stands around them. */
static bool same_log(const struct log *a, const struct log *b)
{
    struct log_lines in_a = { .log = a }, in_b = { .log = b };
    struct span left, right;

    while (log_next(&in_a, &left))
        if (!log_next(&in_b, &right) || !span_same(left, right))
            return false;
    return !log_next(&in_b, &right);
}

/* Whether the log behind the `read` ones is one of them again: then it is forgotten. */
static bool logged_already(struct log *logs, size_t read, struct json *json)
{
    for (size_t i = 0; i < read && !logs[read].log_error; i++)
        if (!logs[i].log_error && same_log(&logs[i], &logs[read])) {
            if (json)
                json_text(json, NULL, logs[read].name);
            else
                printf("%s: the same log as %s, counted once\n", logs[read].name,
                       logs[i].name);
            log_free(&logs[read]);
            return true;
        }
    return false;
}

/* Those that are usable and not there twice; false: some are not usable. */
static bool read_logs(const struct given *given, struct log *logs, size_t *read,
                      struct json *json)
{
    bool all = true;

    for (size_t i = 0; i < given->count; i++) {
        all = log_usable(&logs[*read], given->operands[i]) && all;
        *read += !logged_already(logs, *read, json);
    }
    return all;
}

static size_t tell_groups(const struct log *logs, size_t count, struct json *json)
{
    size_t kinds = 0, conflicts = 0;

    for (size_t i = 0; i < count; i++)
        if (!logged(logs, i)) {
            kinds++;
            conflicts +=
                json ? json_group(json, logs, count, i) : print_group(logs, count, i);
        }
    if (!json)
        printf("\nlogs: %zu, kinds of machines: %zu, pairs that conflict: %zu\n", count,
               kinds, conflicts);
    return conflicts;
}

int verb_corpus(const struct given *given)
{
    struct log *logs = zeroed(given->count + 1, sizeof(*logs));
    struct json json = { 0 }, *wanted = given->json ? &json : NULL;
    size_t read = 0;
    int code = EXIT_UNUSABLE;

    if (wanted) {
        json_begin(wanted, stdout, given->verb->name);
        json_array(wanted, "repeated");
    }
    if (read_logs(given, logs, &read, wanted)) {
        if (wanted) {
            json_close(wanted);
            json_array(wanted, "kinds");
        }
        code = tell_groups(logs, read, wanted) ? EXIT_DIFFERENT : EXIT_AS_EXPECTED;
    }
    if (wanted) {
        json_close(wanted);
        json_end(wanted, code);
    }
    for (size_t i = 0; i < read; i++)
        log_free(&logs[i]);
    free(logs);
    return code;
}
