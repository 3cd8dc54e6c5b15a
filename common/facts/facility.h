/*
 * The facilities of the branch-trace hardware, and the results of probing them.
 */
#pragma once

enum facility {
    FACILITY_STEP,
    FACILITY_BTF,
    FACILITY_LBR,
    FACILITY_BTS,
    FACILITY_TR,
    FACILITY_PMI, /* a counter of branches that interrupts */
    FACILITY_LER,
    FACILITY_FREEZE, /* of LBR and counters, by the interrupt of a counter */
    FACILITY_BRS,    /* AMD branch sampling, by a counter */
    FACILITY_PT,     /* Intel Processor Trace */
    FACILITY_COUNT,
};

enum probe_result {
    WORKS,
    DEVIATES, /* it acts, but not as the manual says      */
    DEAD,     /* accepted and without effect              */
    FAULTS,   /* #GP when it is turned on                 */
    ABSENT,   /* the processor, or its model, has it not  */
    AVOIDED,  /* not tried: the machine died of it before */
    DENIED,   /* Linux does not permit a process to try it */
    PROBE_RESULTS,
};

/* As in the log. */
extern const char *const facility_names[FACILITY_COUNT];
extern const char *const probe_result_names[PROBE_RESULTS];
static inline const char *probe_result_name(enum probe_result probe_result)
{
    return probe_result_names[probe_result];
}
