/* here.h.  The log is that of the kernel, with common/log/put.h, and one line more:
 * `linux`. */
#include "here.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "attempt.h"
#include "call.h"
#include "check.h"
#include "deviation.h"
#include "expected.h"
#include "heap.h"
#include "info.h"
#include "msr_lbr.h"
#include "own_machine.h"
#include "put.h"
#include "skip_code.h"
#include "skip_reason.h"
#include "tracer.h"
#include "visible.h"

/* The log so far. */
static struct {
    char *bytes;
    size_t length, capacity;
} written;

static void take_byte(char byte)
{
    written.bytes = grow(written.bytes, &written.capacity, written.length, 1);
    written.bytes[written.length++] = byte;
}

static void take(const struct text *line, size_t body)
{
    (void)body;
    for (size_t i = 0; i < line->length; i++)
        take_byte(line->at[i]);
    take_byte('\n');
}

/*
 * True if a process can run the workload unchanged: it needs no ring 0 and no handler, does
 * not change TF, which belongs to Linux here, and fits the buffers.
 */
static bool runs_here(const struct workload *w)
{
    struct expected expected;
    struct transfer transfer;
    uint64_t count = 0;

    if (w->flags & WORKLOAD_RING0 || w->packed)
        return false;
    expected_of(&expected, w, 0, 0, 0, NULL);
    while (expected.source.next(&expected.source, &transfer))
        if (kind_is_mark(transfer.kind) || ++count > INTEL_BTS_RECORDS)
            return false;
    return true;
}

static void put_machine(const struct own_machine *own, const char *build)
{
    put(WORD_EVERYBRANCH, &(struct everybranch_line){ LOG_VERSION, span_of(build) });
    put(WORD_LINUX, &(struct linux_line){ .release = span_of(own->release),
                                          .fred = own->fred ? span_of(own->fred)
                                                            : (struct span){ 0 } });
    if (!own->has_dmi)
        return;
    put(WORD_BIOS, &(struct bios_line){ .vendor = span_of(own->bios_vendor),
                                        .version = span_of(own->bios_version),
                                        .date = span_of(own->bios_date),
                                        .secure_boot = span_of("unknown") });
    put(WORD_SYSTEM, &(struct system_line){ .vendor = span_of(own->system_vendor),
                                            .product = span_of(own->system_product),
                                            .board_vendor = span_of(own->board_vendor),
                                            .board_product = span_of(own->board_product) });
}

static void put_cpu(const struct own_machine *own)
{
    put(WORD_CPU,
        &(struct cpu_line){ .microcode = own->microcode,
                            .brand = span_of(own->brand + strspn(own->brand, " ")) });
    put(WORD_FEATURES,
        &(struct features_line){
            .perf_capabilities =
                log_number_or_absent(own->has_perf_capabilities, own->perf_capabilities),
            .misc_enable = log_number_or_absent(own->has_misc_enable, own->misc_enable) });
    for (size_t i = 0; i < own->leaf_count; i++)
        put(WORD_CPUID, &own->leaves[i]);
    put(WORD_MODEL,
        &(struct model_line){ .name = span_of(own->model ? own->model->name : "unknown") });
}

/* The program in memory, as the linker marks it. */
extern const uint8_t image_begin[] __asm__("__executable_start");
extern const uint8_t image_end[] __asm__("_end");

static void put_places(void)
{
    put_map.image_at = (uintptr_t)image_begin;
    put_map.image_size = (uintptr_t)image_end - (uintptr_t)image_begin;
    put_map.call = (uintptr_t)call_call;
    put_map.back = (uintptr_t)call_back;
    put(WORD_IMAGE,
        &(struct image_line){ .base = put_map.image_at, .size = put_map.image_size });
    put(WORD_CALLER, &(struct caller_line){ .call = put_map.call, .back = put_map.back });
}

static void put_facility(const struct tracer *tracer, const struct tried *tried)
{
    put(WORD_FACILITY, &(struct facility_line){ .name = tracer->facility,
                                                .outcome = tried->result,
                                                .evidence = span_of(tried->evidence),
                                                .deviations = tried->deviations });
}

