/* workload.h */
#include "workload.h"

bool workload_has_ring3(const struct workload *workload)
{
    for (uint32_t i = 0; i < workload->part_count; i++)
        if (workload->parts[i].flags & PART_RING3)
            return true;
    return false;
}

const struct part *part_of(const struct workload *workload, uint64_t offset)
{
    static const struct part rest = { .flags = 0 };

    for (uint32_t i = 0; i < workload->part_count; i++) {
        const struct part *part = &workload->parts[i];

        if (offset >= part->begin && offset < part->end)
            return part;
    }
    return &rest;
}
