/* schedule.h */
#include "schedule.h"

#include "round.h"
#include "run.h"
#include "smp.h"

static void make_one(struct session *s, const struct slot *slot)
{
    s->bsp.buffers.filter = slot->filter;
    if (smp_count() > 1)
        round_make(s, slot);
    else
        run_or_skip(s, slot->method, slot->workload);
}

void schedule_run(struct session *s, const struct plan_request *plan)
{
    size_t workloads = plan_workloads(plan), each = plan_runs(plan) / plan->times;
    s->filtered = *plan->filters;
    for (uint32_t i = 0; i < plan->times; i++)
        for (size_t n = 0; n < each; n++) {
            size_t across = each / workloads;
            const struct slot slot = plan_slot(plan, n % across, n / across);
            make_one(s, &slot);
        }
    s->filtered = false;
    s->bsp.buffers.filter = 0;
}
