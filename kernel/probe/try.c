/* try.h */
#include "try.h"

#include "apic.h"
#include "debug_registers.h"
#include "idt.h"
#include "msr.h"
#include "pmi_collector.h"
#include "registers.h"
#include "skip_code.h"
#include "text.h"
#include "window.h"
#include "x86.h"

const struct pair try_branches[] = {
    { window_call, probe_code },
    { probe_jump, probe_target },
    { probe_ret, window_back },
};
const struct pair try_insns[] = {
    { NULL, probe_code }, { NULL, probe_jump }, { NULL, probe_target },
    { NULL, probe_jcc },  { NULL, probe_ret },  { NULL, window_back },
};

static struct text evidence_of(struct trial *t, enum probe_result result)
{
    t->probed->said.outcome = result;
    t->probed->said.deviations = result == DEVIATES ? DEVIATION(DEVIATES_OTHERWISE) : 0;
    return text_into(t->probed->evidence, sizeof t->probed->evidence);
}

void try_says(struct trial *t, enum probe_result result, const char *evidence)
{
    struct text out = evidence_of(t, result);
    text_string(&out, evidence);
}

void try_deviates(struct trial *t, enum deviation deviation)
{
    try_says(t, DEVIATES, deviation_words(deviation));
    t->probed->said.deviations = DEVIATION(deviation);
}

void try_adds(struct trial *t, const char *evidence)
{
    struct text out = { .at = t->probed->evidence, .capacity = sizeof t->probed->evidence };
    while (out.at[out.length])
        out.length++;
    text_string(&out, evidence);
}

void try_says_count(struct trial *t, enum probe_result result, size_t got, size_t want,
                    const char *what)
{
    struct text out = evidence_of(t, result);
    text_decimal(&out, got);
    text_string(&out, " of ");
    text_decimal(&out, want);
    text_string(&out, what);
}

void try_says_dead(struct trial *t, const char *what)
{
    struct text out = evidence_of(t, DEAD);
    text_string(&out, "accepted, reads back 0x");
    text_hex(&out, t->kept);
    text_join(&out, "; ", what);
}

bool try_turns_on(struct trial *t, const struct method *method, const char *fault)
{
    struct enable enable = method->arm(t->cpu, t->buffers);
    bool accepted = msr_write(enable.msr, enable.on);
    if (accepted) {
        msr_read(enable.msr, &t->kept);
        msr_write(enable.msr, enable.off);
    } else {
        try_says(t, FAULTS, fault);
    }
    method->disarm(t->cpu);
    return accepted;
}

struct trace try_trace(const struct trial *t, const struct method *method,
                       const uint8_t *code, uint64_t period)
{
    static struct buffers buffers; /* what drain() finds may point there */
    buffers = *t->buffers;
    buffers.period = period;
    buffers.threshold = period < buffers.bts_capacity ? period : buffers.bts_capacity;
    struct enable enable = method->arm(t->cpu, &buffers);
    window_run(&enable, code);
    struct trace trace = method->drain(t->cpu, &buffers);
    method->disarm(t->cpu);
    return trace;
}

size_t try_method(const struct trial *t, const struct method *method)
{
    return try_trace(t, method, probe_code, 1).count;
}

bool try_got(const struct trial *t, size_t got, const struct pair *want, size_t count)
{
    const struct branch *records = t->buffers->records;
    if (got != count)
        return false;
    for (size_t i = 0; i < got; i++) {
        bool from =
            records[i].from == BRANCH_UNKNOWN || records[i].from == (uint64_t)want[i].from;
        if (!from || records[i].to != (uint64_t)want[i].to)
            return false;
    }
    return true;
}

bool try_got_newest(const struct trial *t, size_t got, size_t count)
{
    return try_got(t, got, try_branches + TRY_BRANCHES - count, count);
}

#define LONG_RUN_PERIOD 197

struct trace try_long_run(struct trial *t, const struct method *method)
{
    const struct trace trace = try_trace(t, method, probe_run, LONG_RUN_PERIOD);
    pmi_collector_say(&trace.ran, &t->probed->said);
    return trace;
}

static uint32_t looked_at;
static uint64_t in_db;

static void look_once(struct frame *frame)
{
    debug_registers_clear();
    frame->rflags &= ~RFLAGS_TF;
    msr_read(looked_at, &in_db);
    wrmsr(MSR_DEBUGCTL, 0);
}

uint64_t try_db(struct enable enable)
{
    in_db = 0;
    looked_at = enable.msr;
    enable.rflags = RFLAGS_TF;
    idt_hook(VECTOR_DB, look_once);
    window_run(&enable, probe_code);
    idt_hook(VECTOR_DB, NULL);
    return in_db;
}

const char *try_lacks_counter(const struct cpu *cpu)
{
    const char *lacks = pmu_lacks_all(&cpu->id);
    return lacks || apic_is_on() ? lacks : skip_words[SKIP_NO_APIC].sentence;
}
