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

/* How often single-stepping stops there, and so any other handler of its exceptions. */
static uint64_t stops(const struct cpu *cpu, const struct buffers *buffers)
{
    struct enable enable = method_step.arm(cpu, buffers);
    ticks_inside(&enable);
    uint64_t events = method_step.drain(cpu, buffers).events;
    method_step.disarm(cpu);
    return events;
}

void bench_handlers(const struct cpu *cpu, const struct buffers *buffers)
{
    const struct enable off = { 0 }, stepping = { .rflags = RFLAGS_TF };
    say("none", 0, ticks_inside(&off));
    uint64_t events = stops(cpu, buffers);
    idt_stub(VECTOR_DB, bench_empty);
    uint64_t ticks = ticks_inside(&stepping);
    idt_unstub(VECTOR_DB);
    say("empty", events, ticks);
}
