/*
 * Why a method does not run a workload, whatever the hardware has.
 */
#include "skip_reason.h"

#include "expected.h"
#include "visible.h"

#define GIB_4 (UINT64_C(1) << 32)

const char *skip_reason_by_nmi(const struct workload *workload)
{
    return workload_takes(workload, STUB_NMI)
               ? "it takes NMI itself, by which this method empties its buffer"
               : NULL;
}

const char *skip_reason_buffer(uint64_t buffer, uint64_t threshold, uint32_t filter)
{
    if (threshold > buffer)
        return "its threshold is behind the end of its buffer: no interrupt would come";
    if (threshold <= (uint64_t)record_filter_shows(filter, 0))
        return "the IRETQ of its own interrupt would fill it up to the threshold, for ever";
    return NULL;
}

/* Half of the stack, less the interrupt's entry and the IRETQ of the one before. */
#define STREAM_OWN 2

bool stream_fits(uint64_t depth, uint64_t skid)
{
    return skid + 1 + STREAM_OWN <= depth;
}

uint64_t stream_period(uint64_t depth, uint64_t skid, bool freezes)
{
    uint64_t half = depth > LBR_STREAM_DEPTH_MIN ? depth / 2 - 1 : 1;

    if (freezes)
        return depth - 1; /* the IRETQ takes one entry */
    return skid < half ? half - skid : 1;
}

/* A program takes no exceptions. */
static bool overflows(struct source *expected, uint64_t depth)
{
    uint64_t records = 0, counted = 0;
    struct transfer t;

    while (expected->next(expected, &t)) {
        if (kind_is_mark(t.kind) || t.kind == KIND_DB)
            continue;
        records++;
        counted += t.kind != KIND_EXC;
        if (records + STREAM_OWN > depth)
            return true;
        if (t.kind != KIND_EXC && counted % stream_period(depth, 0, false) == 0)
            records = 0;
    }
    return false;
}

const char *skip_reason_depth(const struct method_facts *method,
                              const struct workload *workload, uint64_t depth)
{
    struct expected expected;

    if (!method->least_depth || workload->packed)
        return NULL;
    expected_of(&expected, workload, 0, 0, 0, NULL);
    return overflows(&expected.source, depth)
               ? "more exceptions follow each other than its small stack has room for"
               : NULL;
}

const char *skip_reason_for(const struct method_facts *method, const struct model *model,
                            const struct workload *workload, uint64_t at,
                            uint32_t gets_wrong)
{
    if (workload->flags & gets_wrong)
        return "stock QEMU is known to get this wrong";
    if (workload->flags & WORKLOAD_LOW && at + workload->size > GIB_4)
        return "its far pointers reach only the first 4 GiB, and the image lies above";
    if (workload_takes(workload, STUB_SYSENTER) && !(model && model->sysenter))
        return "SYSENTER in 64-bit mode is not known of this processor";
    if (method->blind_handlers && workload_takes(workload, STUB_DB))
        return "it takes #DB itself, by which this method stops";
    if (method->event_each && workload->flags & WORKLOAD_MANY)
        return "it is long, and this method takes an event of its own for each branch";
    return method->by_nmi ? skip_reason_by_nmi(workload) : NULL;
}
