/*
 * Runs under a hypervisor.  If no source says what it makes of a facility, or it is known
 * to be faulty, a difference says nothing about the processor and is no failure.
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "events.h"
#include "expected_trace.h"
#include "heap.h"
#include "log_run.h"
#include "rounds.h"

#define OPCODE_HLT 0xf4

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
    return i == FACILITY_PMI && cpu->facilities[i].outcome == DEVIATES &&
           facility_expected(cpu, i) == AS_EXPECTED;
}

/* Processor Trace whose packets the probe decoded, and found right, is no open question. */
static bool is_in_doubt(const struct cpu_part *cpu, enum facility i,
                        const struct platform_fact *fact)
{
    if (!fact || fact->faulty)
        return fact;
    return platform_is_open(fact) &&
           !(i == FACILITY_PT && cpu->facilities[i].outcome == WORKS);
}

/* True if the platform beneath the hypervisor gets the workload wrong. */
static bool is_wrong_beneath(const struct run *run)
{
    const struct platform *host = run->cpu->host;

    return host && run->workload->own->flags & host->gets_wrong;
}

char *doubt_on_platform(const struct run *run)
{
    const struct cpu_part *cpu = run->cpu;

    for (enum facility i = 0; i < FACILITY_COUNT; i++) {
        const struct platform_fact *fact = run_needs(run, i) ? fact_of(cpu, i) : NULL;

        if (is_in_doubt(cpu, i, fact) || (fact && leaves_lvt_open(cpu, i)))
            return format_text("%s on %s: %s", facility_names[i], cpu->platform->name,
                               fact->about);
    }
    if (is_wrong_beneath(run))
        return format_text("%s is wrong on %s, on which this hypervisor may run",
                           run->workload->own->name, cpu->host->name);
    if (takes_injected_db(run))
        return format_text("lbr on %s stays on after a #DB, which no manual describes",
                           cpu->platform->name);
    return NULL;
}

/* True if the stops begin where the workload does and end at an HLT and right after it. */
static bool ends_after_hlt(const struct log *log, const struct run *run)
{
    const struct run_records stops = run_records(log, run);
    const struct loaded *loaded = run->workload;
    uint64_t at;

    if (stops.count < 2 || stops.at[0].to != loaded->at)
        return false;
    at = stops.at[stops.count - 2].to - loaded->at;
    return at < loaded->own->size && loaded->own->code[at] == OPCODE_HLT &&
           stops.at[stops.count - 1].to == loaded->at + at + 1;
}

/*
 * The watchdog's interrupt ends the HLT there, and the step trap that was pending then
 * makes the last stop.  Each stop must still follow from the one before.
 */
char *halted_on_platform(const struct log *log, const struct run *run)
{
    const struct platform *platform = run->cpu->platform;
    struct events events;
    struct rounds rounds = { .run = run };
    bool our_fault;
    size_t where;
    char *why;

    if (!platform || !platform->stays_halted || run->ran.outcome != TIMEOUT ||
        !run->method->every_insn || run->records != run->ran.events ||
        !ends_after_hlt(log, run))
        return NULL;
    events_in(&events, log, run);
    why = follow_steps(log, run, &events, &where, &our_fault, &rounds);
    if (why) {
        free(why);
        return NULL;
    }
    return format_text("stopped in HLT, which on %s a pending step trap does not end (SDM "
                       "vol. 2A, \"HLT\": a debug exception does)",
                       platform->name);
}

bool differs_by_platform(const struct run *run)
{
    char *doubt = run_has_no_fault(run) ? NULL : doubt_on_platform(run);
    bool differs = doubt || takes_injected_db(run);

    free(doubt);
    return differs;
}
