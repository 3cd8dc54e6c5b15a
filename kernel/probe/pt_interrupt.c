/*
 * The interrupt of a region of Processor Trace that is full: it must come once, and cost no
 * branch.
 */
#include "pt_trial.h"

#include "intrusion.h"
#include "msr.h"
#include "pmi_gate.h"
#include "registers.h"
#include "window.h"

/* The table has two pages.  The first is nearly full: it has these bytes left. */
#define LEFT_IN_FIRST   64
#define INTERRUPT_SHOWS 2 /* targets: its entry and its IRETQ */

static uint64_t interrupts;

static bool region_is_full(const struct frame *frame)
{
    uint64_t status = 0;
    (void)frame;
    return msr_read(MSR_PERF_GLOBAL_STATUS, &status) && status & GLOBAL_STATUS_TOPA;
}

static void on_full_region(struct frame *frame)
{
    (void)frame;
    interrupts++;
    msr_write(MSR_PERF_GLOBAL_OVF_CTRL, GLOBAL_STATUS_TOPA);
}

/* The first whole page of the buffer.  If the buffer holds a run, another page follows. */
static uint8_t *first_page(const struct buffers *buffers)
{
    return (uint8_t *)(((uint64_t)buffers->bts + PT_PAGE - 1) & ~(PT_PAGE - 1));
}

/* A table of one region interrupts before that is full: SDM vol. 3C, "ToPA PMI". */
bool pt_can_interrupt(const struct trial *t)
{
    return t->cpu->id.pt_topa_regions && !try_lacks_counter(t->cpu);
}

/* Traces probe_run.  Returns the bytes written; 0 if they end in the first page. */
static size_t run_with_interrupt(const struct trial *t, const uint8_t *pages,
                                 uint64_t *status)
{
    static const struct pmi_taker taker = { .asked = region_is_full,
                                            .take = on_full_region };
    uint64_t *table = (uint64_t *)t->buffers->ds_area, where = 0;
    struct enable enable = method_pt.arm(t->cpu, t->buffers);
    table[0] = (uint64_t)pages | TOPA_INT;
    table[1] = (uint64_t)(pages + PT_PAGE) | TOPA_STOP;
    table[2] = (uint64_t)table | TOPA_END;
    msr_write(MSR_RTIT_OUTPUT_MASK_PTRS,
              (PT_PAGE - LEFT_IN_FIRST) << RTIT_OUTPUT_OFFSET_SHIFT | RTIT_OUTPUT_RESERVED);
    interrupts = 0;
    pmi_gate_begin(true, &enable, &taker);
    window_run(&enable, probe_run);
    pmi_gate_end();
    msr_read(MSR_RTIT_OUTPUT_MASK_PTRS, &where);
    msr_read(MSR_RTIT_STATUS, status);
    method_pt.disarm(t->cpu);
    bool in_second = (uint32_t)where >> RTIT_OUTPUT_ENTRY_SHIFT == 1;
    return in_second ? LEFT_IN_FIRST + (where >> RTIT_OUTPUT_OFFSET_SHIFT) : 0;
}

enum deviation pt_try_interrupt(struct pt_trial *p)
{
    const uint8_t *pages = first_page(p->facility->buffers);
    if (!pt_trial_holds_run(p))
        return NO_DEVIATION;
    const struct intrusions earlier = intrusion_count();
    uint64_t status = 0;
    size_t bytes = run_with_interrupt(p->facility, pages, &status);
    const struct pt_packet_counts got =
        pt_packets_count(pages + PT_PAGE - LEFT_IN_FIRST, bytes);
    pt_trial_note(p, status, &earlier, &got);
    if (interrupts != 1)
        return interrupts ? PT_PMI_MORE : PT_PMI_NONE;
    const struct pt_packet_counts want = pt_trial_run(p, NULL, probe_run);
    return pt_branches(&got) == pt_branches(&want) + INTERRUPT_SHOWS ? NO_DEVIATION
                                                                     : PT_PMI_COST;
}
