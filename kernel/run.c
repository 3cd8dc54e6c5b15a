/*
 * One run: made, made again if an SMI or NMI hit it, and logged.  self_check.c knows what
 * its records should be.
 */
#include "run.h"

#include "apic.h"
#include "debug_registers.h"
#include "emit.h"
#include "skip_reason.h"
#include "filtered.h"
#include "history.h"
#include "hit.h"
#include "log.h"
#include "machine.h"
#include "barrier.h"
#include "self_check.h"
#include "stubs.h"
#include "display.h"
#include "text.h"
#include "platform.h"
#include "pt_packets.h"
#include "put.h"
#include "visible.h"
#include "window.h"

struct run_result run_make(const struct worker *worker, const struct method *method,
                           const struct workload *workload)
{
    struct run_result run_result = { .window_exit = { .outcome = ENDED } };
    const struct intrusions before = intrusion_count();
    debug_registers_begin();
    struct enable enable = { .msr = 0 };
    if (method->arm)
        enable = method->arm(&worker->cpu, &worker->buffers);
    stubs_set(workload);
    barrier_armed();
    run_result.window_exit = window_run(&enable, workload->code);
    if (workload_takes(workload, STUB_DB))
        debug_registers_take_all(); /* its stubs left DR6 as it is */
    const uint32_t armed = barrier_back();
    stubs_unset(workload);
    /* Without stubs: one of them could take the #GP of an MSR that does not exist. */
    const struct intrusions hit = intrusion_since(&before);
    if (method->drain)
        run_result.trace = method->drain(&worker->cpu, &worker->buffers);
    struct ran_line *ran = &run_result.trace.ran;
    ran->debug_status = debug_registers_noted();
    ran->smis = hit.smis;
    ran->nmis = hit.nmis;
    ran->armed.value = armed;
    if (method->disarm)
        method->disarm(&worker->cpu);
    return run_result;
}

/* Packets were lost, not by a full buffer: OVF, or a boundary or a trace without its end.
 */
static bool lost_packets(const struct trace *trace)
{
    if (!trace->packets || trace->ran.lost)
        return false;
    const struct pt_packet_counts got =
        pt_packets_count(trace->packets, trace->packet_bytes);
    return got.overflows || got.begins > got.ends || got.boundaries > got.boundary_ends;
}

bool run_was_hit(const struct run_result *run_result)
{
    return hit_by_any(run_result->trace.ran.smis, run_result->trace.ran.nmis) ||
           lost_packets(&run_result->trace);
}

/* More stops are too many to make a run twice. */
#define TWICE_MAX 4096

/*
 * How many stops moved on.  Where an interrupt of the APIC strikes a repeated instruction
 * is not the same each time, and so how many rounds of it stop.
 */
static size_t count_moves(const struct worker *worker, const struct run_result *run_result)
{
    const struct branch *records = worker->buffers.records;
    size_t moves = 0;
    for (size_t i = 0; i < run_result->trace.count; i++)
        moves += !i || records[i].to != records[i - 1].to;
    return moves;
}

/* A lost stop in straight code is in no branch, so it shows only in how many there are. */
static bool is_made_twice(const struct worker *worker, const struct method *method,
                          const struct run_result *run_result)
{
    return worker->left.smi_count.is != LOG_THERE && self_check_on_silicon() &&
           method->facts->every_insn && run_result->window_exit.outcome == ENDED &&
           run_result->trace.count < TWICE_MAX;
}

/*
 * A run is made again if its records are not as expected, and the log says for each try
 * where it differed.  A processor that does not count SMIs cannot say that one hit a run,
 * but an SMI arrives at random, and so does a change of the power state, of which errata
 * say that it changes records; a fault differs at the same record each time.  A try that is
 * known to be hit is made again for that.  Samples differ from run to run anyway, and
 * packets are not compared here.
 */
bool run_try_differs(const struct worker *worker, const struct run_request *run,
                     const struct run_result *run_result, uint32_t n,
                     struct run_tries *tries)
{
    tries->smis_are_counted = worker->left.smi_count.is == LOG_THERE;
    tries->tries.count = n + 1;
    tries->tries.differed[n] = 0;
    if (!self_check_on_silicon() || run->method->sampled ||
        run_result->window_exit.outcome != ENDED ||
        (tries->smis_are_counted && run_was_hit(run_result)))
        return false;
    uint64_t at = self_check_difference(run, run_result, worker->buffers.records);
    if (tries->stops) {
        size_t moves = count_moves(worker, run_result);
        if (!at && tries->stops != moves)
            at = run_result->trace.count + 1;
        tries->stops = moves;
    }
    tries->tries.differed[n] = at;
    tries->any = tries->any || at;
    return at;
}

