/*
 * everybranch: finds the verb that the command line names, and runs it.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "count_of.h"
#include "heap.h"
#include "verbs.h"
#include "read.h"
#include "exit_code.h"
#include "version.h"
#include "words.h"

static int misused(const char *what, const char *word)
{
    fprintf(stderr, "everybranch: %s %s; `everybranch help` lists the verbs\n", what, word);
    return EXIT_UNUSABLE;
}

/* Verbs of earlier builds, and what replaces them. */
static const struct {
    const char *name, *now;
} former[] = {
    { "corpus", "`diff A B` compares two logs" },
    { "models", "`list models` prints them" },
    { "platforms", "`list platforms` prints them" },
    { "methods", "`list methods` prints them" },
    { "workloads", "`list workloads` prints them" },
    { "rules", "`list rules` prints them" },
};

static int no_verb(const char *name)
{
    struct nearest nearest;

    for (size_t i = 0; i < COUNT_OF(former); i++)
        if (strcmp(former[i].name, name) == 0) {
            fprintf(stderr, "everybranch: the verb %s was removed: %s\n", name,
                    former[i].now);
            return EXIT_UNUSABLE;
        }
    nearest = nearest_to(name, strlen(name));
    for (const struct verb *verb = verbs; verb < verbs_end; verb++)
        nearest_try(&nearest, verb->name);
    nearest_try(&nearest, "help");
    nearest_try(&nearest, "--version");
    if (strcmp(name, "-v") == 0 || strcmp(name, "-V") == 0)
        nearest.name = "--version";
    fprintf(stderr,
            "everybranch: there is no verb %s%s; `everybranch help` lists the verbs%s\n",
            name, scratch_take(did_you_mean(&nearest, "")),
            name[0] == '-' ? ", --version prints the version" : "");
    return EXIT_UNUSABLE;
}

static bool is_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 ||
           strcmp(word, "-h") == 0;
}

static int help(int count, char **words)
{
    const struct verb *verb = count > 1 ? verb_named(words[1]) : NULL;

    if (count > 2)
        return misused("help takes one verb, so this is too much:", words[2]);
    if (count > 1 && strcmp(words[1], "--man") == 0)
        help_manual();
    else if (verb)
        help_verb(verb);
    else if (count > 1 && !is_help(words[1]))
        return no_verb(words[1]);
    else
        help_all();
    return EXIT_AS_EXPECTED;
}

/* The reader is told which of several logs is meant. */
static bool take_boot(const struct given *given)
{
    size_t boot;

    if (!given_number(given, "boot", 0, &boot))
        return false;
    if (given_has(given, "boot") && boot == 0) {
        given_wrong(given, "--boot 0: logs are numbered from 1");
        return false;
    }
    logs_choose(boot);
    return true;
}

static int run_given(const struct verb *verb, int count, char **words)
{
    struct given given;
    int code = EXIT_UNUSABLE;

    if (given_read(&given, verb, count, words)) {
        code = EXIT_AS_EXPECTED;
        if (given.help)
            help_verb(verb);
        else
            code = take_boot(&given) ? verb->run(&given) : EXIT_UNUSABLE;
    }
    given_free(&given);
    return code;
}

static int run_verb(int count, char **words)
{
    const struct verb *verb = verb_named(words[0]);

    if (verb)
        return run_given(verb, count, words);
    if (is_help(words[0]))
        return help(count, words);
    if (strcmp(words[0], "--version") == 0) {
        puts("everybranch " EVERYBRANCH_VERSION " (" EVERYBRANCH_BUILD ")");
        return EXIT_AS_EXPECTED;
    }
    return no_verb(words[0]);
}

/* A file that is mapped, and that somebody makes shorter: there is nothing to go back to.
 */
static void cut_short(int number)
{
    static const char said[] =
        "everybranch: a file was cut short by another program while it was read\n";

    (void)number;
    (void)!write(STDERR_FILENO, said, sizeof(said) - 1);
    _exit(EXIT_UNUSABLE);
}

int main(int argc, char **argv)
{
    int code;

    signal(SIGBUS, cut_short);
    signal(SIGXFSZ, SIG_IGN); /* write() then returns an error, which is reported */
    code = argc > 1 ? run_verb(argc - 1, argv + 1) : misused("a verb", "is missing");
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("everybranch: standard output");
        return EXIT_UNUSABLE;
    }
    return code;
}
