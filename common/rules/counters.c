/*
 * Interrupts of a performance counter (PMI), and what is made of them.
 *
 * A counter interrupts each time it overflows, some branches late: no manual bounds how
 * late.  The authors of rr met 100 conditional branches and more on Intel, and 10,000 and
 * more on Zen; so the probe measures it on each machine.  The method pmi shows only where
 * each interrupt was taken.  The method lbr-stream reads the LBR stack at each, and joins
 * the readings to one trace, as long as two readings overlap.  The counter of LBR inserts
 * counts each record that enters the stack, even if a later one pushes it out.
 */
#include "rule.h"

#include "pmu.h"

#define OVERFLOW "SDM vol. 3B, \"Generating an Interrupt on Overflow\""
#define LATE     "rr, src/PerfCounters.cc"
#define LATE_ZEN2                                                                         \
    "1,496 on average and 5,043 at most in 1,000,000 of a Zen 2 (pH14/harmony a34d836a, " \
    "ae1d.json)"

static bool samples(const struct rule_place *place)
{
    return !place->method->silent && place->method->sampled;
}

/* Of a model's row alone it is not known which processor that is. */
static bool counts_inserts(const struct rule_place *place)
{
    if (place->method->silent || !place->method->ring_lbr || !place->model)
        return false;
    return place->id ? pmu_inserts(place->id) != NULL : place->model->needs_arch_lbr;
}

static const char *inserts_source(const struct rule_place *place)
{
    const struct pmu_inserts *inserts = place->id ? pmu_inserts(place->id) : NULL;

    return inserts ? inserts->source : "common/facts/pmu.c, pmu_inserts()";
}

static struct rule_basis of_inserts(const struct rule_place *place)
{
    return (struct rule_basis){ inserts_source(place), STATED };
}

static struct rule_basis of_inserts_alone(const struct rule_place *place)
{
    return (struct rule_basis){ inserts_source(place), DERIVED };
}

static bool is_interrupted(const struct rule_place *place)
{
    return !place->method->silent && method_is_interrupted(place->method);
}

static bool has_gaps(const struct rule_place *place)
{
    return place_records(place) && method_is_interrupted(place->method) &&
           !place->method->sampled_windows;
}

/*
 * How far it is known what the interrupts are of: what an event counts, the processor's row
 * says; a full BTS buffer needs no counter.
 */
static struct rule_basis of_event(const struct rule_place *place)
{
    const struct pmu *pmu = place->id ? pmu_find(place->id) : NULL;

    if (!place->method->counter_driven)
        return (struct rule_basis){ OVERFLOW, STATED };
    if (place->unlisted)
        return (struct rule_basis){ "no source says what this event counts", UNCONFIRMED };
    return pmu ? (struct rule_basis){ pmu->source, pmu->confidence }
               : (struct rule_basis){ "common/facts/pmu.c", DERIVED };
}

/* A derived row leaves open only which other transfers count.  So does any row whose event
 * counted the probe's branches. */
static struct rule_basis of_near(const struct rule_place *place)
{
    struct rule_basis basis = of_event(place);

    if (basis.confidence == DERIVED || place->probed)
        basis.confidence = STATED;
    return basis;
}

/* Whatever the event is, Intel's manual says that its interrupt sets the mask bit. */
static struct rule_basis of_lvt(const struct rule_place *place)
{
    const struct pmu *pmu = place->id ? pmu_find(place->id) : NULL;

    return pmu && !pmu->keeps_lvt
               ? (struct rule_basis){ "SDM vol. 3A, \"Local Vector Table\"", STATED }
               : of_event(place);
}

static bool is_counted(const struct rule_place *place)
{
    return !place->method->silent && place->method->counter_driven;
}

/* No witness used branch sampling, which holds its interrupt back. */
static bool is_late_on_zen(const struct rule_place *place)
{
    return is_counted(place) && !place->method->sampled_windows && place->model &&
           place->model->pmi_latest;
}

