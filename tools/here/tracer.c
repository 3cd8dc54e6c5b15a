/* tracer.h */
#include "tracer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "count_of.h"
#include "deviation.h"
#include "msr_lbr.h"

#define TRIES_MAX 100

static const struct tracer known[] = {
    { .method = "step",
      .facility = FACILITY_STEP,
      .record = steps_insns,
      .forks = true,
      .source = "PTRACE_SINGLESTEP" },
    { .method = "btf",
      .facility = FACILITY_BTF,
      .record = steps_branches,
      .forks = true,
      .source = "PTRACE_SINGLEBLOCK" },
    { .method = "lbr",
      .facility = FACILITY_LBR,
      .record = branch_stack_sample,
      .paranoid = 2,
      .source = "perf_event_open with a branch stack" },
    { .method = "lbr",
      .facility = FACILITY_LBR,
      .record = msr_lbr_stack,
      .by_msr = true,
      .source = "/dev/cpu/N/msr" },
    { .method = "bts",
      .facility = FACILITY_BTS,
      .record = intel_bts_record,
      .paranoid = 1,
      .source = "perf_event_open of intel_bts" },
    { .method = "ler",
      .facility = FACILITY_LER,
      .record = msr_lbr_exception,
      .by_msr = true,
      .source = "/dev/cpu/N/msr" },
};
_Static_assert(COUNT_OF(known) <= TRACERS_MAX, "a list of tracers is too short");

size_t tracers(bool by_msr, const struct tracer *out[TRACERS_MAX])
{
    size_t count = 0;

    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (known[i].by_msr ? by_msr : !by_msr || known[i].facility != FACILITY_LBR)
            out[count++] = &known[i];
    return count;
}

size_t tracer_attempt(const struct tracer *tracer, struct attempt *attempt,
                      const struct traced_code *code)
{
    size_t again = 0;

    do {
        if (tracer->forks)
            tracer->record(attempt, code);
        else
            attempt_in_child(attempt, code, tracer->record);
    } while (attempt->interrupted && again++ < TRIES_MAX);
    return again;
}

/* The trace of call_try: its stops, and its branches. */
static const uint8_t *const insns[] = { call_try,     call_try_jump, call_try_target,
                                        call_try_jcc, call_try_ret,  call_back };
static const uint8_t *const froms[] = { call_call, call_try_jump, call_try_ret };
static const uint8_t *const tos[] = { call_try, call_try_target, call_back };

static bool are_stops(const struct attempt *attempt, const uint8_t *const *want,
                      size_t count)
{
    bool same = attempt->count == count;

    for (size_t i = 0; same && i < count; i++)
        same = attempt->records[i].to == (uintptr_t)want[i];
    return same;
}

/* On some models the newest record can be in the stack twice (docs/processors.md). */
static void drop_copy(const struct model *model, struct attempt *attempt, size_t want)
{
    const struct branch *newest = &attempt->records[attempt->count - 1];

    if (attempt->count == want + 1 && model->lbr.doubles_newest &&
        branch_same(newest, newest - 1))
        attempt->count--;
}

/* True if the records are the newest `count` branches of call_try. */
static bool are_branches(const struct attempt *attempt, size_t count)
{
    bool same = attempt->count == count;

    for (size_t i = 0; same && i < count; i++)
        same = attempt->records[i].from == (uintptr_t)froms[COUNT_OF(froms) - count + i] &&
               attempt->records[i].to == (uintptr_t)tos[COUNT_OF(tos) - count + i];
    return same;
}

static void say(const struct tracer *tracer, struct tried *tried, enum probe_result result,
                const char *format, ...) __attribute__((format(printf, 4, 5)));
