/* here.h.  The log is that of the kernel, with common/log/put.h, and one line more:
 * `linux`. */
#include "here.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "attempt.h"
#include "call.h"
#include "expected.h"
#include "heap.h"
#include "info.h"
#include "own_machine.h"
#include "put.h"
#include "skip_code.h"
#include "skip_reason.h"
#include "tracer.h"

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
    put_begin("everybranch");
    put_decimal("log", LOG_VERSION);
    put_text("build", build);
    put_finish();

    put_begin("linux");
    put_quoted("release", own->release);
    put_finish();

    if (!own->has_dmi)
        return;
    put_begin("bios");
    put_quoted("vendor", own->bios_vendor);
    put_quoted("version", own->bios_version);
    put_quoted("date", own->bios_date);
    put_text("secure_boot", "unknown");
    put_finish();

    put_begin("system");
    put_quoted("vendor", own->system_vendor);
    put_quoted("product", own->system_product);
    put_quoted("board_vendor", own->board_vendor);
    put_quoted("board_product", own->board_product);
    put_finish();
}

static void put_leaf(const struct cpuid_leaf *leaf)
{
    static const char *const names[] = { "eax", "ebx", "ecx", "edx" };

    put_begin("cpuid");
    put_hex("leaf", leaf->leaf);
    put_hex("subleaf", leaf->subleaf);
    for (size_t i = 0; i < 4; i++)
        put_hex(names[i], leaf->registers[i]);
    put_finish();
}

static void put_cpu(const struct own_machine *own)
{
    put_begin("cpu");
    put_hex("microcode", own->microcode);
    put_quoted("brand", own->brand + strspn(own->brand, " "));
    put_finish();

    put_begin("features"); /* of MSRs, which a process cannot read */
    put_msr("perf_capabilities", false, 0);
    put_msr("misc_enable", false, 0);
    put_finish();

    for (size_t i = 0; i < own->leaf_count; i++)
        put_leaf(&own->leaves[i]);

    put_begin("model");
    put_text("name", own->model ? own->model->name : "unknown");
    put_finish();
}

/* The program in memory, as the linker marks it. */
extern const uint8_t image_begin[] __asm__("__executable_start");
extern const uint8_t image_end[] __asm__("_end");

static void put_places(void)
{
    put_map.image_at = (uintptr_t)image_begin;
    put_map.image_size = (uintptr_t)image_end - (uintptr_t)image_begin;
    put_begin("image");
    put_hex("base", put_map.image_at);
    put_hex("size", put_map.image_size);
    put_finish();

    put_map.call = (uintptr_t)call_call;
    put_map.back = (uintptr_t)call_back;
    put_begin("caller");
    put_hex("call", put_map.call);
    put_hex("return", put_map.back);
    put_finish();
}

static void put_facility(const struct tracer *tracer, const struct tried *tried)
{
    put_begin("facility");
    put_text("name", facility_names[tracer->facility]);
    put_text("outcome", probe_result_name(tried->result));
    put_quoted("evidence", tried->evidence);
    put_finish();
}

static void put_plan(void)
{
    size_t count = 0, index = 0;

    for (const struct workload *w = __start_workloads; w < __stop_workloads; w++)
        if (runs_here(w)) {
            put_workload(w);
            count++;
        }
    for (size_t i = 0; i < TRACERS; i++)
        put_plan_method(tracers[i].method);
    for (const struct workload *w = __start_workloads; w < __stop_workloads; w++)
        if (runs_here(w))
            put_plan_workload(w->name, index++, count * TRACERS);
    put_plan_end();
}

/* The runs so far. */
struct totals {
    size_t runs, ran;
    uint64_t records;
    size_t interrupted; /* attempts that were not used */
};

static void put_skip(const struct method_facts *method, const struct workload *workload,
                     size_t number, const struct skip_reason *reason)
{
    put_begin("skip");
    put_decimal("n", number);
    put_text("method", method->name);
    put_text("workload", workload->name);
    put_key("why");
    skip_put(&put_line, reason);
    put_finish();
}

static void put_run(const struct method_facts *method, const struct workload *workload,
                    size_t number)
{
    put_map.workload = workload;
    put_map.workload_at = (uintptr_t)workload->code;
    put_begin("run");
    put_decimal("n", number);
    put_text("method", method->name);
    put_text("workload", workload->name);
    if (method->ring_buffer)
        put_decimal("buffer", INTEL_BTS_RECORDS);
    put_finish();
}

