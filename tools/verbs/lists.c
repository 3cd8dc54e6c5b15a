/*
 * `methods` and `workloads`: what there is, a line each.
 */
#include "verbs.h"

#include <stdio.h>

#include "json.h"
#include "method_facts.h"
#include "loaded.h"
#include "verdict.h"

static void json_needs(struct json *json, const struct method_facts *method)
{
    json_array(json, "needs");
    for (enum facility i = FACILITY_STEP; i < FACILITY_COUNT; i++)
        if (method->needs & NEEDS(i))
            json_text(json, NULL, facility_names[i]);
    json_close(json);
}

static void json_methods(const struct given *given)
{
    struct json json;

    json_begin(&json, stdout, given->verb->name);
    json_array(&json, "methods");
    for (size_t i = 0; i < methods_known_count(); i++) {
        json_object(&json, NULL);
        json_text(&json, "name", methods_known[i].name);
        json_text(&json, "about", methods_known[i].about);
        json_needs(&json, &methods_known[i]);
        json_close(&json);
    }
    json_close(&json);
    json_end(&json, EXIT_AS_EXPECTED);
}

int verb_methods(const struct given *given)
{
    if (given->json)
        json_methods(given);
    for (size_t i = 0; !given->json && i < methods_known_count(); i++)
        printf("%-12s %s\n", methods_known[i].name, methods_known[i].about);
    return EXIT_AS_EXPECTED;
}

static void json_workloads(const struct given *given)
{
    struct json json;

    json_begin(&json, stdout, given->verb->name);
    json_array(&json, "workloads");
    for (size_t i = 0; i < own_workload_count(); i++) {
        const struct workload *w = &__start_workloads[i];

        json_object(&json, NULL);
        json_text(&json, "name", w->name);
        json_text(&json, "about", w->about);
        json_count(&json, "bytes", w->size);
        json_bool(&json, "is_program", w->packed != NULL);
        json_close(&json);
    }
    json_close(&json);
    json_end(&json, EXIT_AS_EXPECTED);
}

int verb_workloads(const struct given *given)
{
    if (given->json)
        json_workloads(given);
    for (size_t i = 0; !given->json && i < own_workload_count(); i++)
        printf("%-12s %s\n", __start_workloads[i].name, __start_workloads[i].about);
    return EXIT_AS_EXPECTED;
}
