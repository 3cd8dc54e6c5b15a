/*
 * The visible trace: the part of an expected trace that a method on a model can record.
 *
 * What a method can show is applied here, from data; common/rules/ has the same in words.
 */
#pragma once

#include "filter.h"
#include "method_facts.h"
#include "model.h"
#include "expected.h"
#include "skip_code.h"

/*
 * Filters a source by the method's limits: transfers that it cannot see are removed, then
 * all except the newest `keep` (0: all are kept).  Stepping (blind_handlers) sees neither
 * the entry of a handler nor anything in it nor its IRET.  `step` (every_insn) also misses
 * a branch at the target of that IRET, because no stop came before it, unless the event
 * struck at that instruction.  An IRET outside any handler, made by hand, is a branch like
 * others.  The marks of an expected trace (KIND_TF_...) say where stepping stops later or
 * not at all; neither marks nor the entry of #DB are ever visible.
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
 * visible_of() with a filter.  In call-stack mode the calls that have not returned are
 * left: each return takes the newest record away, whatever it is; `keep` is the stack's
 * depth.
 */
void visible_through(struct visible *, struct source *of, const struct method_facts *,
                     uint64_t keep, struct record_filter);

/* How the model's row writes the filter of this method, or NULL. */
const struct filter_form *record_filter_form(const struct method_facts *,
                                             const struct model *);

/* True if FROM can be the first instruction of a fused pair. */
static inline bool method_fuses_on(const struct method_facts *method,
                                   const struct model *model)
{
    return method_fuses(method) && model->lbr.fuses;
}

/* The bits that this method's filter can have on this processor. */
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
 * The number of records at which this method always asks for its interrupt, or 0.  One of
 * them is the IRETQ of the previous interrupt, if the filter lets that through.
 */
static inline uint32_t method_threshold(const struct method_facts *method, uint32_t filter)
{
    return method->threshold - (method->threshold && !record_filter_shows(filter, 0));
}

/* Why the method cannot run with this filter on this processor. */
enum skip_code record_filter_skip_reason(const struct method_facts *, const struct model *,
                                         const struct cpu_id *, uint32_t filter);

/*
 * Returns how many records this method keeps on this model; 0 means all.  `capacity` is the
 * size of its buffer in records, or of its stack where CPUID reports the depth.
 */
uint64_t visible_capacity(const struct method_facts *, const struct model *,
                          uint64_t capacity);