static void put_plan(const struct tracer *const *used, size_t used_count)
{
    size_t count = 0, index = 0;

    for (const struct workload *w = __start_workloads; w < __stop_workloads; w++)
        if (runs_here(w)) {
            put_workload(w);
            count++;
        }
    for (size_t i = 0; i < used_count; i++)
        put_plan_method(used[i]->method);
    for (const struct workload *w = __start_workloads; w < __stop_workloads; w++)
        if (runs_here(w))
            put_plan_workload(w->name, index++, count * used_count);
    put_plan_end();
}

static void put_skip(const struct method_facts *method, const struct workload *workload,
                     size_t number, const struct skip_reason *reason)
{
    char words[LOG_LINE_MAX];
    struct text why = text_into(words, sizeof(words));

    skip_put(&why, reason);
    put(WORD_SKIP, &(struct skip_line){ .n = number,
                                        .method = span_of(method->name),
                                        .workload = span_of(workload->name),
                                        .why = span_of(words) });
}

static void put_run(const struct method_facts *method, const struct workload *workload,
                    size_t number, uint32_t info_words)
{
    char words[LOG_LINE_MAX];
    struct text info = text_into(words, sizeof(words));
    struct run_line line = { .n = number,
                             .method = span_of(method->name),
                             .workload = span_of(workload->name) };

    put_map.workload = workload;
    put_map.workload_at = (uintptr_t)workload->code;
    if (method->ring_buffer)
        line.buffer = log_number(INTEL_BTS_RECORDS);
    if (info_words) {
        info_put_words(&info, info_words);
        line.info = span_of(words);
    }
    put(WORD_RUN, &line);
}

static void put_ran(const struct method_facts *method, size_t number,
                    const struct attempt *attempt)
{
    struct ran_line line = attempt->ran;
    char words[LOG_LINE_MAX];
    struct text place = text_into(words, sizeof(words));

    line.n = number;
    line.outcome = attempt->outcome;
    line.records = attempt->count;
    line.events = method->event_each ? attempt->count : 0;
    line.ticks = attempt->ticks;
    if (attempt->outcome == CRASHED) {
        line.vector = log_number(attempt->vector);
        log_put_end(&place, &put_map, attempt->at, LOG_TO);
        line.at = span_of(words);
    }
    put(WORD_RAN, &line);
}

/* Where the branches of the stops differ from the expected trace, from 1; 0: nowhere. */
static uint64_t difference(const struct own_machine *own, const struct method_facts *method,
                           const struct workload *workload, const struct attempt *attempt)
{
    const uint64_t at = (uintptr_t)workload->code, call = (uintptr_t)call_call;
    struct expected expected;
    struct visible want;
    struct recorded got;
    struct difference d;

    expected_of(&expected, workload, at, call, (uintptr_t)call_back, NULL);
    visible_through(&want, &expected.source, method, 0,
                    record_filter_for(method, own->model, 0, workload, at));
    recorded_of(&got, attempt->records, attempt->count, method, workload, at, call);
    if (own->model)
        recorded_on(&got, own->model, &own->id);
    d = check(&got.source, &want.source);
    return d.class == SAME ? 0 : d.index + 1;
}

/*
 * An SMI can cost a debug trap, and no process can count SMIs: as in the kernel, stops that
 * differ are taken again, and the log says where they did.  Between branches the number of
 * stops shows it, so a run by single steps is made twice.  Returns how often Linux
 * interrupted an attempt.
 */
