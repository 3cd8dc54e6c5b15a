/* worker.h */
#include "worker.h"

#include "intrusion.h"
#include "lbr_stack.h"
#include "machine.h"
#include "msr.h"
#include "pmc.h"
#include "registers.h"
#include "window.h"

/* BTS's gets half at most: drain() must find room for all that it holds. */
static void take_bts(struct buffers *buffers, struct memory *memory)
{
    uint64_t most = (memory_left(memory) - PAGE_SIZE) / 2 / sizeof(struct branch);
    uint64_t wanted = buffers->buffer ? buffers->buffer : BTS_RECORDS;
    buffers->bts_capacity = (size_t)(wanted < most - 1 ? wanted : most - 1);
    buffers->bts_size = (buffers->bts_capacity + 1) * sizeof(struct branch);
    if (buffers->bts_size < 2 * PAGE_SIZE)
        buffers->bts_size = 2 * PAGE_SIZE;
    buffers->bts = memory_take(memory, buffers->bts_size);
}

void worker_take_buffers(struct worker *w, struct memory *memory,
                         const struct options *options)
{
    struct buffers *buffers = &w->buffers;
    *buffers = (struct buffers){ .buffer = options->buffer,
                                 .threshold = options->threshold,
                                 .delivery = options->delivery,
                                 .event = options->event,
                                 .period = options->period,
                                 .info = options->info,
                                 .found = &w->found };
    buffers->ds_area = memory_take(memory, PAGE_SIZE);
    buffers->infos = memory_take(memory, INFO_RECORDS_MAX * sizeof(struct info));
    take_bts(buffers, memory);
    uint64_t rest = memory_left(memory);
    buffers->record_capacity = (size_t)(rest / sizeof(struct branch));
    buffers->records = memory_take_unzeroed(memory, rest);
}

/*
 * Where recording is turned on elsewhere than in DEBUGCTL, the firmware may have left
 * it on; each #DB would turn it off for good, so it is put back at the very end.
 */
static uint64_t stop_lbr(const struct cpu *cpu)
{
    uint64_t before = 0;
    if (cpu->model && cpu->model->lbr.ctl) {
        msr_read(cpu->model->lbr.ctl, &before);
        msr_write(cpu->model->lbr.ctl, lbr_stack_ctl_off(cpu));
    }
    return before;
}

/*
 * Processor Trace would go on into the firmware's buffer, and on some processors nothing
 * else records while it is on (SDM vol. 3C, "Intel Processor Trace").
 */
static uint64_t stop_pt(const struct cpu *cpu)
{
    uint64_t before = 0;
    if (!cpu->id.pt || !msr_read(MSR_RTIT_CTL, &before) || !(before & RTIT_TRACE_EN))
        return 0;
    msr_write(MSR_RTIT_CTL, before & ~RTIT_TRACE_EN);
    return before;
}

void worker_stop_recorders(struct worker *w)
{
    w->lbr_ctl = stop_lbr(&w->cpu);
    w->rtit_ctl = stop_pt(&w->cpu);
}

void worker_restore_recorders(const struct worker *w)
{
    if (w->cpu.model && w->cpu.model->lbr.ctl)
        msr_write(w->cpu.model->lbr.ctl, w->lbr_ctl);
    if (w->rtit_ctl)
        msr_write(MSR_RTIT_CTL, w->rtit_ctl);
}

/* Tries the bit: in the window a fault would not be survived. */
static bool freezes_in_smm(const struct cpu *cpu)
{
    if (!(cpu->perf_capabilities & PERF_CAPABILITIES_FREEZE_SMM))
        return false;
    bool held = msr_set(MSR_DEBUGCTL, DEBUGCTL_FREEZE_WHILE_SMM);
    msr_write(MSR_DEBUGCTL, 0);
    return held;
}

/* What the firmware left on. */
static struct left_line left_on(const struct worker *w)
{
    const uint64_t counters = pmc_on(&w->cpu);
    uint64_t debugctl = 0;
    uint32_t smis = 0;
    const bool has_debugctl = machine_debugctl(&debugctl),
               counts_smis = intrusion_smi_count(&smis);
    struct left_line left = { .debugctl = log_number_or_absent(has_debugctl, debugctl),
                              .smi_count = log_number_or_absent(counts_smis, smis) };
    if (w->cpu.model && w->cpu.model->lbr.ctl)
        left.lbr_ctl = log_number(w->lbr_ctl);
    if (counters)
        left.counters = log_number(counters);
    return left;
}

void worker_identify(struct worker *w)
{
    w->cpu = cpu_identify();
    worker_stop_recorders(w);
    w->left = left_on(w);
    w->cpu.counter = pmc_free(&w->cpu, w->left.counters.value);
    window_freezes_in_smm(freezes_in_smm(&w->cpu));
}
