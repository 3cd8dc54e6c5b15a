/* plan.h */
#include "plan.h"

#include <stdbool.h>

#include "apic.h"
#include "emit.h"
#include "filter.h"
#include "method.h"
#include "workloads.h"

/* True if a list of names, "a,b", has this one; an empty list has all. */
static bool listed(const char *list, const char *name)
{
    if (!*list)
        return true;
    while (*list) {
        const char *n = name;
        while (*n && *list == *n)
            list++, n++;
        if (!*n && (!*list || *list == ','))
            return true;
        while (*list && *list++ != ',') {
        }
    }
    return false;
}

/* APIC workloads exist for both of its modes; any can be asked for by its name. */
static bool is_of_other_mode(const struct workload *w)
{
    return apic_mode() == APIC_X2 ? w->flags & WORKLOAD_APIC : w->flags & WORKLOAD_X2APIC;
}

static bool planned(const struct plan_request *plan, const struct workload *w)
{
    return *plan->workloads ? listed(plan->workloads, w->name) : !is_of_other_mode(w);
}

#define FOR_WORKLOADS(w, plan)                                                      \
    for (const struct workload *w = workloads_next(NULL); w; w = workloads_next(w)) \
        if (planned(plan, w))
#define FOR_METHODS(m, plan)                                     \
    for (const struct method *m = methods; m < methods_end; m++) \
        if (listed((plan)->methods, m->facts->name))

/* Each filter of the plan; without a list one run of each, which has none. */
static bool nth_filter(const struct plan_request *plan, size_t n, uint32_t *filter)
{
    *filter = 0;
    return *plan->filters ? filter_nth(plan->filters, n, filter) : n == 0;
}

static size_t filter_count(const struct plan_request *plan)
{
    size_t count = 0;
    for (uint32_t filter; nth_filter(plan, count, &filter);)
        count++;
    return count;
}

size_t plan_workloads(const struct plan_request *plan)
{
    size_t count = 0;
    FOR_WORKLOADS (w, plan)
        count++;
    return count;
}

size_t plan_methods(const struct plan_request *plan)
{
    size_t count = 0;
    FOR_METHODS (m, plan)
        count++;
    return count;
}

size_t plan_runs(const struct plan_request *plan)
{
    return plan_methods(plan) * plan_workloads(plan) * filter_count(plan) * plan->times;
}

/* So that the log holds what it is judged by. */
static void emit_bundles(struct session *s)
{
    const struct loading *loading;
    for (size_t n = 0; !s->bundles_logged && (loading = workloads_loading(n)); n++)
        emit_bundle(loading);
    s->bundles_logged = true;
}

void plan_emit_workloads(struct session *s, const struct plan_request *plan)
{
    size_t index = 0;
    emit_bundles(s);
    for (const struct workload *w = workloads_next(NULL); w; w = workloads_next(w)) {
        if (planned(plan, w) && !s->logged[index])
            put_workload(w);
        s->logged[index++] |= planned(plan, w);
    }
}

void plan_emit(const struct plan_request *plan, size_t processors)
{
    size_t index = 0, runs = plan_runs(plan) * processors;
    FOR_METHODS (m, plan)
        put_plan_method(m->facts->name);
    FOR_WORKLOADS (w, plan)
        put_plan_workload(w->name, index++, runs);
    uint32_t filter;
    for (size_t n = 0; *plan->filters && nth_filter(plan, n, &filter); n++)
        put_plan_filter(filter);
    put_plan_end();
}

struct slot plan_slot(const struct plan_request *plan, size_t run, size_t workload)
{
    struct slot slot = { NULL, NULL, 0 };
    size_t count = plan_methods(plan), method = run % count;
    nth_filter(plan, run / count, &slot.filter);
    FOR_METHODS (m, plan)
        if (!method--)
            slot.method = m;
    FOR_WORKLOADS (w, plan)
        if (!workload--)
            slot.workload = w;
    return slot;
}
