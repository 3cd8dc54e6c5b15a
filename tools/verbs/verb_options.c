/*
 * `options`: what everybranch.cfg and BOOT= may hold; and whether these do, which is asked
 * before a machine is booted with them.
 */
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "heap.h"
#include "json.h"
#include "loaded.h"
#include "setting.h"
#include "span.h"
#include "text.h"
#include "verdict.h"

static const char *values_of(const struct setting *setting)
{
    static char buffer[SETTING_SENTENCE];
    struct text out = text_into(buffer, sizeof(buffer));

    setting_put_values(&out, setting);
    return buffer;
}

static void list(void)
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

static void json_list(const struct given *given)
{
    struct json json;

    json_begin(&json, stdout, given->verb->name);
    json_array(&json, "options");
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        json_object(&json, NULL);
        json_text(&json, "name", settings[i].name);
        json_text(&json, "about", settings[i].about);
        json_text(&json, "value", values_of(&settings[i]));
        json_bool(&json, "of_run", settings[i].of_run);
        json_close(&json);
    }
    json_close(&json);
    json_end(&json, EXIT_AS_EXPECTED);
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

/* The first of a list that is none, or an empty one. */
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

static char *wrong_workload(const struct given *given, const char *option, struct span name)
{
    char *sentence = NULL;
    size_t size;
    FILE *out = open_memstream(&sentence, &size);
    const char *also;

    if (!out)
        return format_text("%s: there is no workload %.*s", option, SPAN(name));
    fprintf(out, "%s: there is no workload %.*s, want of", option, SPAN(name));
    for (size_t i = 0; i < own_workload_count(); i++)
        fprintf(out, " %s", __start_workloads[i].name);
    for (size_t i = 0; (also = given_nth(given, "workload", i)); i++)
        fprintf(out, " %s", also);
    fclose(out);
    return sentence;
}

static const struct given *of_commands; /* names the workloads of bundles */

static bool is_workload(const char *name)
{
    return is_workload_of(of_commands, (struct span){ name, strlen(name) });
}

static char *wrong_command(const struct given *given, const char *option,
                           const char *command)
{
    const char *wrong;

    of_commands = given;
    wrong = command_wrong(command, is_workload);
    return wrong ? format_text("%s: %s (docs/monitor.md)", option, wrong) : NULL;
}

static char *wrong_with(const struct given *, const char *option);

static char *wrong_words(const struct given *given, char *words)
{
    char *wrong = NULL;

    for (char *word; !wrong && (word = strsep(&words, " "));)
        if (*word)
            wrong = wrong_with(given, word);
    return wrong;
}

/* "do COMMAND"; behind a `;` the next option begins, as in everybranch.cfg. */
static char *wrong_commands(const struct given *given, const char *option)
{
    char *copy = format_text("%s", option), *wrong = NULL, *rest = copy;

    for (char *one; !wrong && (one = strsep(&rest, ";"));) {
        one += strspn(one, " ");
        wrong = strncmp(one, "do ", 3) == 0 ? wrong_command(given, option, one + 3)
                                            : wrong_words(given, one);
    }
    free(copy);
    return wrong;
}

/* NULL, or what is wrong, without the program's name, for scripts/run. */
static char *wrong_with(const struct given *given, const char *option)
{
    const struct setting *setting = setting_named(option);
    struct options options = { 0 };
    const char *wrong;
    struct span name;

    if (strncmp(option, "do ", 3) == 0 && option[3])
        return wrong_commands(given, option);
    wrong = setting_read(option, &options);
    if (wrong)
        return format_text("%s", wrong);
    if (setting != &settings[SETTING_WORKLOAD])
        return NULL;
    name = no_workload(given, options.workloads);
    return name.length ? wrong_workload(given, option, name) : NULL;
}

/* Of each word what is wrong with it, and whether it does anything beside the others. */
struct judged {
    char *wrong, *idle;
};

/* An option that does nothing may be in a file for several boots: it is no mistake. */
static char *idle_with(const char *option, const char *methods)
{
    const struct setting *setting = setting_named(option);
    const char *idle = NULL;

    if (setting)
        idle = setting_idle((enum setting_id)(setting - settings), methods);
    return idle ? format_text("%s", idle) : NULL;
}

static bool judge_words(const struct given *given, struct judged *all)
{
    struct options options = { 0 };
    bool right = true;

    for (size_t i = 0; i < given->count; i++) {
        all[i].wrong = wrong_with(given, given->operands[i]);
        right = right && !all[i].wrong;
        if (!all[i].wrong && strncmp(given->operands[i], "do ", 3) != 0)
            setting_read(given->operands[i], &options);
    }
    for (size_t i = 0; i < given->count; i++)
        if (!all[i].wrong)
            all[i].idle = idle_with(given->operands[i], options.methods);
    return right;
}

/* The first that is wrong, or all that do nothing. */
static void say(const struct judged *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (all[i].wrong) {
            fprintf(stderr, "%s\n", all[i].wrong);
            return;
        }
    for (size_t i = 0; i < count; i++)
        if (all[i].idle)
            printf("%s\n", all[i].idle);
}

static void json_words(const struct given *given, const struct judged *all, int code)
{
    struct json json;

    json_begin(&json, stdout, given->verb->name);
    json_array(&json, "words");
    for (size_t i = 0; i < given->count; i++) {
        json_object(&json, NULL);
        json_text(&json, "word", given->operands[i]);
        json_text(&json, "wrong", all[i].wrong);
        json_text(&json, "idle", all[i].idle);
        json_close(&json);
    }
    json_close(&json);
    json_end(&json, code);
}

static int judge_given(const struct given *given)
{
    struct judged *all = zeroed(given->count, sizeof(*all));
    int code = judge_words(given, all) ? EXIT_AS_EXPECTED : EXIT_UNUSABLE;

    if (given->json)
        json_words(given, all, code);
    else
        say(all, given->count);
    for (size_t i = 0; i < given->count; i++) {
        free(all[i].wrong);
        free(all[i].idle);
    }
    free(all);
    return code;
}

int verb_options(const struct given *given)
{
    if (given->count)
        return judge_given(given);
    if (given->json)
        json_list(given);
    else
        list();
    return EXIT_AS_EXPECTED;
}
