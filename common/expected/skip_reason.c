/*
 * Why a method does not run a workload, whatever the hardware has.
 */
#include "skip_reason.h"

#include "expected.h"
#include "visible.h"

#define GIB_4 (UINT64_C(1) << 32)

enum skip_code skip_reason_by_nmi(const struct workload *workload)
{
    return workload_takes(workload, STUB_NMI) ? SKIP_TAKES_NMI : SKIP_NOTHING;
}

enum skip_code skip_reason_buffer(uint64_t buffer, uint64_t threshold, uint32_t filter)
{
    if (threshold >= buffer)
        return SKIP_THRESHOLD;
    return threshold <= (uint64_t)record_filter_shows(filter, 0) ? SKIP_LIVELOCK
                                                                 : SKIP_NOTHING;
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

enum skip_code skip_reason_depth(const struct method_facts *method,
                                 const struct workload *workload, uint64_t depth)
{
    struct expected expected;

    if (!method->least_depth || workload->packed)
        return SKIP_NOTHING;
    expected_of(&expected, workload, 0, 0, 0, NULL);
    return overflows(&expected.source, depth) ? SKIP_EXCEPTIONS : SKIP_NOTHING;
}

enum skip_code skip_reason_for(const struct method_facts *method, const struct model *model,
                               const struct workload *workload, uint64_t at,
                               uint32_t gets_wrong)
{
    if (workload->flags & gets_wrong)
        return SKIP_STOCK_QEMU;
    if (workload->flags & WORKLOAD_LOW && at + workload->size > GIB_4)
        return SKIP_ABOVE_4G;
    if (workload_takes(workload, STUB_SYSENTER) && !(model && model->sysenter))
        return SKIP_NO_SYSENTER;
    if (method->blind_handlers && workload_takes(workload, STUB_DB))
        return SKIP_TAKES_DB;
    if (method->event_each && workload->flags & WORKLOAD_MANY)
        return SKIP_TOO_LONG;
    return method->by_nmi ? skip_reason_by_nmi(workload) : SKIP_NOTHING;
}
