/*
 * What a method on a model can show of what really ran.
 *
 * Every limit of a method is applied here, from data; limit.h has them in words.
 */
#pragma once

#include "filter.h"
#include "method_facts.h"
#include "model.h"
#include "expected.h"

/*
 * A source seen through limits: what stepping cannot see taken away, then all
 * but the newest `keep` (0: all kept).  Stepping (blind_handlers) sees neither the
 * entry of a handler nor anything in it nor its IRET.  `step` (every_insn) also
 * misses a branch that stands where that IRET goes, unless that is the instruction
 * at which the event struck: it had no stop before it.  An IRET outside of any
 * handler, made by hand, is a branch like others.  The marks of a expected trace
 * (KIND_TF_...) say where stepping stops later or not at all; they are given by no view, as
 * little as the entry of #DB.
 */
#define CALL_STACK_MAX 64 /* entries: the deepest that architectural LBR can have */
struct visible {
    struct source source;
    struct source *of;
    const struct method_facts *method;
    uint64_t keep, skip, seen; /* the first `skip` of what is seen are not kept */
    uint32_t in_handler;
    bool tf_clear, over; /* TF was cleared; a #DB has turned the method off   */
    bool loaded;         /* the next transfer is the SYSRET that loads TF     */
    uint64_t masked;     /* the SYSCALL that cleared it                       */
    uint64_t unstopped;  /* where no stop was, or BRANCH_UNKNOWN              */
    uint64_t struck;     /* where the event that opened the handler struck    */
    struct record_filter record_filter;
    struct {
        struct transfer at[CALL_STACK_MAX]; /* a ring as deep as the stack, top newest */
        uint64_t top, count, given;
        bool filled;
    } calls; /* of call-stack mode */
};
void visible_of(struct visible *, struct source *of, const struct method_facts *,
                uint64_t keep);

/*
 * The same behind a filter.  In call-stack mode there is left what calls have not returned:
 * each return takes the newest record away, whatever that was of; keep says how deep the
 * stack is.
 */
void visible_through(struct visible *, struct source *of, const struct method_facts *,
                     uint64_t keep, struct record_filter);

/* What a method's recorder can leave out, which a processor may have less of. */
uint32_t record_filter_has(const struct method_facts *, const struct model *,
                           const struct cpu_id *);
struct record_filter record_filter_for(const struct method_facts *, const struct model *,
                                       uint32_t filter, const struct workload *,
                                       uint64_t at);

/*
 * True if BTS stores a branch that leaves this ring.  A method's own interrupts leave the
 * ring in which they struck, and their IRETQ leaves ring 0.  Methods with last-branch
 * records that take interrupts run only with both rings recorded.
 */
static inline bool record_filter_shows(uint32_t filter, unsigned ring)
{
    return !(filter & LEAVES_OUT(ring == 0 ? FILTER_KERNEL : FILTER_USER));
}

/*
 * At so many records this method always asks for its interrupt, or 0.  One of them is the
 * IRETQ of the interrupt before, where the filter leaves that in.
 */
static inline uint32_t method_threshold(const struct method_facts *method, uint32_t filter)
{
    return method->threshold - (method->threshold && !record_filter_shows(filter, 0));
}

/* Why it cannot run with this filter here, or NULL. */
const char *record_filter_skip_reason(const struct method_facts *, const struct model *,
                                      const struct cpu_id *, uint32_t filter);

/*
 * How many records this method keeps on this model: 0 means all.  `capacity` is what its
 * buffer holds, or its stack where CPUID tells the depth and not the model's row.
 */
uint64_t visible_capacity(const struct method_facts *, const struct model *,
                          uint64_t capacity);
