/* tracer.h */
#include "tracer.h"

#include <stdio.h>

#include "call.h"
#include "count_of.h"

#define TRIES_MAX 100

const struct tracer tracers[TRACERS] = {
    { .method = "step",
      .facility = FACILITY_STEP,
      .record = steps_each,
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
    { .method = "bts",
      .facility = FACILITY_BTS,
      .record = intel_bts_record,
      .paranoid = 1,
      .source = "perf_event_open of intel_bts" },
};

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

static void say(struct tried *tried, enum probe_result result, const struct tracer *tracer,
                const char *what, size_t got, size_t want)
{
    tried->result = result;
    snprintf(tried->evidence, sizeof(tried->evidence), "%s: %zu of %zu %s", tracer->source,
             got, want, what);
}

static void say_wrong(struct tried *tried, const struct tracer *tracer,
                      const struct attempt *attempt, const char *what, size_t want,
                      const char *ran)
{
    tried->result = attempt->count ? DEVIATES : DEAD;
    snprintf(tried->evidence, sizeof(tried->evidence),
             "%s: %zu %s, not those of the %zu %s that ran", tracer->source, attempt->count,
             what, want, ran);
}

static void judge_stops(const struct tracer *tracer, const struct attempt *attempt,
                        struct tried *tried)
{
    const bool each = tracer->facility == FACILITY_STEP;
    const size_t want = each ? COUNT_OF(insns) : COUNT_OF(tos);

    if (are_stops(attempt, each ? insns : tos, want)) {
        say(tried, WORKS, tracer, each ? "instructions trapped" : "branches trapped",
            attempt->count, want);
    } else if (!each && are_stops(attempt, insns, COUNT_OF(insns))) {
        tried->result = DEAD;
        snprintf(tried->evidence, sizeof(tried->evidence),
                 "%s: it stopped at each of %zu instructions, not at %zu branches",
                 tracer->source, attempt->count, want);
    } else {
        say_wrong(tried, tracer, attempt, "stops", want,
                  each ? "instructions" : "branches");
    }
}

static void judge_branches(const struct tracer *tracer, const struct attempt *attempt,
                           size_t want, struct tried *tried)
{
    if (attempt->interrupted && attempt->count == 0)
        say(tried, DEAD, tracer, "records: no interrupt of a counter brought any", 0, want);
    else if (are_branches(attempt, want))
        say(tried, WORKS, tracer, "records", attempt->count, want);
    else
        say_wrong(tried, tracer, attempt, "records", want, "branches");
}

void tracer_try(const struct tracer *tracer, struct attempt *attempt,
                const struct model *model, size_t depth, struct tried *tried)
{
    const struct traced_code code = { call_try, (size_t)(call_try_ret - call_try) + 1 };
    size_t want = COUNT_OF(froms);

    tracer_attempt(tracer, attempt, &code);
    if (attempt->error) {
        tried->result =
            refusal_of(attempt, tracer->facility, tracer->paranoid, tried->evidence);
    } else if (tracer->forks) {
        judge_stops(tracer, attempt, tried);
    } else if (tracer->facility == FACILITY_LBR && depth == 0) {
        say(tried, ABSENT, tracer, "records, but this model's depth is not known",
            attempt->count, want);
    } else {
        if (tracer->facility == FACILITY_LBR) {
            want = depth < want ? depth : want;
            drop_copy(model, attempt, want);
        }
        judge_branches(tracer, attempt, want, tried);
    }
}
