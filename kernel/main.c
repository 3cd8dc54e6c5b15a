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
#include "plan.h"
#include "probe.h"
#include "serial.h"
#include "session.h"
#include "view.h"
#include "window.h"
#include "workloads.h"

#define CYCLES_A_CHECK 100 /* the firmware is asked for a sign of life that often */

static struct session session;

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
    const struct plan plan = { options->methods, options->workloads, 1 };
    size_t runs = plan_runs(&plan);
    for (size_t m = 0; m < method_count; m++)
        if (!view_method(methods[m]->name))
            panic("a method has no row of its name in method_views, common/view.c");
    const struct loading *loading;
    for (size_t n = 0; (loading = workloads_loading(n)); n++)
        emit_bundle(loading); /* so that the log holds what it is judged by */
    plan_emit_workloads(&plan);
    if (options->bench)
        bench_handlers(&s->cpu, &s->found, &s->buffers);
    if (runs)
        plan_emit(&plan);
    else
        emit_note("no workload, or no method, has a name that the options list");
    picture_plan(runs, plan_workloads(&plan));
    plan_run(s, &plan);
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
