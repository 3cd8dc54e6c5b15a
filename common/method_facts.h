/*
 * The methods as data, for the kernel and the host program: what each needs, and what of
 * the expected trace it can show.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facility.h"

/* A stack that is smaller has no room for a branch beside what an interrupt leaves. */
#define LBR_STREAM_DEPTH_MIN 4

/* What a method may need. */
#define NEEDS(facility) (1u << (facility))

/* A way of seeing: what of a transfer is seen at all, and how many are kept. */
struct method_facts {
    const char *name;     /* as in the log and on the command line                   */
    const char *about;    /* what it does, in one line                               */
    unsigned needs;       /* NEEDS(...) of each facility without which it cannot be  */
    bool stops;           /* its records are stops: FROM is unknown                  */
    bool every_insn;      /* ...after every instruction, not only after branches     */
    bool blind_handlers;  /* TF is clear from an event's delivery to the end of IRET */
    bool ends_at_db;      /* a #DB that the workload takes turns it off              */
    bool ring_lbr;        /* keeps the newest model->lbr.depth records               */
    bool ring_buffer;     /* keeps the newest records that fit the buffer            */
    bool drained;         /* an interrupt empties its buffer as often as it fills    */
    bool by_nmi;          /* ...that comes as NMI, if nobody asks for another        */
    bool counted;         /* a counter interrupts it                                 */
    bool sampled;         /* ...and its records are where it struck                  */
    bool pieces;          /* ...and begins pieces of the trace, with gaps between    */
    uint32_t least_depth; /* of the stack of last-branch records                    */
    uint32_t threshold;   /* ...at so many records, always; 0: wherever it is asked  */
    enum {
        FILTERED_BY_NONE,
        FILTERED_BY_LBR, /* by kind and ring, as the model's row says   */
        FILTERED_BY_LER, /* the same, where what turns LBR on is all that governs it */
        FILTERED_BY_BTS, /* by ring                                     */
    } filtered;          /* what can be told to leave branches out      */
    bool overlaps;       /* its interrupt's own IRETQ must leave a record           */
    uint32_t newest;     /* keeps so many, the newest, by itself; 0: no such limit  */
    bool last_event;     /* keeps the branch before the last event, and no other   */
    bool silent;         /* leaves no record at all                                 */
    bool event_each;     /* takes an event of its own for each branch, at least     */
};

/* Whether its records are the processor's last-branch records, or kept as these are. */
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

/* Whether older records give way to newer ones. */
static inline bool method_is_ring(const struct method_facts *method)
{
    return method->ring_lbr || method->ring_buffer || method->newest;
}

/* Whether interrupts make it work, of its buffer or of a counter. */
static inline bool method_is_interrupted(const struct method_facts *method)
{
    return method->drained || method->counted;
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

extern const struct method_facts methods_known[] __asm__("__start_methods")
    __attribute__((visibility("hidden")));
extern const struct method_facts methods_known_end[] __asm__("__stop_methods")
    __attribute__((visibility("hidden")));

static inline size_t methods_known_count(void)
{
    return (size_t)(methods_known_end - methods_known);
}

const struct method_facts *method_named(const char *name); /* or NULL */
