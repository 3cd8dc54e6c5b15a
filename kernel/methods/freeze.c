/*
 * freeze.h.  SDM vol. 3B, "Freezing LBR and Performance Counters on PMI"; AMD64 APM vol. 2,
 * "Debug-Control MSR (DebugCtl)".
 *
 * Up to version 3 of architectural performance monitoring the interrupt clears
 * DEBUGCTL.LBR and GLOBAL_CTRL; from version 4 on it leaves them and sets LBR_FRZ and
 * CTR_FRZ in GLOBAL_STATUS, as AMD does with the first.  Either way its own entry is
 * no longer recorded, and that is the effect by which it is known: a counter asks for its
 * interrupt at the first branch, and the handler looks.  The run is long because interrupts
 * can come late.
 */
#include "freeze.h"

#include "counter.h"
#include "ds.h"
#include "msr.h"
#include "pmi_gate.h"
#include "registers.h"
#include "lbr_stack.h"
#include "window.h"

extern const uint8_t probe_run[] __attribute__((visibility("hidden")));

#define GLOBAL_CTRL_COUNTER_0 1u /* something to be cleared */
#define BTS_ROOM              2  /* records; at the first one it asks */

static const struct cpu *armed;
static const struct buffers *storing; /* of BTS */
static struct frozen seen;

bool freeze_is_documented(const struct cpu *cpu)
{
    return cpu->id.amd_freezes || cpu->id.perfmon >= PERFMON_WITH_FREEZE_BITS;
}

static uint32_t status_register(const struct cpu *cpu)
{
    return cpu->id.amd_freezes ? MSR_AMD_GLOBAL_STATUS : MSR_PERF_GLOBAL_STATUS;
}

static void look(struct frame *frame)
{
    (void)frame;
    uint64_t status = 0, control = 0;
    if (seen.came)
        return;
    msr_read(status_register(armed), &status);
    msr_read(MSR_PERF_GLOBAL_CTRL, &control);
    seen.came = true;
    seen.stack = lbr_stack_newest(armed).to != (uint64_t)pmi_gate_entry;
    seen.stack_by = freeze_is_documented(armed)
                        ? status & GLOBAL_STATUS_LBR_FRZ
                        : !(pmi_gate_interrupted_value() & armed->model->debugctl.lbr);
    seen.counters_documented = !armed->id.amd_freezes; /* of AMD's LBR_FRZ alone is told */
    seen.counters = freeze_is_documented(armed) ? status & GLOBAL_STATUS_CTR_FRZ : !control;
    pmi_gate_stay_off();
}

bool freeze_is_on(const struct cpu *cpu)
{
    uint64_t status = 0;
    return freeze_is_documented(cpu) && msr_read(status_register(cpu), &status) &&
           status & GLOBAL_STATUS_LBR_FRZ;
}

void freeze_thaw(const struct cpu *cpu)
{
    if (freeze_is_documented(cpu))
        msr_write(cpu->id.amd_freezes ? MSR_AMD_GLOBAL_STATUS_CLEAR
                                      : MSR_PERF_GLOBAL_OVF_CTRL,
                  GLOBAL_STATUS_LBR_FRZ | GLOBAL_STATUS_CTR_FRZ);
}

/* The bits belong to DEBUGCTL, whichever register turns recording on. */
static bool add(struct enable *enable, uint64_t bits)
{
    if (enable->msr == MSR_DEBUGCTL)
        enable->on |= bits;
    return msr_write(MSR_DEBUGCTL, bits);
}

bool freeze_add(struct enable *enable)
{
    return add(enable, DEBUGCTL_FREEZE_LBRS);
}

static bool asked_by_counter(const struct frame *frame)
{
    return freeze_is_on(armed) || counter_asked(frame);
}

/* Its first record asks, unless it is the entry of a stray NMI. */
static bool asked_by_bts(const struct frame *frame)
{
    (void)frame;
    return freeze_is_on(armed) ||
           (ds_index(storing) > 0 && ds_slots(storing)->to != (uint64_t)pmi_gate_entry);
}

static const struct pmi_taker by_counter = { asked_by_counter, look, NULL };
static const struct pmi_taker by_bts = { asked_by_bts, look, NULL };

/* The handler looks once, at the first branch. */
static void try_with(const struct cpu *cpu, const struct enable *enable,
                     const struct pmi_taker *taker)
{
    pmi_gate_begin(true, enable, taker);
    window_run(enable, probe_run);
    pmi_gate_end();
    freeze_thaw(cpu);
}

static struct enable begin(const struct cpu *cpu)
{
    armed = cpu;
    seen = (struct frozen){ 0 };
    lbr_stack_prepare(cpu);
    freeze_thaw(cpu);
    struct enable enable = lbr_stack_enable(cpu);
    seen.accepted = add(&enable, DEBUGCTL_FREEZE_LBRS | DEBUGCTL_FREEZE_PERFMON);
    return enable;
}

struct frozen freeze_try(const struct cpu *cpu, const struct buffers *buffers)
{
    struct buffers plain = *buffers; /* the event of the options may never come */
    plain.event = counter_tried(cpu);
    struct interrupt_config how = counter_chosen(cpu, &plain, 1);
    struct enable enable = begin(cpu);
    if (seen.accepted) {
        how.period = 1;
        counter_begin(cpu, &how, &enable, true);
        try_with(cpu, &enable, &by_counter);
        counter_end();
    }
    lbr_stack_restore(cpu);
    return seen;
}

/* Beside what turns LBR on, in the same register or another. */
static void add_bts(const struct cpu *cpu, struct enable *enable)
{
    const struct debugctl_bits *bits = &cpu->model->debugctl;
    uint64_t bts = bits->tr | bits->bts | bits->btint;
    if (enable->msr == MSR_DEBUGCTL) {
        enable->on |= bts;
        return;
    }
    enable->counter = MSR_DEBUGCTL;
    enable->counter_on = bts | DEBUGCTL_FREEZE_LBRS | DEBUGCTL_FREEZE_PERFMON;
    enable->counter_off = 0;
}

struct frozen freeze_try_bts(const struct cpu *cpu, const struct buffers *buffers)
{
    uint64_t control = 0;
    struct enable enable = begin(cpu);
    msr_read(MSR_PERF_GLOBAL_CTRL, &control);
    if (seen.accepted) {
        msr_write(MSR_PERF_GLOBAL_CTRL, GLOBAL_CTRL_COUNTER_0);
        add_bts(cpu, &enable);
        storing = buffers;
        ds_begin(buffers, BTS_ROOM, 0, 1);
        try_with(cpu, &enable, &by_bts);
        ds_end();
        msr_write(MSR_PERF_GLOBAL_CTRL, control);
    }
    lbr_stack_restore(cpu);
    return seen;
}
