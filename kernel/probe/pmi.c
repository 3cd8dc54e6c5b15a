/* A counter of branches, or of what comes nearest, that interrupts. */
#include "pmu.h"
#include "try.h"

static uint64_t count_with(struct trial *t, uint64_t period)
{
    return try_trace(t, &method_pmi, probe_code, period).ran.counted.value;
}

static bool is_right(uint64_t counted, bool exact)
{
    return exact ? counted == TRY_BRANCHES : counted >= TRY_BRANCHES;
}

/*
 * A late interrupt is no deviation: its lateness is measured.  Three branches can be over
 * before one comes, so the long run must have some, and the short one must count right.  If
 * the last interrupt does not come, it may be late or lost; the runs show which.
 */
static void attempt(struct trial *t)
{
    if (!try_turns_on(t, &method_pmi, "#GP on PERFEVTSEL0"))
        return;
    const struct pmu *pmu = t->cpu->pmu;
    bool exact = !pmu_event_named(pmu, pmu_first(&t->cpu->id))->others;
    uint64_t counted = count_with(t, 1);
    if (pmu->small_periods_fail && !is_right(counted, exact))
        counted = count_with(t, PERIOD_SAFE);
    struct trace run = try_long_run(t, &method_pmi);
    if (!counted)
        try_says_dead(t, "nothing was counted");
    else if (!run.ran.events)
        try_says_dead(t, "it counts, but no interrupt came");
    else if (!is_right(counted, exact))
        try_says_count(t, DEVIATES, counted, TRY_BRANCHES, " branches counted");
    else if (run.ran.unmasked && !pmu->keeps_lvt)
        try_deviates(t, LEFT_LVT_OPEN);
    else
        try_says_count(t, WORKS, counted, TRY_BRANCHES,
                       run.ran.lost
                           ? " branches counted, and interrupts came, but not the last"
                       : exact ? " branches counted, and interrupts came"
                               : " branches and more counted, and interrupts came");
}

const struct probe probe_pmi = { try_lacks_counter, attempt };
