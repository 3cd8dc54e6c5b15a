/*
 * `list WHAT`: the tables that are built into the program.
 */
#include "verbs.h"

#include <stdio.h>
#include <string.h>

#include "count_of.h"
#include "verb_list.h"
#include "loaded.h"
#include "method_facts.h"
#include "exit_code.h"
#include "heap.h"
#include "json.h"

static void list_methods(void)
{
    for (size_t i = 0; i < methods_known_count(); i++)
        printf("%-12s %s\n", methods_known[i].name, methods_known[i].about);
}

static void list_workloads(void)
{
    for (size_t i = 0; i < own_workload_count(); i++)
        printf("%-12s %s\n", __start_workloads[i].name, __start_workloads[i].about);
}

static void list_methods_json(void)
{
    struct json json;

    json_begin(&json, stdout, "list");
    json_array(&json, "methods");
    for (size_t i = 0; i < methods_known_count(); i++) {
        json_object(&json, NULL);
        json_text(&json, "name", methods_known[i].name);
        json_text(&json, "about", methods_known[i].about);
        json_close(&json);
    }
    json_close(&json);
    json_end(&json, EXIT_AS_EXPECTED);
}

static const struct {
    const char *name;
    void (*print)(void);
    void (*json)(void); /* NULL: it has no JSON form */
} lists[] = {
    { "workloads", list_workloads, NULL },
    { "methods", list_methods, list_methods_json },
    { "platforms", list_platforms, list_platforms_json },
    { "rules", list_rules, list_rules_json },
};

/* A brand of several words need not be quoted. */
static int list_of_cpu(const struct given *given)
{
    const char *what = given->count > 1 ? given->operands[1] : NULL;

    for (size_t i = 2; i < given->count; i++)
        what = scratch_text("%s %s", what, given->operands[i]);
    return strcmp(given->operands[0], "errata") == 0 ? list_errata(what, given->json)
                                                     : list_models(what, given->json);
}

static int verb_list(const struct given *given)
{
    if (strcmp(given->operands[0], "errata") == 0 ||
        strcmp(given->operands[0], "models") == 0)
        return list_of_cpu(given);
    if (given->count > 1)
        return given_wrong(given, "%s is too much: want WHAT", given->operands[1]);
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        if (strcmp(lists[i].name, given->operands[0]) == 0) {
            if (given->json && !lists[i].json)
                return given_wrong(given, "`list %s` has no JSON form", lists[i].name);
            (given->json ? lists[i].json : lists[i].print)();
            return EXIT_AS_EXPECTED;
        }
    return given_wrong(given,
                       "there is no list %s: want workloads, methods, models, "
                       "platforms, rules or errata",
                       given->operands[0]);
}

VERB(list) = {
    .name = "list",
    .operands = "WHAT [MODEL]",
    .about = "list workloads, methods, models, platforms, rules or errata",
    .more =
        "models are processors: that of this machine, or the one that MODEL names: a row, "
        "a "
        "brand such as i7-9700K, a signature such as 06_9e, or all.  platforms are "
        "hypervisors and emulators, with what should "
        "work under each.  rules are the rules that traces must follow, with the methods "
        "and models to which each applies; the unconfirmed and derived rules "
        "come first, because on silicon a difference that rests on one of them is "
        "measured and is not a failure.  errata are those of a processor, which is named "
        "as for models.  Models, platforms and rules are listed with "
        "their sources and how far each can be trusted.",
    .examples = "list workloads\nlist errata 06_3d\nlist models i7-9700K\nlist models EPYC "
                "7763\nlist models all",
    .run = verb_list,
    .json = true,
    .least = 1,
    .most = 16, /* words of a brand */
};
