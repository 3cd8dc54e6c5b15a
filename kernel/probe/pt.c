/*
 * Processor Trace: packets must be in memory, and one must hold the target of the call.
 *
 * Then the probe tries what else CPUID.14H announces by its effect on the same
 * instructions.
 */
#include "count_of.h"
#include "pt_trial.h"
#include "registers.h"

static const char *lacks(const struct cpu *cpu)
{
    if (!cpu->id.pt)
        return "CPUID.7.0:EBX[25] is 0";
    return cpu->id.pt_topa || cpu->id.pt_single ? NULL
                                                : "CPUID.14H:ECX: no output to memory";
}

static bool has_rings(const struct trial *t)
{
    (void)t;
    return true;
}
static bool has_cr3(const struct trial *t)
{
    return t->cpu->id.pt_cr3;
}
static bool has_ranges(const struct trial *t)
{
    return t->cpu->id.pt_ranges && t->cpu->id.pt_range_count;
}
static bool has_clock(const struct trial *t)
{
    return t->cpu->id.pt_mtc;
}
static bool has_cycles(const struct trial *t)
{
    return t->cpu->id.pt_psb;
}

/* Each is tried where `has` says that it is there. */
static const struct {
    const char *name;
    bool (*has)(const struct trial *);
    pt_attempt *attempt;
} further[] = {
    { "by ring", has_rings, pt_try_rings }, { "CR3", has_cr3, pt_try_cr3 },
    { "range", has_ranges, pt_try_ranges }, { "MTC", has_clock, pt_try_clock },
    { "CYC", has_cycles, pt_try_cycles },   { "PMI", pt_can_interrupt, pt_try_interrupt },
};

#define TRIALS COUNT_OF(further)

/* What came of a trial. */
struct trial_result {
    bool tried;            /* and as it should be, if nothing else is set */
    const char *disturbed; /* why it proves nothing                       */
    const char *fault;     /* what is wrong with `name`...                */
    const char *deviation; /* ...or what is wrong, in a sentence          */
};

static struct trial_result result_of(size_t number, const struct pt_trial *first)
{
    struct pt_trial p = *first;
    struct trial_result out = { .tried = further[number].has(p.facility) };
    if (!out.tried)
        return out;
    const enum pt_deviation deviation = p.disturbed ? PT_NONE : further[number].attempt(&p);
    if (p.fault)
        out.fault = p.fault;
    else if (p.disturbed)
        out.disturbed = p.disturbed;
    else if (p.unknown)
        out.fault = "a packet is unknown";
    else
        out.deviation = pt_rules[deviation].deviation;
    return out;
}

/* "CR3: #GP on RTIT_CTL; CYC: no packet"; false: there is nothing wrong. */
static bool say_deviations(struct trial *t, const struct trial_result *results)
{
    bool deviates = false;
    for (size_t i = 0; i < TRIALS; i++) {
        const struct trial_result *one = &results[i];
        if (!one->fault && !one->deviation)
            continue;
        if (deviates)
            try_adds(t, "; ");
        else
            try_says(t, DEVIATES, "");
        deviates = true;
        try_adds(t, one->fault ? further[i].name : one->deviation);
        try_adds(t, one->fault ? ": " : "");
        try_adds(t, one->fault ? one->fault : "");
    }
    return deviates;
}

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && text_same(a, b));
}

/* Adds "; by ring, CR3", all that were tried and disturbed by this; NULL: by nothing. */
static void add_names(struct trial *t, const struct trial_result *results, const char *by)
{
    bool any = false;
    for (size_t i = 0; i < TRIALS; i++) {
        if (!results[i].tried || !same(results[i].disturbed, by))
            continue;
        try_adds(t, any ? ", " : "; ");
        try_adds(t, further[i].name);
        any = true;
    }
}

/* Is this the first trial that was disturbed so? */
static bool is_first(const struct trial_result *results, size_t number)
{
    size_t i = 0;
    while (!same(results[i].disturbed, results[number].disturbed))
        i++;
    return i == number;
}

/* "packets...; by ring, CR3, range, CYC; MTC, PMI not tried: packets were lost" */
static void say_tried(struct trial *t, const struct trial_result *results)
{
    try_says(t, WORKS,
             t->cpu->id.pt_topa ? "packets, through a table of regions"
                                : "packets, in a single range");
    add_names(t, results, NULL);
    for (size_t i = 0; i < TRIALS; i++) {
        if (!results[i].disturbed || !is_first(results, i))
            continue;
        add_names(t, results, results[i].disturbed);
        try_adds(t, " not tried: ");
        try_adds(t, results[i].disturbed);
    }
}

static void try_further(struct trial *t, const struct pt_trial *first)
{
    struct trial_result results[TRIALS];
    for (size_t i = 0; i < TRIALS; i++)
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
    const struct pt_packets *plain = &first->plain;
    if (first->trace.packet_status & RTIT_STATUS_ERROR)
        return "RTIT_STATUS.Error is set";
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

static void attempt(struct trial *t)
{
    if (!try_turns_on(t, &method_pt, "#GP on RTIT_CTL"))
        return;
    struct pt_trial first = { .facility = t };
    first.plain = pt_trial_run(&first, NULL, probe_code);
    const char *wrong = wrong_packets(&first);
    if (wrong)
        try_says(t, DEVIATES, wrong);
    else if (!first.trace.packet_bytes)
        try_says_dead(t, "no packet was written");
    else
        try_further(t, &first);
}

const struct probe probe_pt = { lacks, attempt };
