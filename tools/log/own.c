/*
 * The workloads that this program has: those of the image.
 */
#include "loaded.h"

size_t own_workload_count(void)
{
    return ((uintptr_t)__stop_workloads - (uintptr_t)__start_workloads) /
           sizeof(struct workload);
}

const struct workload *own_workload(struct span name)
{
    for (const struct workload *w = __start_workloads; w < __stop_workloads; w++)
        if (span_is(name, w->name))
            return w;
    return NULL;
}