static size_t attempt_run(const struct own_machine *own, const struct tracer *tracer,
                          const struct workload *workload, struct attempt *attempt)
{
    const struct method_facts *method = method_named(tracer->method);
    const struct traced_code code = { workload->code, workload->size };
    size_t interrupted = tracer_attempt(tracer, attempt, &code), stops = attempt->count;
    struct tries tries = { .count = 0 };
    uint64_t at = 0;

    if (method->every_insn)
        interrupted += tracer_attempt(tracer, attempt, &code);
    while (method->stops && attempt->outcome == ENDED) {
        at = difference(own, method, workload, attempt);
        if (!at && method->every_insn && attempt->count != stops)
            at = attempt->count + 1;
        stops = attempt->count;
        tries.differed[tries.count++] = at;
        if (!at || tries.count == RUN_TRIES_MAX)
            break;
        interrupted += tracer_attempt(tracer, attempt, &code);
    }
    if (at || tries.count > 1) {
        attempt->ran.tries = tries;
        attempt->ran.repeated = tries.count - 1;
    }
    return interrupted;
}

static void make_run(const struct own_machine *own, const struct tracer *tracer,
                     const struct tried *tried, const struct workload *workload,
                     struct attempt *attempt, struct end_line *end, size_t *interrupted)
{
    const struct method_facts *method = method_named(tracer->method);
    struct skip_reason reason = { .code = SKIP_NOTHING };

    end->runs++;
    if (tried->result != WORKS && tried->result != DEVIATES)
        reason = (struct skip_reason){ SKIP_LACKS, facility_names[tracer->facility] };
    else
        reason.code =
            skip_reason_for(method, own->model, workload, (uintptr_t)workload->code, 0);
    if (reason.code) {
        put_skip(method, workload, end->runs, &reason);
        end->skipped++;
        return;
    }
    *interrupted += attempt_run(own, tracer, workload, attempt);
    put_run(method, workload, end->runs, attempt->info_words);
    put_records(method, end->runs, attempt->records, attempt->count);
    put_infos(attempt->info_words, attempt->infos,
              attempt->info_words ? attempt->count : 0);
    if (method->ring_lbr && !tracer->by_msr)
        branch_stack_fill(attempt, own->model, own->lbr_depth);
    put_ran(method, end->runs, attempt);
    end->ran++;
    end->records += attempt->count;
}

static void put_interrupted(size_t runs)
{
    char *text;

    if (!runs)
        return;
    text = format_text("Linux interrupted %zu runs, which were repeated", runs);
    put(WORD_NOTE, &(struct text_line){ span_of(text) });
    free(text);
}

static void init_packing(void)
{
    const size_t capacity = 1 << 20;
    static struct packing packing;

    if (!packing.state)
        packing = (struct packing){ .state = zeroed(1, sizeof(struct pack)),
                                    .bytes = zeroed(capacity, 1),
                                    .kept = zeroed(capacity, 1),
                                    .capacity = capacity,
                                    .kept_capacity = capacity };
    put_records_init(&packing);
}

static void put_runs(const struct own_machine *own, const struct tracer *const *used,
                     size_t used_count, struct attempt *attempt)
{
    struct tried tried[TRACERS_MAX];
    struct end_line end = { 0 };
    size_t interrupted = 0; /* attempts that were not used */

    for (size_t i = 0; i < used_count; i++) {
        tracer_try(used[i], attempt, own, &tried[i]);
        put_facility(used[i], &tried[i]);
    }
    put_plan(used, used_count);
    for (const struct workload *w = __start_workloads; w < __stop_workloads; w++)
        for (size_t i = 0; i < used_count && runs_here(w); i++)
            make_run(own, used[i], &tried[i], w, attempt, &end, &interrupted);
    put_interrupted(interrupted);
    put(WORD_END, &end);
}

char *here_log(const char *build, int processor, bool by_msr, size_t *length)
{
    const struct tracer *used[TRACERS_MAX];
    const size_t used_count = tracers(by_msr, used);
    static struct attempt *attempt;
    struct own_machine own;

    if (!attempt)
        attempt = attempt_memory();
    if (!own_machine_read(&own, processor))
        return NULL;
    if (by_msr)
        msr_lbr_begin(&own, attempt);
    memset(&written, 0, sizeof(written));
    put_to(take);
    init_packing();
    put_machine(&own, build);
    put_cpu(&own);
    put_places();
    put_runs(&own, used, used_count, attempt);
    if (by_msr)
        msr_lbr_end();
    *length = written.length;
    return written.bytes;
}