/*
 * Entries of AMD's stack that Linux left out of a full one, since branches on the wrong
 * path had made them (Linux, arch/x86/events/amd/lbr.c, amd_pmu_lbr_read).
 */
static uint64_t left_out(const struct own_machine *own, const struct attempt *attempt)
{
    const bool is_whole = attempt->count && attempt->records[0].from == put_map.call;

    return own->model && own->model->lbr.to_valid && !is_whole &&
                   attempt->sampled < own->lbr_depth
               ? own->lbr_depth - attempt->sampled
               : 0;
}

static void put_ran(const struct method_facts *method, size_t number,
                    const struct own_machine *own, const struct attempt *attempt)
{
    put_begin("ran");
    put_decimal("n", number);
    put_text("outcome", outcome_names[attempt->outcome]);
    put_decimal("records", attempt->count);
    put_decimal("events", method->event_each ? attempt->count : 0);
    put_decimal("lost", 0);
    put_decimal("ticks", attempt->ticks);
    if (method->ring_lbr)
        put_if_any("wrong_path", attempt->wrong_path + left_out(own, attempt));
    if (attempt->outcome == CRASHED) {
        put_decimal("vector", attempt->vector);
        put_key("at");
        log_put_end(&put_line, &put_map, attempt->at, LOG_TO);
    }
    put_finish();
}

static void make_run(const struct own_machine *own, const struct tracer *tracer,
                     const struct tried *tried, const struct workload *workload,
                     struct attempt *attempt, struct totals *totals)
{
    const struct method_facts *method = method_named(tracer->method);
    const struct traced_code code = { workload->code, workload->size };
    struct skip_reason reason = { .code = SKIP_NOTHING };

    totals->runs++;
    if (tried->result != WORKS && tried->result != DEVIATES)
        reason = (struct skip_reason){ SKIP_LACKS, facility_names[tracer->facility] };
    else
        reason.code =
            skip_reason_for(method, own->model, workload, (uintptr_t)workload->code, 0);
    if (reason.code) {
        put_skip(method, workload, totals->runs, &reason);
        return;
    }
    put_run(method, workload, totals->runs);
    totals->interrupted += tracer_attempt(tracer, attempt, &code);
    put_records(method, totals->runs, attempt->records, attempt->count);
    put_ran(method, totals->runs, own, attempt);
    totals->ran++;
    totals->records += attempt->count;
}

static void put_end(const struct totals *totals)
{
    if (totals->interrupted) {
        char *text = format_text("Linux interrupted %zu runs, which were made again",
                                 totals->interrupted);

        put_begin("note");
        put_quoted("text", text);
        put_finish();
        free(text);
    }
    put_begin("end");
    put_decimal("runs", totals->runs);
    put_decimal("ran", totals->ran);
    put_decimal("skipped", totals->runs - totals->ran);
    put_decimal("records", totals->records);
    put_finish();
}

static void init_packing(void)
{
    const size_t capacity = 1 << 20;

    put_records_init(&(struct packing){ .state = zeroed(1, sizeof(struct pack)),
                                        .bytes = zeroed(capacity, 1),
                                        .kept = zeroed(capacity, 1),
                                        .capacity = capacity,
                                        .kept_capacity = capacity });
}

char *here_log(const char *build, size_t *length)
{
    struct attempt *attempt = attempt_memory();
    struct tried tried[TRACERS];
    struct totals totals = { 0 };
    struct own_machine own;

    put_to(take);
    init_packing();
    own_machine_read(&own);
    put_machine(&own, build);
    put_cpu(&own);
    put_places();
    for (size_t i = 0; i < TRACERS; i++) {
        tracer_try(&tracers[i], attempt, own.model, own.lbr_depth, &tried[i]);
        put_facility(&tracers[i], &tried[i]);
    }
    put_plan();
    for (const struct workload *w = __start_workloads; w < __stop_workloads; w++)
        for (size_t i = 0; i < TRACERS && runs_here(w); i++)
            make_run(&own, &tracers[i], &tried[i], w, attempt, &totals);
    put_end(&totals);
    *length = written.length;
    return written.bytes;
}
