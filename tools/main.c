/*
 * everybranch: says whether a log shows what the hardware had to show.
 */
#include "tools.h"

#include <stdlib.h>
#include <string.h>

#include "version.h"

static const char usage[] =
    "usage: everybranch VERB ...\n"
    "\n"
    "  check [OPTION...] LOG...  hold every run against its truth (-: standard input)\n"
    "      --tap                 as TAP 13 instead of the report\n"
    "      --junit FILE          also as JUnit's XML\n"
    "      --bytes               with the bytes on the wire of every run\n"
    "      --no-skip             a skip of what the model's row has is a failure\n"
    "  expect MODEL METHOD WORKLOAD\n"
    "                            what that must show, and what limits it (MODEL: unknown)\n"
    "  cat LOG                   the log in a form that diffs clean between machines\n"
    "  diff A B                  two machines: what differs, by facility, workload and "
    "method\n"
    "  submit LOG [-o FILE]      a log for the corpus, without what is not to be public\n"
    "  corpus LOG...             many logs, by kind of machine, and which of them "
    "conflict\n"
    "  pack FILE.asm [-o FILE]   a workload of your own, for the stick's folder workloads\n"
    "  models, platforms, methods, workloads\n"
    "                            what there is\n"
    "  help, --version\n"
    "\n"
    "exit: 0 all as expected (or measured: no manual says what is right there), 1 a\n"
    "difference, 2 unusable input or usage\n";

static int misused(const char *what, const char *word)
{
    fprintf(stderr, "everybranch: %s %s (`everybranch help` says how it is used)\n", what,
            word);
    return EXIT_UNUSABLE;
}

struct check_options {
    struct judge_options judge;
    struct report_options report;
    bool tap;
    const char *junit;
    const char **logs;
    size_t log_count;
};

/* Options may stand before, between and behind the logs. */
static int parse_check(int count, char **words, struct check_options *out)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], "--tap") == 0)
            out->tap = true;
        else if (strcmp(words[i], "--bytes") == 0)
            out->report.bytes = true;
        else if (strcmp(words[i], "--no-skip") == 0)
            out->judge.no_skip = true;
        else if (strcmp(words[i], "--junit") == 0 && i + 1 < count)
            out->junit = words[++i];
        else if (strcmp(words[i], "--junit") == 0)
            return misused("a file is missing behind", words[i]);
        else if (words[i][0] == '-' && words[i][1])
            return misused("check has no option", words[i]);
        else
            out->logs[out->log_count++] = words[i];
    }
    return out->log_count ? EXIT_AS_EXPECTED : misused("no log is given to", "check");
}

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

static int check_logs(const struct check_options *options)
{
    struct log *logs = calloc(options->log_count, sizeof(*logs));
    int code;

    if (!logs)
        return misused("no memory for", "check");
    for (size_t i = 0; i < options->log_count; i++) {
        log_read(&logs[i], options->logs[i]);
        judge(&logs[i], &options->judge);
        if (!options->tap)
            report(&logs[i], &options->report);
    }
    if (options->tap)
        tap(logs, options->log_count);
    code = exit_code(logs, options->log_count);
    if (options->junit && !junit(logs, options->log_count, options->junit))
        code = EXIT_UNUSABLE;
    for (size_t i = 0; i < options->log_count; i++)
        log_free(&logs[i]);
    free(logs);
    return code;
}

static int verb_check(int count, char **words)
{
    struct check_options options = { .logs = calloc((size_t)count + 1, sizeof(char *)) };
    int code;

    if (!options.logs)
        return misused("no memory for", "check");
    code = parse_check(count, words, &options);
    if (code == EXIT_AS_EXPECTED)
        code = check_logs(&options);
    free(options.logs);
    return code;
}

static int list_methods(void)
{
    for (size_t i = 0; i < method_view_count; i++)
        printf("%-12s %s\n", method_views[i].name, method_views[i].about);
    return EXIT_AS_EXPECTED;
}

static int list_workloads(void)
{
    for (size_t i = 0; i < own_workload_count(); i++)
        printf("%-12s %s\n", __start_workloads[i].name, __start_workloads[i].about);
    return EXIT_AS_EXPECTED;
}

static int print(const char *text)
{
    fputs(text, stdout);
    return EXIT_AS_EXPECTED;
}

/* A verb with one file to read and, with -o before or behind it, one to write. */
static int one_to_one(int count, char **words, int (*verb)(const char *, const char *),
                      const char *wish)
{
    if (count == 2 && words[1][0] != '-')
        return verb(words[1], NULL);
    if (count == 4 && strcmp(words[2], "-o") == 0)
        return verb(words[1], words[3]);
    if (count == 4 && strcmp(words[1], "-o") == 0)
        return verb(words[3], words[2]);
    return misused(wish, words[0]);
}

static int run_verb(int count, char **words)
{
    const char *verb = words[0];

    if (strcmp(verb, "check") == 0)
        return verb_check(count - 1, words + 1);
    if (strcmp(verb, "expect") == 0)
        return count == 4 ? verb_expect(words[1], words[2], words[3])
                          : misused("want MODEL METHOD WORKLOAD behind", verb);
    if (strcmp(verb, "cat") == 0)
        return count == 2 ? verb_cat(words[1]) : misused("want one LOG behind", verb);
    if (strcmp(verb, "diff") == 0)
        return count == 3 ? verb_diff(words[1], words[2])
                          : misused("want two LOGs behind", verb);
    if (strcmp(verb, "pack") == 0)
        return one_to_one(count, words, verb_pack,
                          "want FILE.asm, or FILE.asm -o FILE, behind");
    if (strcmp(verb, "submit") == 0)
        return one_to_one(count, words, verb_submit, "want LOG, or LOG -o FILE, behind");
    if (strcmp(verb, "corpus") == 0)
        return count > 1 ? verb_corpus((size_t)count - 1, words + 1)
                         : misused("no log is given to", verb);
    if (count > 1)
        return misused("too many words behind", verb);
    if (strcmp(verb, "models") == 0)
        return verb_models();
    if (strcmp(verb, "platforms") == 0)
        return verb_platforms();
    if (strcmp(verb, "methods") == 0)
        return list_methods();
    if (strcmp(verb, "workloads") == 0)
        return list_workloads();
    if (strcmp(verb, "help") == 0 || strcmp(verb, "--help") == 0)
        return print(usage);
    if (strcmp(verb, "--version") == 0)
        return print("everybranch " EVERYBRANCH_BUILD "\n");
    return misused("there is no verb", verb);
}

int main(int argc, char **argv)
{
    int code = argc > 1 ? run_verb(argc - 1, argv + 1) : misused("a verb is", "missing");

    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("everybranch: standard output");
        return EXIT_UNUSABLE;
    }
    return code;
}
