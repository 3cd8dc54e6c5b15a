/*
 * Runs under a hypervisor.  If no source says what it makes of a facility, or it is known
 * to be faulty, a difference says nothing about the processor and is no failure.
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "heap.h"

/* Every stop of btf+lbr is a #DB. */
static bool is_recorded_in_db(const struct run *run)
{
    return run_needs(run, FACILITY_LBR) &&
           (run_needs(run, FACILITY_BTF) ||
            (run->method->ends_at_db && workload_expects_db(run->workload->own)));
}

/* True if LBR went on after a #DB that the hypervisor injected; no other method sees it. */
static bool takes_injected_db(const struct run *run)
{
    return run->cpu->db_keeps_lbr && is_recorded_in_db(run);
}

/* With an open LVT entry the interrupt may come again before the last one is over. */
static bool leaves_lvt_open(const struct cpu_part *cpu, enum facility i)
{
    return i == FACILITY_PMI && cpu->facilities[i].probe_result == DEVIATES &&
           facility_expected(cpu, i) == AS_EXPECTED;
}

static bool is_in_doubt(const struct platform_fact *fact)
{
    return fact && (platform_is_open(fact) || fact->faulty);
}

/* True if the platform beneath the hypervisor gets the workload wrong. */
static bool is_wrong_beneath(const struct run *run)
{
    const struct platform *beneath = run->cpu->beneath;

    return beneath && run->workload->own->flags & beneath->gets_wrong;
}

/* Names what the run needs and no source describes, or what is wrong beneath; or NULL. */
static char *doubt_on_platform(const struct run *run)
{
    const struct cpu_part *cpu = run->cpu;

    for (enum facility i = 0; i < FACILITY_COUNT; i++) {
        const struct platform_fact *fact = run_needs(run, i) ? fact_of(cpu, i) : NULL;

        if (is_in_doubt(fact) || (fact && leaves_lvt_open(cpu, i)))
            return format_text("%s on %s: %s", facility_names[i], cpu->platform->name,
                               fact->about);
    }
    if (is_wrong_beneath(run))
        return format_text("%s is wrong on %s, on which this hypervisor may run",
                           run->workload->own->name, cpu->beneath->name);
    if (takes_injected_db(run))
        return format_text("lbr on %s stays on after a #DB, which no manual describes",
                           cpu->platform->name);
    return NULL;
}

bool differs_by_platform(const struct run *run)
{
    char *doubt = run->verdict == PASS ? NULL : doubt_on_platform(run);
    bool differs = doubt || takes_injected_db(run);

    free(doubt);
    return differs;
}

void judge_on_platform(struct run *run)
{
    char *doubt = doubt_on_platform(run), *why;

    if (!doubt)
        return;
    why = format_text("%s; %s", run->why, doubt);
    free(doubt);
    free(run->why);
    run->why = why;
    run->verdict = MEASURED;
}