/*
 * An SMI or a stray NMI may add records.  An SMI may also cost a debug trap: if both come
 * at the same boundary only the SMI is taken (SDM vol. 3C, "SMI Interrupt").  Such a run
 * says nothing about the method, so it is made again.
 */
static struct run_result make_unhit(const struct worker *worker,
                                    const struct method *method,
                                    const struct run_request *run, struct run_tries *tries)
{
    struct run_result run_result = run_make(worker, method, run->workload);
    if (is_made_twice(worker, method, &run_result)) {
        tries->stops = count_moves(worker, &run_result);
        run_result = run_make(worker, method, run->workload);
    }
    uint32_t repeated = 0;
    while ((run_try_differs(worker, run, &run_result, repeated, tries) ||
            run_was_hit(&run_result)) &&
           repeated + 1 < RUN_TRIES_MAX && run_result.window_exit.outcome != TIMEOUT) {
        run_result = run_make(worker, method, run->workload);
        repeated++;
    }
    run_result.trace.ran.repeated = repeated;
    return run_result;
}

void run_emit(struct session *s, const struct run_request *run,
              const struct run_result *run_result, const struct run_tries *tries,
              const struct branch *records)
{
    const struct trace *trace = &run_result->trace;
    if (run->method->packets)
        put_packets(trace->packets, trace->packet_bytes, trace->packet_status);
    else
        put_records(run->method, run->number, records, trace->count);
    if (run->info)
        put_infos(run->info, trace->infos, trace->count);
    emit_ran(run, run_result, tries);
    self_check_run(run, run_result, records, tries);
    s->totals.ran++;
    s->totals.records += trace->count;
}

/*
 * Repeats a run for its time alone, as often as is asked for or until one does not end:
 * what disturbs a run makes it longer, so the least is what it takes.
 */
static void repeat(const struct session *s, const struct method *method,
                   const struct run_request *run, const struct window_exit *first)
{
    struct cost_line all = { .n = run->number,
                             .asked = s->handoff->options.cost,
                             .made = 1,
                             .least = first->ticks,
                             .most = first->ticks };
    if (all.asked <= 1 || first->outcome != ENDED)
        return;
    for (; all.made < all.asked; all.made++) {
        struct window_exit window_exit =
            run_make(&s->bsp, method, run->workload).window_exit;
        if (window_exit.outcome != ENDED)
            break;
        if (window_exit.ticks < all.least)
            all.least = window_exit.ticks;
        if (window_exit.ticks > all.most)
            all.most = window_exit.ticks;
    }
    put(WORD_COST, &all);
}

static void run_one(struct session *s, const struct method *method, struct run_request *run)
{
    display_begins(run);
    emit_run(run); /* before it runs: a log that ends here names the run that hung */
    struct run_tries tries = { .any = false };
    struct run_result run_result = make_unhit(&s->bsp, method, run, &tries);
    run_emit(s, run, &run_result, &tries, s->bsp.buffers.records);
    repeat(s, method, run, &run_result.window_exit);
}

static struct skip_reason plain(enum skip_code code)
{
    return (struct skip_reason){ code, NULL };
}

/* The first thing that the method needs and this processor lacks. */
static struct skip_reason lacks_hardware(const struct worker *worker,
                                         const struct method_facts *facts)
{
    const char *lacking = facilities_lack(&worker->found, facts->needs);
    if (lacking)
        return (struct skip_reason){ SKIP_LACKS, lacking };
    if (worker->cpu.lbr_depth < facts->least_depth)
        return plain(SKIP_SMALL_STACK);
    return plain(method_is_interrupted(facts) && !apic_is_on() ? SKIP_NO_APIC
                                                               : SKIP_NOTHING);
}

/* Why this method does not run this workload whatever options ask for. */
static enum skip_code lacks_by_workload(const struct worker *worker,
                                        const struct method_facts *facts,
                                        const struct workload *w)
{
    const struct platform *platform =
        platform_find(worker->cpu.id.hypervisor, &worker->cpu.id, worker->cpu.model,
                      facility_may_act(&worker->found.btf));
    enum skip_code why = skip_reason_for(facts, worker->cpu.model, w, (uint64_t)w->code,
                                         platform ? platform->gets_wrong : 0);
    return why ? why : skip_reason_depth(facts, w, worker->cpu.lbr_depth);
}

