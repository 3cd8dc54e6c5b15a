/* skid.h */
#include "skid.h"

#include "unconfirmed.h"

/*
 * One probe does not meet the latest interrupt possible.  An interrupt up to this many
 * times as late as the probe's latest is accepted.
 */
#define LATER 2

static const struct facility_found *measured_of(const struct log *log,
                                                const struct run *run)
{
    return &log->cpu.facilities[run->method->pmi_drained ? FACILITY_BTS : FACILITY_PMI];
}

bool skid_is_known(const struct log *log, const struct run *run)
{
    return measured_of(log, run)->interrupts > 0;
}

bool skid_is_none(const struct log *log, const struct run *run)
{
    return !on_silicon(log) && (measured_of(log, run)->most == 0 ||
                                log->cpu.facilities[FACILITY_PMI].most == 0);
}

/* True if the lateness is counted in taken branches, as the probe's is, or in records. */
static bool compares(const struct log *log, const struct run *run)
{
    const struct pmu *pmu = pmu_find(&log->cpu.id);
    const struct pmu_event *event = counted_event(log, run);

    return run->method->pmi_drained ||
           (pmu && event && !event->others && event == pmu_default(pmu));
}

uint64_t skid_bound(const struct log *log, const struct run *run)
{
    const struct facility_found *measured = measured_of(log, run);

    if (skid_is_none(log, run))
        return 0;
    return skid_is_known(log, run) && compares(log, run) ? LATER * measured->most
                                                         : UINT64_MAX;
}
