/* schedule.h */
#include "schedule.h"

#include "run.h"
#include "smp.h"

static void run_all(struct session *s, const struct plan_request *plan)
{
    size_t workloads = plan_workloads(plan), each = plan_runs(plan) / plan->times;
    for (size_t w = 0; w < workloads; w++)
        for (size_t run = 0; run < each / workloads; run++) {
            const struct slot slot = plan_slot(plan, run, w);
            s->buffers.filter = slot.filter;
            run_or_skip(s, slot.method, slot.workload);
        }
}

void schedule_run(struct session *s, const struct plan_request *plan)
{
    s->filtered = *plan->filters;
    if (smp_count() > 1)
        smp_run(s, plan);
    for (uint32_t i = 0; i < plan->times && smp_count() == 1; i++)
        run_all(s, plan);
    s->filtered = false;
    s->buffers.filter = 0;
}
