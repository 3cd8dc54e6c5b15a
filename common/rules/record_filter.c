/*
 * What a filter can be on a model, and what rests on it.
 */
#include "count_of.h"
#include "visible.h"

#include "limit.h"

/*
 * Of the last exception record one manual alone says that it is governed by what filters
 * the others: that of architectural LBR, whose enable is no bit of DEBUGCTL.
 */
static const struct filter_form *form_of(const struct method_facts *method,
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
    const struct filter_form *form = form_of(method, model);
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
    struct record_filter record_filter = filter_form_apply(form_of(method, model), filter);

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
    if (!form_of(method, model))
        return method->filtered == FILTERED_BY_LER ? SKIP_LER_FILTER : SKIP_LBR_FILTER;
    return lacks & LEAVES_OUT(FILTER_CALLSTACK) ? SKIP_NO_CALLSTACK : SKIP_FILTER_BIT;
}

/* These limits hold on every model. */
static const struct limit left_limit = {
    "of a branch from one ring to another the ring that it leaves counts",
    "Linux, arch/x86/events/intel/ds.c: with BTS_OFF_OS kernel addresses leak",
    "unconfirmed", LIMIT_OF_CROSSING
};
static const struct limit left_out_limit = {
    "an event into a ring that is left out is not kept as the last",
    "SDM vol. 3B, \"Last Branch Records\": the last event record obeys the same filters",
    "derived", LIMIT_OF_EACH
};
static const struct limit event_limit = {
    "the branch that the filter leaves in, before the last event",
    "SDM vol. 3B, \"Last Branch Records\": the last event record obeys the same filters",
    "stated", LIMIT_OF_ALL
};
static const struct limit bts_limit = {
    "only branches of the ring that is not left out",
    "SDM vol. 3B, \"CPL-Qualified Branch Trace Mechanism\"", "stated", LIMIT_OF_ALL
};
static const struct limit nothing_limit = {
    "nothing, since IA32_LBR_CTL selects no kind of branch",
    "measured by one author on one hybrid processor, not reviewed", "unconfirmed",
    LIMIT_OF_EACH
};
#define PT_SOURCE "SDM vol. 3C, \"Intel Processor Trace\", "
static const struct limit pt_limits[] = {
    { "nothing of code in a ring that is left out: packets stop and go on between rings",
      PT_SOURCE "\"Filtering by Current Privilege Level (CPL)\"", "stated", LIMIT_OF_ALL },
    { "of a branch into a ring that is left out TO is not shown: TIP.PGD has no address",
      PT_SOURCE "\"Packet Generation Disable (TIP.PGD)\"", "stated", LIMIT_OF_CROSSING },
    { "of a branch out of a ring that is left out FROM is not shown: TIP.PGE has the "
      "target",
      PT_SOURCE "\"Packet Generation Enable (TIP.PGE)\"", "stated", LIMIT_OF_CROSSING },
};
static struct limit entered_limit(const struct filter_form *form)
{
    return (struct limit){
        "of a branch from one ring to another the ring that it enters counts",
        form->ring_source, "stated", LIMIT_OF_CROSSING
    };
}
static const struct limit hidden_limit = {
    "of a branch out of a ring that is left out FROM is all ones",
    "SDM vol. 3B, \"Last Branch Records\"", "stated", LIMIT_OF_CROSSING
};
static const struct limit stack_limits[] = {
    { "only calls that have not returned: a return takes the newest record away",
      "SDM vol. 3B, \"Last Branch, Call Stack, Interrupt, and Exception Recording\"",
      "stated", LIMIT_OF_ALL },
    { "no call to the instruction after it",
      "SDM vol. 3B, \"Last Branch, Call Stack, Interrupt, and Exception Recording\"",
      "stated", LIMIT_OF_ALL },
};
static const struct limit empties_limit = { "a record that was taken away reads as empty",
                                            "no manual says what stands there then",
                                            "unconfirmed", LIMIT_OF_RETURNED };
static const struct limit passes_limit = {
    "a return moves only the pointer: after more calls than the stack holds it uncovers "
    "entries of later calls, which read as older ones",
    "SDM vol. 3B, \"Last Branch, Call Stack, Interrupt, and Exception Recording\"",
    "derived", LIMIT_OF_RETURNED
};

struct limits {
    struct limit *at;
    size_t count, capacity;
};

static void add(struct limits *limits, struct limit limit)
{
    if (limits->count < limits->capacity)
        limits->at[limits->count++] = limit;
}

size_t record_filter_limits(const struct method_facts *method, const struct model *model,
                            uint32_t filter, struct limit *out, size_t capacity)
{
    const struct filter_form *form = form_of(method, model);
    struct limits limits = { out, 0, capacity };

    if (!filter)
        return 0;
    for (size_t i = 0; method->filtered == FILTERED_BY_PT && i < COUNT_OF(pt_limits); i++)
        add(&limits, pt_limits[i]);
    if (method->filtered == FILTERED_BY_BTS)
        add(&limits, bts_limit);
    else if (form)
        add(&limits, (struct limit){ "none of what the filter leaves out", form->source,
                                     form->confidence, LIMIT_OF_JUMPS });
    if (method->filtered == FILTERED_BY_LER)
        add(&limits, event_limit);
    if (method->filtered == FILTERED_BY_LER && filter & FILTER_RINGS)
        add(&limits, left_out_limit);
    if (filter & FILTER_RINGS && method->filtered != FILTERED_BY_PT)
        add(&limits, form ? entered_limit(form) : left_limit);
    if (form && filter_selects_nothing(form, filter_register(form, ~0u, filter)))
        add(&limits, nothing_limit);
    if (filter & FILTER_RINGS && form && form->hides_from)
        add(&limits, hidden_limit);
    for (size_t i = 0; filter & LEAVES_OUT(FILTER_CALLSTACK) && i < COUNT_OF(stack_limits);
         i++)
        add(&limits, stack_limits[i]);
    if (filter & LEAVES_OUT(FILTER_CALLSTACK))
        add(&limits, form && form->empties ? empties_limit : passes_limit);
    return limits.count;
}
