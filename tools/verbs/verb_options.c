/*
 * `options`: what everybranch.cfg and BOOT= may hold; and whether these do, which is asked
 * before a machine is booted with them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "setting.h"
#include "text.h"
#include "tools.h"
#include "verbs.h"

static const char *wish_of(const struct setting *setting)
{
    static char buffer[SETTING_SENTENCE];
    struct text out = text_into(buffer, sizeof(buffer));

    setting_wish(&out, setting);
    return buffer;
}

static void list(void)
{
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        bool alone = settings[i].kind == SETTING_IS_WORD;
        char name[32];

        snprintf(name, sizeof(name), "%s%s", settings[i].name, alone ? "" : "=");
        printf("%-19s %s\n", name, wish_of(&settings[i]));
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
        json_text(&json, "value", wish_of(&settings[i]));
        json_bool(&json, "of_run", settings[i].of_run);
        json_close(&json);
    }
    json_close(&json);
    json_end(&json, EXIT_AS_EXPECTED);
}

static bool is_workload(const struct given *given, struct span name)
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

        if (!is_workload(given, name))
            return name;
        list += name.length + (list[name.length] == ',');
    }
    return (struct span){ list, 0 };
}

static void say_workloads(const struct given *given, const char *option, struct span name)
{
    const char *also;

    fprintf(stderr, "%s: there is no workload %.*s, want of", option, SPAN(name));
    for (size_t i = 0; i < own_workload_count(); i++)
        fprintf(stderr, " %s", __start_workloads[i].name);
    for (size_t i = 0; (also = given_nth(given, "workload", i)); i++)
        fprintf(stderr, " %s", also);
    fprintf(stderr, "\n");
}

/* Whether it is one; what is wrong is said without the program's name, for scripts/run. */
static bool is_right(const struct given *given, const char *option,
                     struct setting_value *value)
{
    const char *wrong;
    struct span name;

    if (strncmp(option, "do ", 3) == 0 && option[3]) {
        value->id = SETTING_COUNT;
        return true;
    }
    wrong = setting_read(option, value);
    if (wrong) {
        fprintf(stderr, "%s\n", wrong);
        return false;
    }
    if (value->id != SETTING_WORKLOAD)
        return true;
    name = no_workload(given, value->text);
    if (name.length)
        say_workloads(given, option, name);
    return name.length == 0;
}

/* No mistake that must stop a boot: it may be one of a file for several. */
static void tell_idle(const char *option, enum setting_id id, const char *methods)
{
    char served[SETTING_SENTENCE];
    struct text out = text_into(served, sizeof(served));

    setting_put_served(&out, id);
    printf("%s does nothing with method=%s: only with %s\n", option, methods, served);
}

int verb_options(const struct given *given)
{
    const char *methods = "";
    struct setting_value value;

    if (!given->count && given->json)
        json_list(given);
    else if (!given->count)
        list();
    for (size_t i = 0; i < given->count; i++) {
        if (!is_right(given, given->operands[i], &value))
            return EXIT_UNUSABLE;
        if (value.id == SETTING_METHOD)
            methods = value.text;
    }
    for (size_t i = 0; i < given->count; i++)
        if (is_right(given, given->operands[i], &value) && value.id != SETTING_COUNT &&
            !setting_serves_any(value.id, methods))
            tell_idle(given->operands[i], value.id, methods);
    return EXIT_AS_EXPECTED;
}
