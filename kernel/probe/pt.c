/*
 * Processor Trace: packets must be in memory, and one must hold the target of the call.
 *
 * Then the probe tries what else CPUID.14H announces by its effect on the same
 * instructions.
 */
#include "count_of.h"
#include "hit.h"
#include "pt_trial.h"

static const char *lacks(const struct cpu *cpu)
{
    if (!cpu->id.pt)
        return "CPUID.7.0:EBX[25] is 0";
    return cpu->id.pt_topa || cpu->id.pt_single ? NULL
                                                : "CPUID.14H:ECX: no output to memory";
}

static const struct {
    const char *name;
    pt_attempt *attempt;
} further[] = {
    { "by ring", pt_try_rings }, { "CR3", pt_try_cr3 },    { "range", pt_try_ranges },
    { "MTC", pt_try_clock },     { "CYC", pt_try_cycles }, { "PMI", pt_try_interrupt },
};

#define TRIALS COUNT_OF(further)

/* The result of a trial. */
struct trial_result {
    bool tried;               /* and as it should be, if nothing else is set */
    const char *fault;        /* what is wrong with `name`...                */
    enum deviation deviation; /* ...or what is wrong                  */
    enum pt_disturbance disturbed;
};

/* Makes a trial, and again while it is disturbed, as runs are made again. */
static enum deviation attempt_further(size_t number, struct pt_trial *p)
{
    const struct pt_trial first = *p;
    enum deviation deviation;
    size_t tries = 0;
    do {
        *p = first;
        deviation = further[number].attempt(p);
    } while (p->disturbed && ++tries < RUN_TRIES_MAX);
    return deviation;
}

static struct trial_result result_of(size_t number, const struct pt_trial *first)
{
    struct pt_trial p = *first;
    struct trial_result out = { .tried = true };
    const enum deviation deviation =
        p.disturbed ? NO_DEVIATION : attempt_further(number, &p);
    if (p.fault)
        out.fault = p.fault;
    else if (p.disturbed)
        out.disturbed = p.disturbed;
    else if (p.unknown)
        out.fault = "a packet is unknown";
    else
        out.deviation = deviation;
    return out;
}

/* Says "CR3: #GP on RTIT_CTL; CYC: no packet".  False: nothing is wrong. */
static bool say_deviations(struct trial *t, const struct trial_result *results)
{
    uint32_t deviations = 0;
    for (size_t i = 0; i < TRIALS; i++) {
        const struct trial_result *one = &results[i];
        if (!one->fault && !one->deviation)
            continue;
        if (deviations)
            try_adds(t, "; ");
        else
            try_says(t, DEVIATES, "");
        deviations |= DEVIATION(one->fault ? DEVIATES_OTHERWISE : one->deviation);
        if (one->fault) {
            try_adds(t, further[i].name);
            try_adds(t, ": ");
        }
        try_adds(t, one->fault ? one->fault : deviation_words(one->deviation));
    }
    t->probed->said.deviations = deviations;
    return deviations;
}

/* Adds the trials that were disturbed so: "; by ring, CR3".  False: there is none. */
static bool add_names(struct trial *t, const struct trial_result *results,
                      enum pt_disturbance disturbed)
{
    bool any = false;
    for (size_t i = 0; i < TRIALS; i++) {
        if (!results[i].tried || results[i].disturbed != disturbed)
            continue;
        try_adds(t, any ? ", " : "; ");
        try_adds(t, further[i].name);
        any = true;
    }
    return any;
}

/* Says "packets...; by ring, CR3, range, CYC; MTC, PMI not tried: packets were lost". */
static void say_tried(struct trial *t, const struct trial_result *results)
{
    static const char *const why[PT_DISTURBANCES] = {
        [PT_PACKETS_LOST] = " not tried: packets were lost",
        [PT_STRUCK] = " not tried: an SMI or NMI arrived",
        [PT_BUFFER_FULL] = " not tried: the buffer was full",
        [PT_BUFFER_SMALL] = " not tried: the buffer is too small",
    };
    try_says(t, WORKS,
             t->cpu->id.pt_topa ? "packets, through a table of regions"
                                : "packets, in a single range");
    add_names(t, results, PT_UNDISTURBED);
    for (enum pt_disturbance i = PT_UNDISTURBED + 1; i < PT_DISTURBANCES; i++)
        if (add_names(t, results, i))
            try_adds(t, why[i]);
}

static void try_further(struct trial *t, const struct pt_trial *first)
{
    const struct cpu_id *id = &t->cpu->id;
    const bool announced[TRIALS] = {
        true,       id->pt_cr3, id->pt_ranges && id->pt_range_count,
        id->pt_mtc, id->pt_psb, pt_can_interrupt(t)
    };
    struct trial_result results[TRIALS] = { 0 };
    for (size_t i = 0; i < TRIALS; i++)
        if (announced[i])
            results[i] = result_of(i, first);
    if (!say_deviations(t, results))
        say_tried(t, results);
}

/*
 * Returns what is wrong with the packets of the first trial, or NULL.
 *
 * A PSB may come after other packets: of a WRMSR that turns tracing on the manual lists
 * MODE.Exec and TIP.PGE before it (SDM vol. 3C, "Packet Generation under Different Enable
 * Conditions").
 */
static const char *wrong_packets(const struct pt_trial *first)
{
    const struct pt_packet_counts *plain = &first->plain;
    if (first->disturbed)
        return NULL;
    if (plain->wrong)
        return "a packet is unknown";
    if (first->facility->cpu->id.pt_psb && !plain->boundaries)
        return "no PSB is in the packets";
    if (!plain->targets || plain->first_target != (uint16_t)(uint64_t)probe_code)
        return "no TIP has the target of the call";
    return NULL;
}

/* Traces without a setting, and again while that is disturbed. */
static struct pt_trial first_trial(const struct trial *t)
{
    struct pt_trial first;
    size_t tries = 0;
    do {
        first = (struct pt_trial){ .facility = t };
        first.plain = pt_trial_run(&first, NULL, probe_code);
    } while (first.disturbed && ++tries < RUN_TRIES_MAX);
    return first;
}

static void attempt(struct trial *t)
{
    if (!try_turns_on(t, &method_pt, "#GP on RTIT_CTL"))
        return;
    const struct pt_trial first = first_trial(t);
    const char *wrong = wrong_packets(&first);
    if (first.fault)
        try_says(t, DEVIATES, first.fault);
    else if (!first.trace.packet_bytes)
        try_says_dead(t, "no packet was written");
    else if (wrong)
        try_says(t, DEVIATES, wrong);
    else
        try_further(t, &first);
}

const struct probe probe_pt = { lacks, attempt };
