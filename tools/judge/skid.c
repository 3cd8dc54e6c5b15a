/* skid.h; and first the period of a counter, which is how often its interrupts come. */
#include "skid.h"

#include "unconfirmed.h"
#include "judge_parts.h"

size_t piece_size(const struct cpu_part *cpu)
{
    return cpu->row ? cpu->row->brs.depth : 0;
}

/* Events from one interrupt to the next: branch sampling holds it back for a piece. */
uint64_t interrupt_each(const struct run *run)
{
    return run->asked.period + (run->method->sampled_windows ? piece_size(run->cpu) : 0);
}

/*
 * One probe does not meet the latest interrupt possible.  An interrupt up to this many
 * times as late as the probe's latest is accepted.
 */
#define LATER 2

static const struct facility_line *measured_of(const struct run *run)
{
    return &run->cpu->facilities[run->method->pmi_drained ? FACILITY_BTS : FACILITY_PMI];
}

bool skid_is_known(const struct run *run)
{
    return measured_of(run)->interrupts.value > 0;
}

bool skid_is_none(const struct run *run)
{
    return !on_silicon(run->cpu) &&
           (measured_of(run)->most == 0 || run->cpu->facilities[FACILITY_PMI].most == 0);
}

/* True if the lateness is counted in taken branches, as the probe's is, or in records. */
static bool compares(const struct run *run)
{
    const struct pmu *pmu = pmu_find(&run->cpu->id);
    const struct pmu_event *event = counted_event(run);

    return run->method->pmi_drained ||
           (pmu && event && !event->others && event == pmu_default(pmu));
}

uint64_t skid_bound(const struct run *run)
{
    const struct facility_line *measured = measured_of(run);

    if (skid_is_none(run))
        return 0;
    return skid_is_known(run) && compares(run) ? LATER * measured->most : UINT64_MAX;
}
