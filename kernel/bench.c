/* bench.h */
#include "bench.h"

#include "emit.h"
#include "idt.h"
#include "registers.h"
#include "text.h"

extern const uint8_t bench_loop[] __attribute__((visibility("hidden")));
extern const uint8_t bench_empty[] __attribute__((visibility("hidden")));

static uint64_t ticks_inside(const struct enable *enable)
{
    return window_run(enable, bench_loop).ticks;
}

static void say(const char *name, uint64_t events, uint64_t ticks)
{
    char buffer[96];
    struct text out = text_into(buffer, sizeof buffer);
    text_string(&out, "bench handler=");
    text_string(&out, name);
    text_string(&out, " events=");
    text_decimal(&out, events);
    text_string(&out, " ticks=");
    text_decimal(&out, ticks);
    emit_note(buffer);
}

static uint64_t bench_method(const struct method *method, const struct cpu *cpu,
                             const struct buffers *buffers)
{
    struct enable enable = method->arm(cpu, buffers);
    uint64_t ticks = ticks_inside(&enable);
    uint64_t events = method->drain(cpu, buffers).events;
    method->disarm(cpu);
    say(method->name, events, ticks);
    return events;
}

void bench_handlers(const struct cpu *cpu, const struct facilities *found,
                    const struct buffers *buffers)
{
    const struct enable off = { 0 }, stepping = { .rflags = RFLAGS_TF };
    say("none", 0, ticks_inside(&off));
    uint64_t events = bench_method(&method_step, cpu, buffers);

    /* It traps as often as step does: after every instruction. */
    idt_stub(VECTOR_DB, bench_empty);
    uint64_t ticks = ticks_inside(&stepping);
    idt_unstub(VECTOR_DB);
    say("empty", events, ticks);
    if (!method_btf.lacks(cpu, found))
        bench_method(&method_btf, cpu, buffers);
}
