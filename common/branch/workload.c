/* workload.h */
#include "workload.h"

bool workload_has_ring3(const struct workload *workload)
{
    for (uint32_t i = 0; i < workload->part_count; i++)
        if (workload->parts[i].flags & PART_RING3)
            return true;
    return false;
}

bool workload_takes(const struct workload *workload, uint32_t vector)
{
    for (uint32_t i = 0; i < workload->stub_count; i++)
        if (workload->stubs[i].vector == vector)
            return true;
    return false;
}

bool workload_expects_db(const struct workload *workload)
{
    for (uint32_t i = 0; i < workload->rows; i++)
        if (workload->expect[i].kind == KIND_DB)
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

unsigned ring_of(const struct workload *workload, uint64_t offset)
{
    return offset < workload->size && part_of(workload, offset)->flags & PART_RING3 ? 3 : 0;
}
