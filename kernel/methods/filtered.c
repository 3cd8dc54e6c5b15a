/*
 * filtered.h.  A control bit that matters is read back: a register that drops what is
 * written would leave a trace that looks like one without a filter.
 */
#include "filtered.h"

#include "log.h"
#include "msr.h"
#include "registers.h"
#include "lbr_stack.h"

uint64_t filtered_bts(const struct cpu *cpu, uint32_t filter)
{
    const struct debugctl_bits *bits = &cpu->model->debugctl;
    return (filter & LEAVES_OUT(FILTER_KERNEL) ? bits->bts_off_os : 0) |
           (filter & LEAVES_OUT(FILTER_USER) ? bits->bts_off_usr : 0);
}

uint64_t filtered_pt(uint32_t filter)
{
    return (filter & LEAVES_OUT(FILTER_KERNEL) ? 0 : RTIT_OS) |
           (filter & LEAVES_OUT(FILTER_USER) ? 0 : RTIT_USER);
}

/* Without TR and BTS these bits do nothing. */
static bool bts_holds(const struct cpu *cpu, uint32_t filter)
{
    uint64_t before = 0;
    msr_read(MSR_DEBUGCTL, &before);
    bool held = msr_set(MSR_DEBUGCTL, before | filtered_bts(cpu, filter));
    msr_write(MSR_DEBUGCTL, before);
    return held;
}

/* Without TraceEn these bits do nothing. */
static bool pt_holds(uint32_t filter)
{
    uint64_t before = 0;
    msr_read(MSR_RTIT_CTL, &before);
    bool held = msr_set(MSR_RTIT_CTL, filtered_pt(filter));
    msr_write(MSR_RTIT_CTL, before);
    return held;
}

/* This filter also governs the last exception record: nothing else does. */
static bool lbr_holds(const struct cpu *cpu, uint32_t filter)
{
    lbr_stack_prepare(cpu);
    struct enable enable = lbr_stack_enable(cpu);
    bool held = lbr_stack_filter(cpu, filter, &enable);
    lbr_stack_restore(cpu);
    return held;
}

enum skip_code filtered_lacks(const struct cpu *cpu, const struct method_facts *method,
                              uint32_t filter, bool is_here)
{
    enum skip_code skip_reason =
        record_filter_skip_reason(method, cpu->model, &cpu->id, filter);
    if (!filter || skip_reason || !is_here)
        return skip_reason;
    bool held = method->filtered == FILTERED_BY_BTS  ? bts_holds(cpu, filter)
                : method->filtered == FILTERED_BY_PT ? pt_holds(filter)
                                                     : lbr_holds(cpu, filter);
    return held ? SKIP_NOTHING : SKIP_FILTER_DROPPED;
}
