/*
 * `check`: logs, each judged and reported; the exit code is that of the worst.
 */
#include <stdlib.h>

#include "tools.h"
#include "verbs.h"

static int exit_code(const struct log *logs, size_t count)
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

int verb_check(const struct given *given)
{
    const struct judge_options judging = { .no_skip = given_has(given, "no-skip") };
    const struct report_options reporting = { .bytes = given_has(given, "bytes") };
    const char *junit_file = given_value(given, "junit");
    const bool as_tap = given_has(given, "tap");
    struct log *logs = calloc(given->count, sizeof(*logs));
    int code;

    if (!logs)
        return given_wrong(given, "out of memory");
    for (size_t i = 0; i < given->count; i++) {
        log_read(&logs[i], given->operands[i]);
        judge(&logs[i], &judging);
        if (!as_tap)
            report(&logs[i], &reporting);
    }
    if (as_tap)
        tap(logs, given->count);
    code = exit_code(logs, given->count);
    if (junit_file && !junit(logs, given->count, junit_file))
        code = EXIT_UNUSABLE;
    for (size_t i = 0; i < given->count; i++)
        log_free(&logs[i]);
    free(logs);
    return code;
}
