/*
 * everybranch: the table of contents.
 *
 * Every workload is run under every method; what the method recorded goes into the
 * log.  The machine is borrowed for one piece of work at a time, so one
 * boot may answer a single command of the monitor, or make all runs.
 */
#include <stdbool.h>
#include <stddef.h>

#include "apic.h"
#include "command.h"
#include "cpu.h"
#include "emit.h"
#include "handoff.h"
#include "history.h"
#include "idt.h"
#include "machine.h"
#include "method.h"
#include "notes.h"
#include "self_check.h"
#include "panic.h"
#include "display.h"
#include "plan.h"
#include "probe.h"
#include "serial.h"
#include "schedule.h"
#include "session.h"
#include "sink.h"
#include "text.h"
#include "smp.h"
#include "visible.h"
#include "window.h"

#define CYCLES_A_CHECK 100 /* the firmware is asked for a sign of life that often */

static struct session session;

static void identify(struct session *s)
{
    apic_calibrate(s->handoff->tsc_hz);
    window_init(s->handoff->options.timeout);
    worker_identify(&s->bsp);
    emit_opening(s->handoff,
                 &s->bsp.cpu); /* before anything risky: it names the processor */
    put(WORD_LEFT, &s->bsp.left);
    emit_serial(serial_state());
    display_machine(&s->bsp.cpu, s->handoff);
    notes_of_counters(s);
    notes_of_options(s);
}

/* Each log repeats what earlier boots died of, until the option `retry`. */
static void remember(struct session *s)
{
    const struct history *h = &s->history;
    if (s->remembered)
        return;
    s->remembered = true;
    for (size_t i = 0; i < h->count; i++)
        emit_avoid(h->avoided[i].subject, h->avoided[i].log);
    if (h->careful)
        emit_note("an earlier boot died among its runs: the log is saved before each");
}

static void probe(struct session *s)
{
    for (enum facility f = FACILITY_STEP; f < FACILITY_COUNT; f++) {
        char subject[SUBJECT_SIZE];
        struct text out = text_into(subject, sizeof subject);
        text_join(&out, "facility=", facility_names[f]);
        const char *died = session_try(s, subject);
        if (died)
            probe_avoid(&s->bsp.found, f, died);
        else
            probe_one(&s->bsp.found, f, &s->bsp.cpu, &s->bsp.buffers);
        if (!died)
            smp_probe(f);
        emit_facility(&s->bsp.found.all[f]);
    }
    self_check_init(s->screen, SCREEN_SIZE, s->packing.state, &s->bsp.cpu, &s->bsp.found);
    display_facilities(&s->bsp.found, self_check_expected(), self_check_wrong_facilities(),
                       method_count());
}

static void trace(struct session *s)
{
    const struct options *options = &s->handoff->options;
    const struct plan_request plan = { options->methods, options->workloads, 1,
                                       options->filters };
    const size_t runs = plan_runs(&plan);
    if (method_count() > METHODS_MAX)
        panic("more methods than METHODS_MAX");
    session_try(s, SUBJECT_RUNS); /* what follows takes long on a slow serial line */
    s->saved_for_all_runs = true;
    plan_emit_workloads(s, &plan);
    if (runs)
        plan_emit(&plan, smp_count());
    else
        emit_note(NO_RUNS);
    display_plan(runs * smp_count(), plan_methods(&plan));
    schedule_run(s, &plan);
    session_try(s, SUBJECT_END);
}

/* Borrows the machine again and again, as a monitor does with every command. */
static void cycle(struct session *s)
{
    struct cycles_line cycles = { 0 };
    while (cycles.done < s->handoff->options.cycles) {
        session_cycle(s);
        cycles.done++;
        if (cycles.done % CYCLES_A_CHECK && cycles.done < s->handoff->options.cycles)
            continue;
        put(WORD_CYCLES, &cycles); /* so that there is something to write */
        cycles.checked++;
        cycles.alive += session_checkpoint(s);
    }
    if (cycles.done)
        put(WORD_CYCLES, &cycles);
}

static void everything(struct session *s)
{
    remember(s);
    smp_gather();
    if (s->history.careful && smp_count() > 1) {
        emit_note("the first processor makes all runs alone, one after the other");
        s->lost_processor = !smp_leave();
    }
    probe(s);
    smp_emit(s->history.careful);
    trace(s);
    cycle(s);
    s->lost_processor |= !smp_leave();
}

/* A log without its end has no checksum that could be looked up. */
static void show_checksum(const struct session *s)
{
    if (sink_is_complete())
        display_checksum(s->log, sink_size());
}

static void finish(struct session *s)
{
    if (s->handoff->processors.not_back)
        emit_note("the firmware did not get all its processors back: the machine is reset");
    s->totals.nmis = idt_stray_nmis() + smp_nmis();
    put(WORD_END, &s->totals);
    sink_release();
    self_check_end(&s->totals, s->history.count > 0);
    show_checksum(s);
}

const char *kernel_lacks(void)
{
    return machine_lacks();
}

const char *kernel_refuses(const struct handoff *handoff)
{
    const bool may_be_bundled = handoff->bundle_count > 0;
    return may_be_bundled || handoff->by_command ? NULL : notes_refusal(&handoff->options);
}

static void say_panic(const char *why, const struct frame *frame)
{
    emit_panic(why, frame);
    display_panic(why);
}

void kernel_begin(const struct handoff *handoff)
{
    sink_open();
    panic_says(say_panic);
    session_begin(&session, handoff);
    smp_prepare(&session.memory, handoff, &session.bsp);
    session_share(&session);
    serial_init();
    emit_machine(handoff);
    serial_restore();
}

bool kernel_recall_taking(const char *name, const char *log, size_t size)
{
    return history_read_taking(&session.history, name, log, size, session.log, sink_size());
}

const char *kernel_died_taking(void)
{
    return history_refuses(&session.history);
}

void kernel_open(void)
{
    session_try_taking(&session);
    session_borrow(&session, identify);
}

bool kernel_recall(const char *name, const char *log, size_t size)
{
    return history_read(&session.history, name, log, size, session.log, sink_size());
}

const char *kernel_past(size_t n)
{
    return history_sentence(&session.history, n);
}

struct start kernel_start_aps(void)
{
    return smp_start();
}

void kernel_run(void)
{
    session_borrow(&session, everything);
}

const char *kernel_greeting(void)
{
    return command_greeting(&session);
}

struct answer kernel_command(const char *line)
{
    remember(&session);
    return command_do(&session, line, probe);
}

struct aftermath kernel_close(void)
{
    struct aftermath after = { .log = session.log, .screen = session.screen };
    remember(&session); /* nothing may have been asked for */
    session_borrow(&session, finish);
    after.log_size = sink_size();
    after.complete = sink_is_complete();
    after.lost = session.lost_processor || session.handoff->processors.not_back;
    return after;
}

void kernel_show(const char *line, enum tone tone)
{
    display_line(line, tone);
}
