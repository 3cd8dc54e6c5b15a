/*
 * `check`: judges each log and prints the report; the exit code is that of the worst.
 */
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "exit_code.h"
#include "heap.h"
#include "json_log.h"
#include "judge.h"
#include "output.h"
#include "platform.h"
#include "read.h"
#include "report.h"
#include "words.h"

int check_exit_code(const struct log *logs, size_t count)
{
    int worst = EXIT_AS_EXPECTED;

    for (size_t i = 0; i < count; i++) {
        enum verdict verdict = log_verdict(&logs[i]);
        int code = verdict == ERROR  ? EXIT_UNUSABLE
                   : verdict == FAIL ? EXIT_DIFFERENT
                                     : EXIT_AS_EXPECTED;

        worst = code > worst ? code : worst;
    }
    return worst;
}

void check_json(const char *verb, const struct log *logs, size_t count, int code)
{
    struct json json;

    json_begin(&json, stdout, verb);
    json_array(&json, "logs");
    for (size_t i = 0; i < count; i++) {
        json_object(&json, NULL);
        json_log_fields(&json, &logs[i], true);
        json_close(&json);
    }
    json_close(&json);
    json_end(&json, code);
}

/* Finds the platform that --as names.  False after saying that there is none. */
static bool platform_given(const struct given *given, const struct platform **out)
{
    const char *name = given_value(given, "as");
    struct nearest nearest;

    *out = name ? platform_named(name) : NULL;
    if (!name || *out)
        return true;
    nearest = nearest_to(name, strlen(name));
    for (size_t i = 0; i < platform_count; i++)
        nearest_try(&nearest, platforms[i].name);
    given_wrong(given,
                "--as=%s: there is no such platform%s; `everybranch list platforms` "
                "prints them",
                name, scratch_take(did_you_mean(&nearest, "")));
    return false;
}

/* The last words of all logs, the worst first. */
static const char *const last_words[] = { "ERROR", "FAIL", "MEASURED", "SKIP", "PASS" };
#define LAST_WORDS COUNT_OF(last_words)

static void count_word(size_t counts[LAST_WORDS], const char *word)
{
    for (size_t i = 0; i < LAST_WORDS; i++)
        counts[i] += strcmp(last_words[i], word) == 0;
}

/* Otherwise the word of the last log would seem to be that of all. */
static void report_all(const size_t counts[LAST_WORDS])
{
    const char *before = ":";
    size_t all = 0, worst = LAST_WORDS;

    for (size_t i = LAST_WORDS; i-- > 0;) {
        all += counts[i];
        worst = counts[i] ? i : worst;
    }
    if (all < 2)
        return;
    printf("\n%-5s %zu logs", last_words[worst], all);
    for (size_t i = worst; i < LAST_WORDS; i++)
        if (counts[i]) {
            printf("%s %zu %s", before, counts[i], last_words[i]);
            before = ",";
        }
    puts("");
}

void check_last_line(const struct log *logs, size_t count)
{
    size_t words[LAST_WORDS] = { 0 };

    for (size_t i = 0; i < count; i++)
        count_word(words, log_last_word(&logs[i]));
    report_all(words);
}

/* Reports on each log of each file, one after the other. */
static int check_all(char *const *names, size_t files, const struct judge_options *judging,
                     const struct report_options *reporting)
{
    int worst = EXIT_AS_EXPECTED;
    size_t words[LAST_WORDS] = { 0 };

    for (size_t i = 0; i < files; i++) {
        size_t count;
        struct log *logs = logs_read(names[i], &count);
        int code;

        for (size_t k = 0; k < count; k++)
            judge(&logs[k], judging);
        report_boots(logs, count);
        for (size_t k = 0; k < count; k++) {
            report_log(&logs[k], reporting);
            count_word(words, log_last_word(&logs[k]));
        }
        code = check_exit_code(logs, count);
        worst = code > worst ? code : worst;
        for (size_t k = 0; k < count; k++)
            log_free(&logs[k]);
        free(logs);
    }
    report_all(words);
    return worst;
}

int check_file(const char *name)
{
    char *names[] = { (char *)name };

    return check_all(names, 1, &(struct judge_options){ .no_skip = false },
                     &(struct report_options){ .bytes = false });
}

static int verb_check(const struct given *given)
{
    struct judge_options judging = { .no_skip = given_has(given, "no-skip") };
    const struct report_options reporting = { .bytes = given_has(given, "bytes"),
                                              .table = given_has(given, "table") };
    const char *junit_name = given_value(given, "junit");
    const bool as_tap = given_has(given, "tap");
    FILE *junit_file = NULL;
    struct log *logs;
    int code;

    if (as_tap && given->json)
        return given_wrong(given, "--tap and --json exclude each other");
    if (!platform_given(given, &judging.as))
        return EXIT_UNUSABLE;
    /* Before the logs are read: no verdict follows a name that cannot be written to. */
    if (junit_name && !(junit_file = output_xml(junit_name)))
        return EXIT_UNUSABLE;
    if (!as_tap && !given->json && !junit_file)
        return check_all(given->operands, given->count, &judging, &reporting);
    logs = zeroed(given->count, sizeof(*logs));
    for (size_t i = 0; i < given->count; i++) {
        log_read(&logs[i], given->operands[i]);
        judge(&logs[i], &judging);
        if (!as_tap && !given->json)
            report_log(&logs[i], &reporting);
    }
    if (as_tap)
        tap(logs, given->count);
    code = check_exit_code(logs, given->count);
    if (junit_file) {
        fflush(stdout); /* an error of the file comes after the report */
        junit(junit_file, logs, given->count);
        if (!output_end(junit_file, junit_name, true))
            code = EXIT_UNUSABLE;
    }
    if (given->json)
        check_json(given->verb->name, logs, given->count, code);
    for (size_t i = 0; i < given->count; i++)
        log_free(&logs[i]);
    free(logs);
    return code;
}

VERB(check) = {
    .name = "check",
    .operands = "LOG...",
    .about = "compare every run with its expected trace",
    .more = "A LOG of - is standard input.  Several logs are judged one by one, and the last "
            "line and the exit code are those of the worst.  So are several logs in one file, as of a "
            "machine that was started again.  Runs that differ in the same way are one "
            "finding, which begins with LOG:LINE.  In the table of --table, workloads "
            "with a failure come first.  It is split at the terminal's width; in a file, at "
            "COLUMNS, if that is set.",
    .examples = "check build/run/emulator-skylake/everybranch.log\n"
                "check --tap --no-skip serial.txt\n"
                "check --json logs/*.log",
    .run = verb_check,
    .json = true,
    .least = 1,
    .options = {
        BOOT_OPTION,
        { .name = "tap", .about = "print TAP 13 instead of the report" },
        { .name = "junit", .value = "FILE", .about = "also write JUnit XML, replacing FILE" },
        { .name = "table", .about = "print the verdict of each workload by each method" },
        { .name = "bytes", .about = "print how many bytes each run took on the wire" },
        { .name = "as", .value = "PLATFORM",
          .about = "judge as on metal, kvm...: for a hypervisor that hides itself" },
        { .name = "no-skip",
          .about = "count a skip as a failure where the model has the feature" },
    },
};
