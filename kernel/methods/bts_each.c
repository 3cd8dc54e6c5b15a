/*
 * bts-each: the branch trace store with an interrupt for every branch.
 *
 * With a threshold of one record the handler's IRETQ would ask for the next interrupt
 * before the workload has moved, for ever, so that is not run.  A threshold of two is an
 * interrupt for every branch: the IRETQ and one branch.  At the beginning the index is one,
 * as after an IRETQ, so that all interrupts are alike.  With ring 0 left out the IRETQ is
 * not recorded, and the threshold is one record.  If the threshold is the end of the buffer
 * the entry is not stored, and no record may be late.
 */
#include "method_facts.h"

METHOD_FACTS(bts_each) = {
    .name = "bts-each",
    .about = "the branch trace store with an interrupt for every branch",
    .needs = NEEDS(FACILITY_BTS),
    .pmi_drained = true,
    .by_nmi = true,
    .threshold = 2,
    .event_each = true,
    .filtered = FILTERED_BY_BTS,
};

#ifdef KERNEL

#include "bts_pmi.h"
#include "visible.h"

static struct interrupt_config interrupt_config(const struct cpu *cpu,
                                                const struct buffers *buffers)
{
    (void)cpu;
    return bts_pmi_config(buffers, method_threshold(&facts_bts_each, buffers->filter),
                          true);
}

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    return bts_pmi_arm(cpu, buffers, interrupt_config(cpu, buffers));
}

METHOD(bts_each) = {
    .facts = &facts_bts_each,
    .arm = arm,
    .drain = bts_pmi_drain,
    .disarm = bts_pmi_disarm,
    .interrupt_config = interrupt_config,
};

#endif
