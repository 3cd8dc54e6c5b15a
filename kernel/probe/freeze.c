/*
 * Freezing of records and counters by the performance-monitoring interrupt.
 *
 * Once frozen, the interrupt's own entry is no longer recorded, and that is the effect by
 * which it is known: a counter asks for its interrupt at the first branch, and the handler
 * looks.  The run is long because interrupts can come late.  AMD's can be frozen by a write
 * as well, which needs no interrupt.
 */
#include "freeze.h"

#include "counter.h"
#include "ds.h"
#include "lbr_stack.h"
#include "msr.h"
#include "platform.h"
#include "pmi_gate.h"
#include "registers.h"
#include "try.h"

#define GLOBAL_CTRL_COUNTER_0 1u /* something to be cleared */
#define BTS_ROOM              2  /* records; at the first one it asks */

/* The state that the interrupt found, with both bits set. */
struct frozen {
    bool accepted;            /* no #GP on the bits        */
    bool came;                /* the interrupt came at all */
    bool stack;               /* its own entry was not recorded any more           */
    bool stack_by;            /* ...and LBR was clear, or the status says frozen   */
    bool counters;            /* GLOBAL_CTRL was clear, or the status says frozen  */
    bool counters_documented; /* ...and a source says that this is to be seen */
};

static const struct cpu *armed;
static const struct buffers *storing; /* of BTS */
static struct frozen seen;

static void look(struct frame *frame)
{
    (void)frame;
    uint64_t status = 0, control = 0;
    if (seen.came)
        return;
    msr_read(freeze_status(armed), &status);
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

static const struct pmi_taker counter_taker = { asked_by_counter, look, NULL };
static const struct pmi_taker bts_taker = { asked_by_bts, look, NULL };

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
    seen.accepted = freeze_add(&enable, DEBUGCTL_FREEZE_LBRS | DEBUGCTL_FREEZE_PERFMON);
    return enable;
}

static struct frozen try_counter(const struct cpu *cpu, const struct buffers *buffers)
{
    struct interrupt_config how = counter_chosen(cpu, buffers, 1);
    struct enable enable = begin(cpu);
    if (seen.accepted) {
        how.period = 1;
        counter_begin(cpu, &how, &enable, true);
        try_with(cpu, &enable, &counter_taker);
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

static struct frozen try_bts(const struct cpu *cpu, const struct buffers *buffers)
{
    uint64_t control = 0;
    struct enable enable = begin(cpu);
    msr_read(MSR_PERF_GLOBAL_CTRL, &control);
    if (seen.accepted) {
        msr_write(MSR_PERF_GLOBAL_CTRL, GLOBAL_CTRL_COUNTER_0);
        add_bts(cpu, &enable);
        storing = buffers;
        ds_begin(buffers, BTS_ROOM, 0, 1);
        try_with(cpu, &enable, &bts_taker);
        ds_end();
        msr_write(MSR_PERF_GLOBAL_CTRL, control);
    }
    lbr_stack_restore(cpu);
    return seen;
}

static const char *lacks(const struct cpu *cpu)
{
    if (!cpu->model || !cpu->lbr_depth || !platform_freezes(&cpu->id))
        return "no processor of this kind freezes";
    return try_lacks_counter(cpu);
}

static bool is_frozen(const struct frozen *frozen)
{
    return frozen->stack && frozen->stack_by && frozen->counters;
}

/*
 * The interrupt of BTS should do as that of a counter does (SDM vol. 3B, "Freezing LBR and
 * Performance Counters on PMI"); on some processors setting the bits clears TR, and none
 * comes.
 */
static void say_freezes(struct trial *t)
{
    const struct cpu *cpu = t->cpu;
    const struct probed *bts = &t->buffers->found->bts;
    try_says(t, WORKS,
             freeze_is_documented(cpu) ? "the interrupt froze LBR, as GLOBAL_STATUS says"
                                       : "the interrupt cleared LBR and GLOBAL_CTRL");
    if (!bts->was_tried || !facility_acts(bts) || cpu->model->tr_excludes_lbr)
        return;
    struct frozen by_bts = try_bts(cpu, t->buffers);
    if (by_bts.came && !is_frozen(&by_bts)) {
        t->probed->said.outcome = DEVIATES;
        t->probed->said.deviations = DEVIATION(DEVIATES_OTHERWISE);
    }
    try_adds(t, !by_bts.came         ? "; of BTS none came"
                : is_frozen(&by_bts) ? "; that of BTS too"
                                     : "; that of BTS did not");
}

/*
 * On AMD, writing LBR_FRZ to PerfCntrGlobalStatusSet freezes the stack too (Processor
 * Programming References), without an interrupt: what runs then must not be recorded.
 */
static void try_by_hand(struct trial *t)
{
    const struct cpu *cpu = t->cpu;
    struct enable enable = begin(cpu);
    const bool accepted = msr_write(MSR_AMD_GLOBAL_STATUS_SET, GLOBAL_STATUS_LBR_FRZ);
    window_run(&enable, probe_code);
    const bool frozen = freeze_is_on(cpu) && !lbr_stack_read(cpu, t->buffers->records);
    freeze_thaw(cpu);
    lbr_stack_restore(cpu);
    try_adds(t, !accepted ? "; #GP on writing LBR_FRZ"
                : frozen  ? "; writing LBR_FRZ freezes it too"
                          : "; writing LBR_FRZ freezes nothing");
    if (t->probed->said.outcome == WORKS && !frozen) {
        t->probed->said.outcome = DEVIATES;
        t->probed->said.deviations = DEVIATION(FREEZE_BY_HAND);
    }
}

static void try_interrupt(struct trial *t)
{
    struct frozen frozen = try_counter(t->cpu, t->buffers);
    if (!frozen.accepted)
        try_says(t, FAULTS, "#GP on FREEZE_LBRS_ON_PMI and FREEZE_PERFMON_ON_PMI");
    else if (!frozen.came)
        try_says(t, DEAD, "no interrupt of the counter came");
    else if (!frozen.stack && !frozen.stack_by && !frozen.counters)
        try_says(t, DEAD, "accepted, but the interrupt froze nothing");
    else if (!frozen.stack || !frozen.stack_by)
        try_says(t, DEVIATES,
                 frozen.stack ? "LBR is frozen, but nothing says so"
                              : "the interrupt's entry was recorded");
    else if (frozen.counters_documented && !frozen.counters)
        try_says(t, DEVIATES, "the counters go on");
    else
        say_freezes(t);
}

static void attempt(struct trial *t)
{
    try_interrupt(t);
    if (t->cpu->id.amd_freezes)
        try_by_hand(t);
}

const struct probe probe_freeze = { lacks, attempt };
