/*
 * What a filter can be on a model, and what rests on it.
 */
#include "visible.h"

/*
 * Of the last exception record one manual alone says that it is governed by what filters
 * the others: that of architectural LBR, whose enable is no bit of DEBUGCTL.
 */
const struct filter_form *record_filter_form(const struct method_facts *method,
                                             const struct model *model)
{
    bool is_filtered = method->filtered == FILTERED_BY_LBR ||
                       (method->filtered == FILTERED_BY_LER && model && model->lbr.ctl &&
                        !model->debugctl.lbr);

    return is_filtered && model ? model->lbr.filter : NULL;
}

/* SDM vol. 2A, "CPUID", leaf 1CH. */
static uint32_t arch_has(const struct cpu_id *id)
{
    return (id->arch_lbr_filters & ARCH_LBR_BY_RING ? FILTER_RINGS : 0) |
           (id->arch_lbr_filters & ARCH_LBR_BY_KIND ? FILTER_KINDS : 0) |
           (id->arch_lbr_filters & ARCH_LBR_BY_STACK ? LEAVES_OUT(FILTER_CALLSTACK) : 0);
}

static uint32_t bts_has(const struct model *model, const struct cpu_id *id)
{
    return (model->debugctl.bts_off_os && id->ds_cpl ? LEAVES_OUT(FILTER_KERNEL) : 0) |
           (model->debugctl.bts_off_usr && id->ds_cpl ? LEAVES_OUT(FILTER_USER) : 0);
}

uint32_t record_filter_has(const struct method_facts *method, const struct model *model,
                           const struct cpu_id *id)
{
    const struct filter_form *form = record_filter_form(method, model);
    uint32_t has = 0;

    if (method->filtered == FILTERED_BY_BTS && model)
        return bts_has(model, id);
    if (method->filtered == FILTERED_BY_PT)
        return FILTER_RINGS;
    for (enum filter_bit i = 0; form && i < FILTER_BITS; i++)
        has |= form->bit[i] ? LEAVES_OUT(i) : 0;
    return form && model->lbr.ctl && !model->lbr.select ? has & arch_has(id) : has;
}

struct record_filter record_filter_for(const struct method_facts *method,
                                       const struct model *model, uint32_t filter,
                                       const struct workload *workload, uint64_t at)
{
    struct record_filter record_filter =
        filter_form_apply(record_filter_form(method, model), filter);

    record_filter.workload = workload;
    record_filter.at = at;
    if (method->filtered == FILTERED_BY_PT) {
        record_filter.decides = RING_EITHER;
        record_filter.hides_ends = true;
    }
    return record_filter;
}

/*
 * Why a method cannot do without what the filter leaves out.  The IRETQ of its handler is a
 * far branch into the ring where the interrupt struck, which may be any.
 */
static enum skip_code own_skip_reason(const struct method_facts *method, uint32_t filter)
{
    if (method->overlaps && filter & (LEAVES_OUT(FILTER_FAR) | FILTER_RINGS))
        return SKIP_OWN_IRETQ;
    if (method->filtered == FILTERED_BY_LER && filter & LEAVES_OUT(FILTER_FAR))
        return SKIP_LER_FAR;
    return SKIP_NOTHING;
}

enum skip_code record_filter_skip_reason(const struct method_facts *method,
                                         const struct model *model, const struct cpu_id *id,
                                         uint32_t filter)
{
    uint32_t lacks;

    if (!filter)
        return SKIP_NOTHING;
    if (method->filtered == FILTERED_BY_NONE)
        return SKIP_NO_FILTER;
    lacks = filter & ~record_filter_has(method, model, id);
    if (!lacks)
        return own_skip_reason(method, filter);
    if (method->filtered == FILTERED_BY_BTS)
        return lacks & FILTER_RINGS ? SKIP_BTS_RING : SKIP_BTS_KIND;
    if (method->filtered == FILTERED_BY_PT)
        return SKIP_PT_KIND;
    if (!record_filter_form(method, model))
        return method->filtered == FILTERED_BY_LER ? SKIP_LER_FILTER : SKIP_LBR_FILTER;
    return lacks & LEAVES_OUT(FILTER_CALLSTACK) ? SKIP_NO_CALLSTACK : SKIP_FILTER_BIT;
}
