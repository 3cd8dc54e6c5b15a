/*
 * lbr: the processor's own stack of last-branch records.
 *
 * While recording is on every taken branch, interrupt and exception pushes a pair
 * FROM, TO; when the stack is full the oldest falls out (SDM vol. 3B, "Last Branch,
 * Interrupt, and Exception Recording").  It costs nothing to speak of and shows the
 * last few branches only: as many as the model's stack is deep.
 *
 * From Sandy Bridge on there is an event of each record that is made: a counter counts it
 * while the window is open, and so knows of the records that fell out.
 */
#include "method_facts.h"

METHOD_FACTS(lbr) = {
    .name = "lbr",
    .about = "the last branch records: the newest, as many as the stack is deep",
    .needs = NEEDS(FACILITY_LBR),
    .ring_lbr = true,
    .ends_at_db = true,
    .filtered = FILTERED_BY_LBR,
};

#ifdef KERNEL

#include "counter.h"
#include "method.h"
#include "lbr_stack.h"

static struct log_number inserts; /* not there: the processor has no such event */

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    lbr_stack_prepare(cpu);
    struct enable enable = lbr_stack_enable(cpu);
    lbr_stack_filter(cpu, buffers->filter, &enable);
    const struct pmu_inserts *event = pmu_inserts(&cpu->id);
    inserts = (struct log_number){ 0 };
    if (event)
        inserts = log_number_or_absent(
            counter_watch(cpu, event->event, event->umask, &enable), 0);
    return enable;
}

static uint32_t words(const struct cpu *cpu, const struct buffers *buffers)
{
    if (!buffers->info || cpu->lbr_depth > INFO_RECORDS_MAX)
        return 0;
    return info_words_of(cpu->model, &cpu->id);
}

static struct trace drain(const struct cpu *cpu, const struct buffers *buffers)
{
    bool calls = buffers->filter & LEAVES_OUT(FILTER_CALLSTACK);
    struct trace trace = { .count = calls ? lbr_stack_read_calls(cpu, buffers->records)
                                          : lbr_stack_read(cpu, buffers->records),
                           .ran = { .wrong_path = lbr_stack_wrong_path(cpu),
                                    .inserts = inserts } };
    if (inserts.is == LOG_THERE)
        trace.ran.inserts.value = counter_rest();
    if (!words(cpu, buffers))
        return trace;
    lbr_stack_read_infos(cpu, calls ? trace.count : cpu->lbr_depth, buffers->infos);
    trace.infos = buffers->infos;
    return trace;
}

static void disarm(const struct cpu *cpu)
{
    if (inserts.is == LOG_THERE)
        counter_end();
    lbr_stack_restore(cpu);
}

METHOD(lbr) = {
    .facts = &facts_lbr,
    .arm = arm,
    .drain = drain,
    .disarm = disarm,
    .info = words,
};

#endif