/* Why not here: for want of hardware, or because of what the workload does. */
static struct skip_reason lacks(const struct worker *worker, const struct method *method,
                                const struct workload *w, bool is_here)
{
    const struct method_facts *facts = method->facts;
    struct skip_reason why = lacks_hardware(worker, facts);
    if (!why.code)
        why = plain(lacks_by_workload(worker, facts, w));
    if (!why.code && method->interrupt_config) {
        struct interrupt_config how =
            method->interrupt_config(&worker->cpu, &worker->buffers);
        why = how.nmi && !how.lacks.code ? plain(skip_reason_by_nmi(w)) : how.lacks;
    }
    if (!why.code && w->flags & WORKLOAD_APIC && !machine_workload_env()->apic)
        why = plain(SKIP_NO_XAPIC);
    if (!why.code && w->flags & WORKLOAD_X2APIC && apic_mode() != APIC_X2)
        why = plain(SKIP_NO_X2APIC);
    return why.code ? why
                    : plain(filtered_lacks(&worker->cpu, facts, worker->buffers.filter,
                                           is_here));
}

static unsigned bit_of(const struct method *method)
{
    return 1u << (method - methods);
}

static const char *one_run(char out[SUBJECT_SIZE], const struct method *method,
                           const struct workload *w, bool filtered, uint32_t filter)
{
    char words[FILTER_TEXT_SIZE];
    struct text text = text_into(out, SUBJECT_SIZE);
    text_join(&text, "method=", method->facts->name, w ? " workload=" : "",
              w ? w->name : "", filtered ? " filter=" : "",
              filtered ? filter_text(filter, words) : "");
    return out;
}

/* The log of an earlier boot that died by the method, this workload or this filter. */
static const char *died(const struct session *s, const struct method *method,
                        const struct workload *w, uint32_t filter)
{
    char subject[SUBJECT_SIZE];
    const char *log = history_of(&s->history, one_run(subject, method, NULL, false, 0));
    if (!log)
        log = history_of(&s->history, one_run(subject, method, w, false, 0));
    if (!log && s->filtered)
        log = history_of(&s->history, one_run(subject, method, w, true, filter));
    return log;
}

bool run_method_is_new(struct session *s, const struct method *method)
{
    bool first = !(s->tried & bit_of(method));
    s->tried |= bit_of(method);
    return first;
}

void run_save_before(struct session *s, const char *subject)
{
    if (subject) {
        session_try(s, subject);
    } else if (!s->saved_for_all_runs) {
        session_try(s, SUBJECT_RUNS);
        s->saved_for_all_runs = true;
    }
}

/* To save before every run costs seconds: that is done when a boot died among those. */
static void save_before(struct session *s, const struct method *method,
                        const struct workload *w)
{
    char subject[SUBJECT_SIZE];
    if (run_method_is_new(s, method))
        run_save_before(s, one_run(subject, method, NULL, false, 0));
    else if (s->history.careful)
        run_save_before(s, one_run(subject, method, w, s->filtered, s->bsp.buffers.filter));
    else
        run_save_before(s, NULL);
}

struct run_request run_describe(const struct session *s, const struct worker *worker,
                                const struct method *method,
                                const struct workload *workload)
{
    struct run_request run = {
        .method = method->facts,
        .workload = workload,
        .cpu = &worker->cpu,
        .capacity = visible_capacity(
            method->facts, NULL,
            method->facts->ring_lbr ? worker->cpu.lbr_depth : worker->buffers.bts_capacity),
        .filtered = s->filtered,
        .filter = worker->buffers.filter,
    };
    if (method->interrupt_config)
        run.interrupt_config = method->interrupt_config(&worker->cpu, &worker->buffers);
    if (method->packet_buffer)
        run.packet_buffer = method->packet_buffer(&worker->cpu, &worker->buffers);
    if (method->info && worker->cpu.model)
        run.info = method->info(&worker->cpu, &worker->buffers);
    return run;
}

struct skip_reason run_skip_reason(struct session *s, const struct worker *worker,
                                   const struct method *method,
                                   const struct workload *workload)
{
    struct skip_reason why = lacks(worker, method, workload, worker == &s->bsp);
    const char *log = why.code ? NULL : died(s, method, workload, worker->buffers.filter);
    return log ? (struct skip_reason){ SKIP_DIED, log } : why;
}

void run_skip(struct session *s, const struct run_request *run,
              const struct skip_reason *why)
{
    emit_skip(run, why);
    self_check_run(run, NULL, NULL, NULL);
    s->totals.skipped++;
}

void run_or_skip(struct session *s, const struct method *method,
                 const struct workload *workload)
{
    struct run_request run = run_describe(s, &s->bsp, method, workload);
    run.number = ++s->totals.runs;
    struct skip_reason why = run_skip_reason(s, &s->bsp, method, workload);
    if (why.code) {
        run_skip(s, &run, &why);
        return;
    }
    save_before(s, method, workload);
    run_one(s, method, &run);
}