static void say(const struct tracer *tracer, struct tried *tried, enum probe_result result,
                const char *format, ...)
{
    const int length =
        snprintf(tried->evidence, sizeof(tried->evidence), "%s: ", tracer->source);
    va_list list;

    tried->result = result;
    tried->deviations = result == DEVIATES ? DEVIATION(DEVIATES_OTHERWISE) : 0;
    va_start(list, format);
    vsnprintf(tried->evidence + length, sizeof(tried->evidence) - (size_t)length, format,
              list);
    va_end(list);
}

static void judge_stops(const struct tracer *tracer, const struct attempt *attempt,
                        struct tried *tried)
{
    const bool each = tracer->facility == FACILITY_STEP;
    const size_t want = each ? COUNT_OF(insns) : COUNT_OF(tos), got = attempt->count;
    const char *what = each ? "instructions" : "branches";

    if (are_stops(attempt, each ? insns : tos, want))
        say(tracer, tried, WORKS, "%zu of %zu %s trapped", got, want, what);
    else if (!each && are_stops(attempt, insns, COUNT_OF(insns)))
        say(tracer, tried, DEAD,
            "it stopped at each of %zu instructions, not at %zu branches", got, want);
    else
        say(tracer, tried, got ? DEVIATES : DEAD,
            "%zu stops, not those of the %zu %s that ran", got, want, what);
}

static void judge_branches(const struct tracer *tracer, const struct attempt *attempt,
                           size_t want, bool in_guest, struct tried *tried)
{
    const size_t got = attempt->count;

    if (attempt->left_on) {
        say(tracer, tried, in_guest ? ABSENT : DEVIATES,
            "delivering #DB left recording on%s",
            in_guest ? ", as hypervisors do that inject it: nothing ends the window" : "");
        tried->deviations = in_guest ? 0 : DEVIATION(LEFT_LBR_ON);
    } else if (!tracer->by_msr && attempt->interrupted && got == 0) {
        say(tracer, tried, DEAD, "0 of %zu records: no interrupt of a counter brought any",
            want);
    } else if (are_branches(attempt, want)) {
        say(tracer, tried, WORKS, "%zu of %zu records", got, want);
    } else {
        say(tracer, tried, got ? DEVIATES : DEAD,
            "%zu records, not those of the %zu branches that ran", got, want);
    }
}

/* The emulator is no guest, in silicon mode or not. */
static bool is_in_guest(const struct cpu_id *id)
{
    return id->has_hypervisor && strcmp(id->hypervisor, HYPERVISOR_TCG) != 0 &&
           strcmp(id->hypervisor, HYPERVISOR_TCG_AS_METAL) != 0;
}

/* How many of the branches the facility keeps; 0: that is not known. */
static size_t kept_branches(enum facility facility, const struct own_machine *own)
{
    const size_t all = COUNT_OF(froms);

    if (facility == FACILITY_LER)
        return 1;
    return facility == FACILITY_LBR && own->lbr_depth < all ? own->lbr_depth : all;
}

void tracer_try(const struct tracer *tracer, struct attempt *attempt,
                const struct own_machine *own, struct tried *tried)
{
    const struct traced_code code = { call_try, (size_t)(call_try_ret - call_try) + 1 };
    const size_t want = kept_branches(tracer->facility, own);
    const char *lacks = tracer->by_msr ? msr_lbr_lacks(own, tracer->facility) : NULL;

    if (lacks) {
        say(tracer, tried, ABSENT, "%s", lacks);
        return;
    }
    tracer_attempt(tracer, attempt, &code);
    if (attempt->error) {
        tracer_refused(tracer, attempt, own, tried);
    } else if (tracer->forks) {
        judge_stops(tracer, attempt, tried);
    } else if (want == 0) {
        say(tracer, tried, ABSENT,
            "%zu of %zu records, but this model's depth is not known", attempt->count,
            COUNT_OF(froms));
    } else {
        if (tracer->facility == FACILITY_LBR)
            drop_copy(own->model, attempt, want);
        judge_branches(tracer, attempt, want, is_in_guest(&own->id), tried);
    }
}