static const struct rule rows[] = {
    {
        .name = "stream-interrupts",
        .sentence = "The records of the counter's interrupts (entry and IRETQ) are removed "
                    "from the trace.",
        .source = OVERFLOW,
        .confidence = STATED,
        .applies = place_joins_stacks,
        .workload = "recursion",
        .property = "bt-double",
    },
    {
        .name = "stream-overlap",
        .sentence =
            "The trace is complete if, at each interrupt, the LBR stack still holds "
            "the IRETQ of the previous one.",
        .source = "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording\"",
        .confidence = DERIVED,
        .applies = place_joins_stacks,
        .of_no_record = true,
        .workload = "recursion",
    },
    {
        .name = "pmi-stop",
        .sentence =
            "Each stop is the address at which the interrupt was taken, which may be "
            "several branches after the overflow.",
        .source = OVERFLOW,
        .confidence = STATED,
        .applies = samples,
        .workload = "wt",
        .property = "bt-lose-pmi",
    },
    {
        .name = "pmi-event",
        .sentence = "Of the taken branches, only those that the selected event counts "
                    "advance the counter.",
        .basis = of_event,
        .applies = is_counted,
        .of_no_record = true,
        .workload = "kinds",
    },
    {
        .name = "pmi-near",
        .sentence = "An event of branches counts each near one, and nothing else but far "
                    "transfers, the interrupts, their IRETQs, and the window's own branch.",
        .basis = of_near,
        .applies = is_counted,
        .of_run = true,
        .of_no_record = true,
        .workload = "loop",
    },
    {
        .name = "pmi-number",
        .sentence = "In each period that the counter counts, one interrupt is taken.",
        .source = OVERFLOW,
        .confidence = STATED,
        .applies = is_counted,
        .of_run = true,
        .of_no_record = true,
        .workload = "wt",
        .property = "bt-lose-pmi",
    },
    {
        .name = "pmi-stops",
        .sentence = "Each interrupt is one stop, except the last one if it is late and the "
                    "workload has returned.",
        .source = OVERFLOW,
        .confidence = STATED,
        .applies = samples,
        .of_run = true,
        .of_no_record = true,
        .workload = "wt",
    },
    {
        .name = "pmi-rest",
        .sentence = "After the last stop, the counter counts less than one period.",
        .source = OVERFLOW,
        .confidence = STATED,
        .applies = samples,
        .of_run = true,
        .of_no_record = true,
        .workload = "wt",
        .property = "bt-lose-pmi",
    },
    {
        .name = "pmi-boundary",
        .sentence = "An interrupt is taken between two instructions that the workload "
                    "executes one after the other.",
        .source = "SDM vol. 3A, \"Maskable Hardware Interrupts\"",
        .confidence = STATED,
        .applies = samples,
        .of_run = true,
        .workload = "wt",
    },
    {
        .name = "pmi-insns",
        .sentence = "Between two interrupts of a counter of instructions, as many "
                    "instructions retire as the period, plus the lateness of the second "
                    "interrupt, minus that of the first.",
        .source = OVERFLOW,
        .confidence = DERIVED,
        .applies = samples,
        .of_run = true,
        .of_no_record = true, /* tools/judge/insn_stops.c counts them */
        .workload = "wt",
    },
    {
        .name = "pmi-unsure",
        .sentence =
            "A counter may also count the interrupt, its IRETQ, the WRMSR that starts or "
            "stops the counter, and the instruction before or after that WRMSR.",
        .source = "no manual says which of them count",
        .confidence = UNCONFIRMED,
        .applies = is_counted,
        .platform = ON_SILICON,
        .of_run = true,
        .of_no_record = true, /* tools/judge/counted.c allows for them */
        .workload = "wt",
    },
    {
        .name = "interrupt-records",
        .sentence =
            "Each interrupt has one record of its entry and one of its IRETQ, as far "
            "as the method, the filter and a frozen stack record them.",
        .source =
            OVERFLOW "; \"Last Branch, Interrupt, and Exception Recording\"; AMD64 APM "
                     "vol. 2, \"Control-Transfer Recording MSRs\"",
        .confidence = STATED,
        .applies = is_interrupted,
        .of_run = true,
        .of_no_record = true,
        .workload = "recursion",
    },
    {
        .name = "interrupt-lvt",
        .sentence = "Each interrupt sets the mask bit of its entry in the local vector "
                    "table, except that an interrupt of AMD's counters never does.",
        .basis = of_lvt,
        .applies = is_interrupted,
        .of_run = true,
        .of_no_record = true,
        .workload = "recursion",
        .property = "bt-keep-lvt",
    },
    {
        .name = "interrupt-sums",
        .sentence =
            "How late each stop says that its interrupt was agrees with skid= and most=, "
            "and "
            "no more interrupts have records or leave their LVT entry unmasked than came.",
        .source = "this project: all are sums of what the kernel read from the counter",
        .confidence = STATED,
        .applies = is_interrupted,
        .of_run = true,
        .of_no_record = true,
        .workload = "recursion",
    },
    {
        .name = "pmi-late",
        .sentence =
            "An interrupt that IF does not hold back may be taken any number of events "
            "after the overflow that requested it, because no manual gives a bound.",
        .source = LATE ": 100 conditional branches and more on Intel, 10,000 and more on "
                       "Zen; " LATE_ZEN2,
        .confidence = RECORDED,
        .applies = is_interrupted,
        .of_run = true,
        .workload = "recursion",
        .property = "bt-late-nmi",
    },
    {
        .name = "pmi-prompt",
        .sentence =
            "On an emulator on which the probe's interrupts are never late, none is late "
            "that IF does not hold back.",
        .source = "this project",
        .confidence = STATED,
        .applies = is_interrupted,
        .platform = ON_EMULATOR,
        .of_run = true,
        .workload = "recursion",
        .property = "bt-late-nmi",
    },
    {
        .name = "pmi-last",
        .sentence = "The window may close before the last interrupt is taken (lost=1), if "
                    "that interrupt is at most twice as late as the probe's latest one.",
        .source = OVERFLOW,
        .confidence = DERIVED,
        .applies = is_interrupted,
        .of_run = true,
        .of_no_record = true,
        .workload = "recursion",
        .property = "bt-lose-pmi",
    },
    {
        .name = "pmi-last-later",
        .sentence = "The last interrupt of a run may be two taken branches later than "
                    "twice the latest interrupt of the probe, during which at most twice "
                    "as many branches and 16 times as many instructions run; if nothing "
                    "counts its lateness, it is at most 1,000 events late.",
        .source =
            "a run in a guest of KVM, whose last interrupt was one event late where the "
            "probe's 101 were never late; the bounds are chosen",
        .confidence = DERIVED,
        .applies = is_counted,
        .platform = ON_SILICON,
        .of_run = true,
        .of_no_record = true, /* tools/judge/lateness.c allows for it */
        .workload = "recursion",
    },
    {
        .name = "pmi-last-zen",
        .sentence = "On Zen the last interrupt of a run may be 10,000 taken branches late, "
                    "however early those of the probe were.",
        .source = LATE ": 10,000 conditional branches, rarely more; " LATE_ZEN2,
        .confidence = RECORDED,
        .applies = is_late_on_zen,
        .platform = ON_SILICON,
        .of_run = true,
        .of_no_record = true, /* tools/judge/lateness.c allows for it */
        .workload = "recursion",
    },
    {
        .name = "stream-gaps",
        .sentence = "Only branches that ran while an interrupt was late are missing from a "
                    "stream, which has at most one gap for each interrupt and one more at "
                    "the end.",
        .source = OVERFLOW,
        .confidence = STATED,
        .applies = has_gaps,
        .of_run = true,
        .of_no_record = true,
        .workload = "recursion",
        .property = "bt-drop",
    },
    {
        .name = "stream-stack",
        .sentence =
            "A stream with gaps has no more records than the LBR stack held at each "
            "interrupt and at the end, and what follows a gap is all of that, less the "
            "interrupt's own entry; a stack that was frozen holds what ran in the period.",
        .source = "this project: the kernel reads the whole stack",
        .confidence = STATED,
        .applies = place_joins_stacks,
        .of_run = true,
        .of_no_record = true,
        .workload = "recursion",
    },
    {
        .name = "stream-whole",
        .sentence = "A stream has no gap if no interrupt was late.",
        .source = OVERFLOW,
        .confidence = STATED,
        .applies = has_gaps,
        .of_run = true,
        .workload = "recursion",
        .property = "bt-lose-pmi",
    },
    {
        .name = "inserts-records",
        .sentence =
            "Where the processor has the event LBR inserts, its counter counts every "
            "record that enters the LBR stack.",
        .basis = of_inserts,
        .applies = counts_inserts,
        .workload = "loop",
        .property = "bt-set-0a-ebx",
    },
    {
        .name = "inserts-alone",
        .sentence = "The counter of LBR inserts counts nothing else: except in call-stack "
                    "mode, it equals the number of records that an unlimited stack would "
                    "hold.",
        .basis = of_inserts_alone,
        .applies = counts_inserts,
        .of_no_record = true,
        .workload = "recursion",
    },
    {
        .name = "inserts-counter",
        .sentence = "A processor that has the event LBR inserts has a counter for it.",
        .basis = of_inserts_alone,
        .applies = rule_is_of_any,
        .platform = ON_EMULATOR,
        .of_run = true,
        .of_no_record = true,
        .workload = "loop",
    },
};
RULE_TABLE(counter_rules, rows);
