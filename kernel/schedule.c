/* schedule.h */
#include "schedule.h"

#include "run.h"
#include "together.h"

static void run_one(struct session *s, const struct turn *turn)
{
    s->buffers.filter = turn->filter;
    run_or_skip(s, turn->method, turn->workload);
}

static void run_all(struct session *s, const struct plan *plan)
{
    size_t workloads = plan_workloads(plan), each = plan_runs(plan) / plan->times;
    for (size_t w = 0; w < workloads; w++)
        for (size_t run = 0; run < each / workloads; run++) {
            const struct turn turn = plan_turn(plan, run, w);
            run_one(s, &turn);
        }
}

void schedule_run(struct session *s, const struct plan *plan)
{
    s->filtered = *plan->filters;
    if (together_count() > 1)
        together_run(s, plan);
    for (uint32_t i = 0; i < plan->times && together_count() == 1; i++)
        run_all(s, plan);
    s->filtered = false;
    s->buffers.filter = 0;
}
