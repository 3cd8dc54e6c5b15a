/*
 * everybranch: the table of contents.
 *
 * Every workload is run under every method; what the method recorded goes into the
 * log.  The machine is borrowed for one piece of work at a time, so what is done
 * between kernel_open and kernel_close may be anything from one question to all runs.
 */
#include <stdbool.h>
#include <stddef.h>

#include "apic.h"
#include "bench.h"
#include "cpu.h"
#include "emit.h"
#include "handoff.h"
#include "machine.h"
#include "method.h"
#include "opinion.h"
#include "panic.h"
#include "picture.h"
#include "probe.h"
#include "run.h"
#include "serial.h"
#include "session.h"
#include "view.h"
#include "window.h"
#include "workloads.h"

#define CYCLES_A_CHECK 100 /* the firmware is asked for a sign of life that often */

static struct session session;

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

#define FOR_WORKLOADS(w, options)                                                   \
    for (const struct workload *w = workloads_next(NULL); w; w = workloads_next(w)) \
        if (listed((options)->workloads, w->name))
#define FOR_METHODS(m, options)               \
    for (size_t m = 0; m < method_count; m++) \
        if (listed((options)->methods, methods[m]->name))

static size_t workloads_planned(const struct options *options)
{
    size_t count = 0;
    FOR_WORKLOADS (w, options)
        count++;
    return count;
}

static size_t methods_planned(const struct options *options)
{
    size_t count = 0;
    FOR_METHODS (m, options)
        count++;
    return count;
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

static void identify(struct session *s)
{
    apic_calibrate(s->handoff->tsc_hz);
    window_init(s->handoff->options.timeout);
    s->cpu = cpu_identify();
    emit_opening(s->handoff, &s->cpu); /* before anything risky: it names the machine */
    emit_serial(serial_state());
    picture_machine(&s->cpu);
}

static void probe(struct session *s)
{
    s->found = probe_all(&s->cpu, &s->buffers);
    opinion_init(s->screen, s->screen_size, s->packing.state, &s->cpu, &s->found);
    emit_facilities(&s->found);
    picture_facilities(&s->found);
}

static void trace(struct session *s)
{
    const struct options *options = &s->handoff->options;
    size_t workloads = workloads_planned(options);
    size_t runs = workloads * methods_planned(options);
    for (size_t m = 0; m < method_count; m++)
        if (!view_method(methods[m]->name))
            panic("a method has no row of its name in method_views, common/view.c");
    const struct loading *loading;
    for (size_t n = 0; (loading = workloads_loading(n)); n++)
        emit_bundle(loading); /* so that the log holds what it is judged by */
    FOR_WORKLOADS (w, options)
        emit_workload(w);
    if (options->bench)
        bench_handlers(&s->cpu, &s->found, &s->buffers);
    if (runs)
        emit_plan(options, runs);
    else
        emit_note("no workload, or no method, has a name that the options list");
    picture_plan(runs, workloads);
    FOR_WORKLOADS (w, options)
        FOR_METHODS (m, options)
            run_or_skip(s, methods[m], w);
}

/* Borrows the machine again and again, as a monitor does with every command. */
static void cycle(struct session *s)
{
    struct cycles cycles = { 0 };
    while (cycles.done < s->handoff->options.cycles) {
        session_cycle(s);
        cycles.done++;
        if (cycles.done % CYCLES_A_CHECK && cycles.done < s->handoff->options.cycles)
            continue;
        cycles.checked++;
        cycles.alive += session_checkpoint(s);
    }
    if (cycles.done)
        emit_cycles(&cycles);
}

static void everything(struct session *s)
{
    probe(s);
    trace(s);
    cycle(s);
}

static void finish(struct session *s)
{
    emit_end(&s->totals);
    opinion_end(&s->totals);
}

const char *kernel_lacks(void)
{
    return machine_lacks();
}

void kernel_open(const struct handoff *handoff)
{
    session_begin(&session, handoff);
    session_borrow(&session, identify);
}

void kernel_run(void)
{
    session_borrow(&session, everything);
}

struct aftermath kernel_close(void)
{
    struct aftermath after = { .log = session.log, .screen = session.screen };
    session_borrow(&session, finish);
    after.log_size = emit_size(&after.complete);
    return after;
}

void kernel_show(const char *line)
{
    picture_line(line);
}
