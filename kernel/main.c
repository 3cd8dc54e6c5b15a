/*
 * everybranch, from taking the machine to giving it back.
 *
 * Every workload is run under every method; what the method recorded goes into the
 * log.  Nothing here knows how a method works or what a workload must leave.
 */
#include <stdbool.h>
#include <stddef.h>

#include "apic.h"
#include "bench.h"
#include "cpu.h"
#include "emit.h"
#include "handoff.h"
#include "idt.h"
#include "machine.h"
#include "method.h"
#include "msr.h"
#include "opinion.h"
#include "panic.h"
#include "probe.h"
#include "serial.h"
#include "view.h"
#include "window.h"
#include "workload.h"

#define STACK_SIZE  (64 * 1024ull)
#define LOG_LEAST   (4 * 1024 * 1024ull)
#define LOG_SHARE   4 /* of the memory given: thousands of runs make a long log */
#define SCREEN_SIZE (16 * 1024ull)
#define PACKED_SIZE (1024 * 1024ull) /* of one run */
#define TABLES_SIZE (256 * 1024ull)  /* for page tables and exception stacks */
#define BTS_RECORDS (64 * 1024ull)

/* What kernel_run shares with the part of it that runs on the own stack. */
struct session {
    const struct handoff *handoff;
    struct memory memory;
    struct buffers buffers;
    struct cpu cpu;
    struct facilities found;
    struct totals totals;
    struct packing packing; /* its state serves the opinion too, one after the other */
    char *log, *screen;
    uint64_t log_size;
};

/* Whether a list of names from the options, "a,b", has this one; empty: all. */
static bool listed(const char *list, const char *name)
{
    if (!*list)
        return true;
    while (*list) {
        const char *n = name;
        while (*n && *list == *n)
            list++, n++;
        if (!*n && (!*list || *list == ','))
            return true;
        while (*list && *list++ != ',') {
        }
    }
    return false;
}

static void take_buffers(struct session *s)
{
    s->log_size = memory_left(&s->memory) / LOG_SHARE;
    if (s->log_size < LOG_LEAST)
        s->log_size = LOG_LEAST;
    s->log = memory_take(&s->memory, s->log_size);
    s->screen = memory_take(&s->memory, SCREEN_SIZE);
    s->packing.state = memory_take(&s->memory, sizeof *s->packing.state);
    s->packing.bytes = memory_take(&s->memory, PACKED_SIZE);
    s->packing.room = PACKED_SIZE;
    s->buffers.ds_area = memory_take(&s->memory, PAGE_SIZE);
    s->buffers.bts_room = BTS_RECORDS;
    s->buffers.bts = memory_take(&s->memory, (BTS_RECORDS + 1) * sizeof(struct branch));
    uint64_t rest = memory_left(&s->memory) - TABLES_SIZE;
    s->buffers.record_room = (size_t)(rest / sizeof(struct branch));
    if (s->buffers.bts_room > s->buffers.record_room)
        s->buffers.bts_room = s->buffers.record_room; /* drain() must find room for them */
    s->buffers.records =
        memory_take(&s->memory, s->buffers.record_room * sizeof(struct branch));
}

static void set_stub(const struct workload *w, const struct stub *stub)
{
    const uint8_t *code = w->code + stub->offset;
    if (stub->vector == STUB_SYSCALL)
        machine_syscall_stub(code);
    else
        idt_stub(stub->vector, code);
}

static void unset_stub(const struct stub *stub)
{
    if (stub->vector == STUB_SYSCALL)
        machine_syscall_unstub();
    else
        idt_unstub(stub->vector);
}

static void set_stubs(const struct workload *w)
{
    for (uint32_t i = 0; i < w->stub_count; i++)
        set_stub(w, &w->stubs[i]);
}

static void unset_stubs(const struct workload *w)
{
    for (uint32_t i = w->stub_count; i-- > 0;)
        unset_stub(&w->stubs[i]);
}

static void run_one(struct session *s, const struct method *method, struct run *run)
{
    emit_run(run); /* before it runs: a log that ends here names the run that hung */
    struct enable enable = method->arm(&s->cpu, &s->buffers);
    set_stubs(run->workload);
    struct ending ending = window_run(&enable, run->workload->code);
    unset_stubs(run->workload);
    struct trace trace = method->drain(&s->cpu, &s->buffers);
    method->disarm(&s->cpu);

    emit_records(run, s->buffers.records, trace.count);
    emit_ran(run, &ending,
             &(struct cost){ trace.count, trace.events, trace.lost, ending.ticks });
    opinion_run(run, &ending, s->buffers.records, trace.count);
    s->totals.ran++;
    s->totals.records += trace.count;
}

