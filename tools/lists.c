/*
 * `methods` and `workloads`: what there is, a line each.
 */
#include <stdio.h>

#include "tools.h"
#include "verbs.h"

int verb_methods(const struct given *given)
{
    (void)given;
    for (size_t i = 0; i < method_view_count; i++)
        printf("%-12s %s\n", method_views[i].name, method_views[i].about);
    return EXIT_AS_EXPECTED;
}

int verb_workloads(const struct given *given)
{
    (void)given;
    for (size_t i = 0; i < own_workload_count(); i++)
        printf("%-12s %s\n", __start_workloads[i].name, __start_workloads[i].about);
    return EXIT_AS_EXPECTED;
}
