/*
 * `options`: lists the options of everybranch.cfg and BOOT=, or checks options before a
 * machine is booted with them.
 */
#include "verbs.h"

#include <stdio.h>
#include <string.h>

#include "heap.h"
#include "loaded.h"
#include "method_facts.h"
#include "request.h"
#include "setting.h"
#include "span.h"
#include "text.h"
#include "exit_code.h"
#include "words.h"

static const char *values_of(const struct setting *setting)
{
    static char buffer[SETTING_SENTENCE];
    struct text out = text_into(buffer, sizeof(buffer));

    setting_put_values(&out, setting);
    return buffer;
}

static void print_options(void)
{
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        bool alone = settings[i].kind == SETTING_IS_WORD;
        char name[32];

        snprintf(name, sizeof(name), "%s%s", settings[i].name, alone ? "" : "=");
        printf("%-19s %s\n", name, settings[i].about);
        if (!alone)
            printf("%-19s %s\n", "", values_of(&settings[i]));
    }
    printf("%-19s %s\n", "do COMMAND", "a command of the monitor, to the end of the line");
}

static bool is_workload_of(const struct given *given, struct span name)
{
    const char *also;

    for (size_t i = 0; i < own_workload_count(); i++)
        if (span_is(name, __start_workloads[i].name))
            return true;
    for (size_t i = 0; (also = given_nth(given, "workload", i)); i++)
        if (span_is(name, also))
            return true;
    return false;
}

/* Finds the first name of a list that is no workload, or an empty name. */
static struct span no_workload(const struct given *given, const char *list)
{
    while (*list) {
        struct span name = { list, strcspn(list, ",") };

        if (!is_workload_of(given, name))
            return name;
        list += name.length + (list[name.length] == ',');
    }
    return (struct span){ list, 0 };
}

static const char *wrong_workload(const struct given *given, const char *option,
                                  struct span name)
{
    struct nearest nearest = nearest_to(name.at, name.length);
    const char *also;

    for (size_t i = 0; i < own_workload_count(); i++)
        nearest_try(&nearest, __start_workloads[i].name);
    for (size_t i = 0; (also = given_nth(given, "workload", i)); i++)
        nearest_try(&nearest, also);
    return scratch_text("%s: there is no workload %.*s%s; `everybranch list workloads` "
                        "prints them",
                        option, SPAN(name), scratch_take(did_you_mean(&nearest, "")));
}

/* The commands of `do`. */

#define LBR_DEPTH_MOST 64 /* where CPUID reports the depth */

static bool is_method(const char *name)
{
    return method_named(name) != NULL;
}

static size_t depth_of(const struct lbr_layout *lbr)
{
    return lbr->depth || !lbr->from ? lbr->depth : LBR_DEPTH_MOST;
}

static struct trace_msr_set msrs_of(const struct model *model)
{
    return (struct trace_msr_set){ .vendor = model->vendor,
                                   .model = model,
                                   .lbr_depth = depth_of(&model->lbr),
                                   .ds = model->bts };
}

static const char *command_wrong(const char *command, bool (*is_workload)(const char *name))
{
    const char *wrong = NULL;
    struct request request;

    for (size_t i = 0; i < model_count; i++) {
        const struct request_names names = { msrs_of(&models[i]), is_method, is_workload };

        wrong = request_read(&request, command, &names);
        if (!wrong)
            return NULL;
    }
    return wrong;
}

static const struct given
    *of_commands; /* for is_workload(): names the workloads of bundles */

static bool is_workload(const char *name)
{
    return is_workload_of(of_commands, (struct span){ name, strlen(name) });
}

static const char *wrong_command(const struct given *given, const char *option,
                                 const char *command)
{
    const char *wrong;

    of_commands = given;
    wrong = command_wrong(command, is_workload);
    return wrong ? scratch_text("%s: %s (docs/commands.md)", option, wrong) : NULL;
}

static const char *wrong_with(const struct given *, const char *option);

static const char *wrong_words(const struct given *given, char *words)
{
    const char *wrong = NULL;

    for (char *word; !wrong && (word = strsep(&words, " "));)
        if (*word)
            wrong = wrong_with(given, word);
    return wrong;
}

/* "do COMMAND"; after a `;` the next option begins, as in everybranch.cfg. */
static const char *wrong_commands(const struct given *given, const char *option)
{
    char *rest = scratch_text("%s", option);
    const char *wrong = NULL;

    for (char *one; !wrong && (one = strsep(&rest, ";"));) {
        one += strspn(one, " ");
        wrong = strncmp(one, "do ", 3) == 0 ? wrong_command(given, option, one + 3)
                                            : wrong_words(given, one);
    }
    return wrong;
}

/* Returns what is wrong, without the program's name, for scripts/run; NULL: nothing. */
static const char *wrong_with(const struct given *given, const char *option)
{
    const struct setting *setting = setting_named(option);
    struct options options = { 0 };
    const char *wrong;
    struct span name;

    if (strncmp(option, "do ", 3) == 0 && option[3])
        return wrong_commands(given, option);
    wrong = setting_read(option, &options);
    if (wrong)
        return wrong;
    if (setting != &settings[SETTING_WORKLOAD])
        return NULL;
    name = no_workload(given, options.workloads);
    return name.length ? wrong_workload(given, option, name) : NULL;
}

bool options_right(const struct given *given)
{
    for (size_t i = 0; i < given->count; i++) {
        const char *wrong = wrong_with(given, given->operands[i]);

        if (wrong) {
            fprintf(stderr, "%s\n", wrong);
            return false;
        }
    }
    return true;
}

/*
 * Prints a line for each option that has no effect with the methods.  It is no mistake: the
 * file may be for several boots.
 */
static void print_idle(const struct given *given)
{
    struct options options = { 0 };

    for (size_t i = 0; i < given->count; i++)
        if (setting_named(given->operands[i]))
            setting_read(given->operands[i], &options);
    for (size_t i = 0; i < given->count; i++) {
        const struct setting *setting = setting_named(given->operands[i]);
        const char *idle =
            setting ? setting_idle((enum setting_id)(setting - settings), options.methods)
                    : NULL;

        if (idle)
            printf("%s\n", idle);
    }
}

static int verb_options(const struct given *given)
{
    if (given->count == 0)
        print_options();
    else if (!options_right(given))
        return EXIT_UNUSABLE;
    else
        print_idle(given);
    return EXIT_AS_EXPECTED;
}

VERB(options) = {
    .name = "options",
    .operands = "[OPTION...]",
    .about = "list or check what everybranch.cfg and BOOT= may hold",
    .more = "Without an operand it lists all options and their values.  Otherwise it "
            "checks the operands: for a wrong one it prints a sentence and exits with 2, "
            "and for each that has no effect with the chosen methods it prints a line.",
    .examples = "options\noptions method=bts,bts-pmi buffer=16 threshold=4",
    .run = verb_options,
    .most = 99,
    .options = { { .name = "workload",
                   .value = "NAME",
                   .about = "assume that a workload of that name exists too",
                   .repeats = true } },
};