/* Why not here: for want of hardware, or because of what the workload does. */
static const char *lacks(const struct session *s, const struct method *method,
                         const struct workload *w)
{
    const char *hardware = method->lacks(&s->cpu, &s->found);
    bool stock_qemu =
        model_stock_qemu(s->cpu.model, cpu_is_tcg(&s->cpu), facility_acts(&s->found.btf));
    return hardware
               ? hardware
               : view_excuse(view_method(method->name), w, (uint64_t)w->code, stock_qemu);
}

static void run_or_skip(struct session *s, const struct method *method,
                        const struct workload *workload)
{
    struct run run = {
        .number = ++s->totals.runs,
        .method = method->name,
        .workload = workload,
        .room = method->room(&s->cpu, &s->buffers),
        .stops = view_method(method->name)->stops,
    };
    const char *why = lacks(s, method, workload);
    if (!why) {
        run_one(s, method, &run);
        return;
    }
    emit_skip(&run, why);
    opinion_run(&run, NULL, NULL, 0);
    s->totals.skipped++;
}

#define FOR_WORKLOADS(w, options)                                                 \
    for (const struct workload *w = __start_workloads; w < __stop_workloads; w++) \
        if (listed((options)->workloads, w->name))
#define FOR_METHODS(m, options)               \
    for (size_t m = 0; m < method_count; m++) \
        if (listed((options)->methods, methods[m]->name))

static size_t planned(const struct options *options)
{
    size_t runs = 0;
    FOR_WORKLOADS (w, options)
        FOR_METHODS (m, options)
            runs++;
    return runs;
}

static void emit_plan(const struct options *options, size_t runs)
{
    size_t index = 0;
    FOR_METHODS (m, options)
        emit_plan_method(methods[m]->name);
    FOR_WORKLOADS (w, options)
        emit_plan_workload(w->name, index++, runs);
    emit_plan_end();
}

static void trace_everything(struct session *s)
{
    const struct options *options = &s->handoff->options;
    size_t runs = planned(options);
    for (size_t m = 0; m < method_count; m++)
        if (!view_method(methods[m]->name))
            panic("a method has no row of its name in method_views, common/view.c");
    emit_facilities(&s->found);
    FOR_WORKLOADS (w, options)
        emit_workload(w);
    if (options->bench)
        bench_handlers(&s->cpu, &s->found, &s->buffers);
    if (runs)
        emit_plan(options, runs);
    else
        emit_note("no workload, or no method, has a name that the options list");
    FOR_WORKLOADS (w, options)
        FOR_METHODS (m, options)
            run_or_skip(s, methods[m], w);
    emit_end(&s->totals);
    opinion_end(&s->totals);
}

/*
 * Where recording is turned on elsewhere than in DEBUGCTL, the firmware may have left
 * it on; each #DB would turn it off for good, so it is put back at the very end.
 */
static uint64_t swap_lbr_ctl(const struct cpu *cpu, uint64_t value)
{
    uint64_t before = 0;
    if (cpu->model && cpu->model->lbr.ctl) {
        msr_read(cpu->model->lbr.ctl, &before);
        msr_write(cpu->model->lbr.ctl, value);
    }
    return before;
}

/* On the own stack, from here to giving the machine back. */
static void own(void *argument)
{
    struct session *s = argument;

    emit_init(s->log, s->log_size, &s->packing);
    serial_init(s->handoff->options.serial_port); /* from here on a panic is heard */
    machine_take(&s->memory);
    apic_calibrate(s->handoff->tsc_hz);
    window_init(s->handoff->options.timeout);
    s->cpu = cpu_identify();
    emit_opening(s->handoff, &s->cpu); /* before anything risky: it names the machine */

    uint64_t lbr_ctl = swap_lbr_ctl(&s->cpu, 0);
    s->found = probe_all(&s->cpu, &s->buffers);
    opinion_init(s->screen, SCREEN_SIZE, s->packing.state, &s->cpu, &s->found);
    trace_everything(s);
    swap_lbr_ctl(&s->cpu, lbr_ctl);

    machine_give_back();
    serial_restore();
}

const char *kernel_lacks(void)
{
    return machine_lacks();
}

struct aftermath kernel_run(const struct handoff *handoff)
{
    static struct session s;
    struct aftermath after;
    s.handoff = handoff;
    s.memory = (struct memory){ handoff->memory, handoff->memory_size, 0 };
    uint64_t stack = (uint64_t)memory_take(&s.memory, STACK_SIZE) + STACK_SIZE;
    take_buffers(&s);
    machine_on_stack(stack, own, &s);

    after.log = s.log;
    after.log_size = emit_size(&after.complete);
    after.screen = s.screen;
    return after;
}
