/*
 * What a method on a model can show of what really ran.
 *
 * There is one truth per workload; every limit of a method is applied here, from
 * data, and can be printed with its source.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "branch.h"
#include "facility.h"
#include "filter.h"
#include "model.h"
#include "pack.h"
#include "workload.h"

/* A stack that is smaller has no room for a branch beside what an interrupt leaves. */
#define LBR_STREAM_DEPTH_MIN 4

/* What a method may need. */
#define NEEDS(facility) (1u << (facility))

/* A way of seeing: what of a transfer is seen at all, and how many are kept. */
struct method_view {
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
        FILTERED_BY_BTS, /* by ring                                     */
    } filtered;          /* what can be told to leave branches out      */
    uint32_t newest;     /* keeps so many, the newest, by itself; 0: no such limit  */
    bool last_event;     /* keeps the branch before the last event, and no other   */
    bool silent;         /* leaves no record at all                                 */
    bool event_each;     /* takes an event of its own for each branch, at least     */
};

/* Whether its records are the processor's last-branch records, or kept as these are. */
static inline bool view_shows_lbr(const struct method_view *method)
{
    return method->last_event ||
           method->needs & (NEEDS(FACILITY_LBR) | NEEDS(FACILITY_BRS));
}

/* Whether older records give way to newer ones. */
static inline bool view_is_ring(const struct method_view *method)
{
    return method->ring_lbr || method->ring_buffer || method->newest;
}

/* Whether interrupts make it work, of its buffer or of a counter. */
static inline bool view_is_interrupted(const struct method_view *method)
{
    return method->drained || method->counted;
}

extern const struct method_view method_views[];
extern const size_t method_view_count;

const struct method_view *view_method(const char *name); /* or NULL */

/* The limits that hold for a method on a model, for `everybranch expect`. */
struct limit {
    const char *what, *source, *confidence;
    enum {
        LIMIT_OF_ALL,        /* or of no single record                             */
        LIMIT_OF_RESUMING,   /* of what comes before and behind a handler's IRET   */
        LIMIT_OF_CLEARED_TF, /* ...and behind a POPF that clears TF               */
        LIMIT_OF_DB,         /* of the entry of #DB                                */
        LIMIT_OF_INT3,       /* of INT3 and INTO                                   */
        LIMIT_OF_STRINGS,    /* of repeated string instructions                    */
        LIMIT_OF_STRUCK,     /* ...and of an interrupt that strikes in one         */
        LIMIT_OF_LAYOUT,     /* of every end, as the model's row says it is read      */
        LIMIT_OF_EVENTS,     /* of a record that is itself an event's                 */
        LIMIT_OF_JUMPS,      /* of calls and returns, where jumps are left out        */
        LIMIT_OF_RETURNED,   /* of calls that have returned, in call-stack mode       */
        LIMIT_OF_CROSSING,   /* ...of a branch from one ring to another              */
    } of;                    /* which records it speaks of                         */
};
size_t view_limits(const struct method_view *, const struct model *, struct limit *out,
                   size_t room);

/* A transfer with its kind, as truth and decoded records have it. */
struct transfer {
    uint64_t from, to;
    enum kind kind;
};

/* Gives one transfer after the other, oldest first; false at the end. */
struct source {
    bool (*next)(struct source *, struct transfer *);
    void (*rewind)(struct source *);
};

/* The truth of a workload that lies at `at`, called from `call`, back at `back`. */
struct truth {
    struct source source;
    const struct workload *workload;
    uint64_t at, call, back;
    struct pack *unpack; /* where workload->packed: the state for unpacking it */
    uint64_t given;      /* transfers taken out of it */
    uint32_t row, done;  /* row, and how often it was given                     */
    struct {
        uint32_t row;
        uint32_t left;
    } group[ROW_DEPTH_MAX];
    uint32_t depth;
};
void truth_of(struct truth *, const struct workload *, uint64_t at, uint64_t call,
              uint64_t back, struct pack *unpack);

/*
 * A source seen through limits: what stepping cannot see taken away, then all
 * but the newest `keep` (0: all kept).  Stepping (blind_handlers) sees neither the
 * entry of a handler nor anything in it nor its IRET.  `step` (every_insn) also
 * misses a branch that stands where that IRET goes, unless that is the instruction
 * at which the event struck: it had no stop before it.  An IRET outside of any
 * handler, made by hand, is a branch like others.  The marks of a truth (KIND_TF_...)
 * say where stepping stops later or not at all; they are given by no view, as little as
 * the entry of #DB.
 */
#define CALL_STACK_MAX 64 /* entries: the deepest that architectural LBR can have */
struct view {
    struct source source;
    struct source *of;
    const struct method_view *method;
    uint64_t keep, skip, seen; /* the first `skip` of what is seen are not kept */
    uint32_t in_handler;
    bool tf_clear, over; /* TF was cleared; a #DB has turned the method off   */
    bool loaded;         /* the next transfer is the SYSRET that loads TF     */
    uint64_t masked;     /* the SYSCALL that cleared it                       */
    uint64_t unstopped;  /* where no stop was, or BRANCH_UNKNOWN              */
    uint64_t struck;     /* where the event that opened the handler struck    */
    struct sieve sieve;
    struct {
        struct transfer at[CALL_STACK_MAX]; /* a ring as deep as the stack, top newest */
        uint64_t top, count, given;
        bool filled;
    } calls; /* of call-stack mode */
};
void view_of(struct view *, struct source *of, const struct method_view *, uint64_t keep);

/*
 * The same behind a filter.  In call-stack mode there is left what calls have not returned:
 * each return takes the newest record away, whatever that was of; keep says how deep the
 * stack is.
 */
void view_through(struct view *, struct source *of, const struct method_view *,
                  uint64_t keep, struct sieve);

/* What a method's recorder can leave out, which a processor may have less of. */
uint32_t view_filter_has(const struct method_view *, const struct model *,
                         const struct cpu_id *);
struct sieve view_sieve(const struct method_view *, const struct model *, uint32_t filter,
                        const struct workload *, uint64_t at);

/* Why it cannot run with this filter here, or NULL. */
const char *view_filter_excuse(const struct method_view *, const struct model *,
                               const struct cpu_id *, uint32_t filter);

/* What that limits, for view_limits' reader; behind those. */
size_t view_filter_limits(const struct method_view *, const struct model *, uint32_t filter,
                          struct limit *out, size_t room);

/*
 * How many records this method keeps on this model: 0 means all.  `room` is what its
 * buffer holds, or its stack where CPUID tells the depth and not the model's row.
 */
uint64_t view_keep(const struct method_view *, const struct model *, uint64_t room);

/*
 * Why a stack of this depth cannot be emptied in time while this workload runs, or NULL:
 * what no counter counts, exceptions, comes behind each other, and leaves no room.
 */
const char *view_excuse_depth(const struct method_view *, const struct workload *,
                              uint64_t depth);

/* At so many branches lbr-stream empties its stack. */
uint64_t view_stream_period(uint64_t depth);

/*
 * Why this method does not run this workload, whatever the hardware has, or NULL.
 * `at` is where the workload lies; model NULL: unknown; `gets_wrong`: the platform's
 * (WORKLOAD_...).
 */
const char *view_excuse(const struct method_view *, const struct model *,
                        const struct workload *, uint64_t at, uint32_t gets_wrong);

/* The same of a run whose own interrupts come as NMI, by its method or by option. */
const char *view_excuse_by_nmi(const struct workload *);
