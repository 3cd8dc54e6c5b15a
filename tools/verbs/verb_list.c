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

static const struct {
    const char *name;
    void (*print)(void);
} lists[] = {
    { "workloads", list_workloads },
    { "methods", list_methods },
    { "platforms", list_platforms },
    { "rules", list_rules },
};

/* A brand of several words need not be quoted. */
static int list_of_cpu(const struct given *given)
{
    const char *what = given->count > 1 ? given->operands[1] : NULL;

    for (size_t i = 2; i < given->count; i++)
        what = scratch_text("%s %s", what, given->operands[i]);
    return strcmp(given->operands[0], "errata") == 0 ? list_errata(what, given->json)
                                                     : list_models(what);
}

static int verb_list(const struct given *given)
{
    if (given->json && strcmp(given->operands[0], "rules") == 0) {
        list_rules_json();
        return EXIT_AS_EXPECTED;
    }
    if (strcmp(given->operands[0], "errata") == 0)
        return list_of_cpu(given);
    if (given->json)
        return given_wrong(given, "only `list rules` and `list errata` have a JSON form");
    if (strcmp(given->operands[0], "models") == 0)
        return list_of_cpu(given);
    if (given->count > 1)
        return given_wrong(given, "%s is too much: want WHAT", given->operands[1]);
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        if (strcmp(lists[i].name, given->operands[0]) == 0) {
            lists[i].print();
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
