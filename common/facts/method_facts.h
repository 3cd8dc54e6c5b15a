/*
 * The methods as data, for the kernel and the host program: what each needs, and what of
 * the expected trace it can show.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facility.h"

/* A smaller stack has no room for a branch beside the records of an interrupt. */
#define LBR_STREAM_DEPTH_MIN 4

/* A bit for each facility. */
#define NEEDS(facility) (1u << (facility))

/* What a method needs, and which transfers of an expected trace it records. */
struct method_facts {
    const char *name;     /* as in the log and on the command line                   */
    const char *about;    /* what it does, in one line                               */
    unsigned needs;       /* NEEDS(...) of each facility that it cannot do without   */
    bool stops;           /* its records are stops: FROM is unknown                  */
    bool every_insn;      /* it stops after every instruction, not only branches     */
    bool blind_handlers;  /* TF is clear from an event's delivery to the end of IRET */
    bool ends_at_db;      /* a #DB that the workload takes turns it off              */
    bool ring_lbr;        /* it keeps the newest records, as many as the stack is deep */
    bool ring_buffer;     /* it keeps the newest records, as many as the buffer holds  */
    bool pmi_drained;     /* an interrupt empties its buffer whenever that fills up  */
    bool counter_driven;  /* a counter interrupts it                                 */
    bool sampled;         /* its records are the places where the counter interrupts */
    bool sampled_windows; /* the counter begins sampled windows, with gaps between   */
    bool by_nmi;          /* its interrupt is an NMI, unless an option says otherwise */
    uint32_t least_depth; /* entries that the LBR stack must have                    */
    uint32_t threshold;   /* records at which its buffer is emptied; 0: an option's  */
    enum {
        FILTERED_BY_NONE,
        FILTERED_BY_LBR, /* by kind and ring, as the model's row says                */
        FILTERED_BY_LER, /* by kind and ring, and governed by nothing else           */
        FILTERED_BY_BTS, /* by ring                                                  */
        FILTERED_BY_PT,  /* by ring: no end in a ring that is left out is shown      */
    } filtered;          /* which filter can leave branches out                      */
    bool overlaps;       /* its interrupt's own IRETQ must be recorded               */
    uint32_t newest;     /* it keeps this many of the newest records; 0: no such limit */
    bool last_event;     /* it keeps only the branch before the last event           */
    bool silent;         /* it makes no record at all                                */
    bool packets;        /* it logs packets, which the host program decodes to records */
    bool event_each;     /* it takes at least one event of its own for each branch   */
};

/* True if its records are last-branch records, or have the same form. */
static inline bool method_shows_lbr(const struct method_facts *method)
{
    return method->last_event ||
           method->needs & (NEEDS(FACILITY_LBR) | NEEDS(FACILITY_BRS));
}

/*
 * True if its records are those of the LBR stack, in which FROM can be the first
 * instruction of a fused pair.  In LER, and in AMD's pair of registers, it cannot.
 */
static inline bool method_fuses(const struct method_facts *method)
{
    return !method->last_event && method->needs & NEEDS(FACILITY_LBR);
}

/* True if older records give way to newer ones. */
static inline bool method_is_ring(const struct method_facts *method)
{
    return method->ring_lbr || method->ring_buffer || method->newest;
}

/* True if interrupts keep it going, of its buffer or of a counter. */
static inline bool method_is_interrupted(const struct method_facts *method)
{
    return method->pmi_drained || method->counter_driven;
}

/*
 * One row, beside its driver in kernel/methods/: that file is compiled for the host program
 * too, without what stands under #ifdef KERNEL.  The linker makes the array of the rows, in
 * the order that the Makefile gives; more alignment than the type's would leave holes
 * there.
 */
#define METHOD_FACTS(id)                                  \
    extern const struct method_facts facts_##id;          \
    __attribute__((section("methods"), used, aligned(8))) \
    const struct method_facts facts_##id

typedef const struct method_facts method_table[];
extern method_table methods_known __asm__("__start_methods")
    __attribute__((visibility("hidden")));
extern method_table methods_known_end __asm__("__stop_methods")
    __attribute__((visibility("hidden")));

#define METHODS_MAX 32 /* slots in tables by method: at least as many as are known */
static inline size_t methods_known_count(void)
{
    return (size_t)(methods_known_end - methods_known);
}

const struct method_facts *method_named(const char *name); /* or NULL */
