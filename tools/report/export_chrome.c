/*
 * Chrome's Trace Event Format, which Perfetto and speedscope read.  Runs and the calls in
 * them are nested slices, each processor has a track, and interrupts and exceptions are
 * instants.  Times are microseconds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "export.h"
#include "heap.h"

static void put_text(struct export *e, const char *text)
{
    putc('"', e->out);
    escape_json(e->out, text, strlen(text));
    putc('"', e->out);
}

/* Writes the first fields of an event and leaves it open. */
static void begin_event(struct export *e, char phase, uint64_t at, const char *name)
{
    fprintf(e->out,
            ",\n{\"ph\":\"%c\",\"pid\":1,\"tid\":%zu,\"ts\":%llu.%03llu,\"name\":", phase,
            e->run->processor, (unsigned long long)(at / 1000),
            (unsigned long long)(at % 1000));
    put_text(e, name);
}

static void begin(struct export *e)
{
    fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"clock\":\"an instruction is a "
          "nanosecond\"},\"traceEvents\":[\n"
          "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":",
          e->out);
    put_text(e,
             scratch_text("%s: %.*s", e->log->name, SPAN(e->log->machine.cpu.named.brand)));
    fputs("}}", e->out);
}

static void end(struct export *e)
{
    fputs("\n]}\n", e->out);
}

/* Returns the clock of the run's processor; names its track when it is new. */
static uint64_t *clock_of(struct export *e)
{
    for (; e->clock_count <= e->run->processor; e->clock_count++) {
        e->clocks = grow(e->clocks, &e->clock_capacity, e->clock_count, sizeof(*e->clocks));
        e->clocks[e->clock_count] = 0;
        fprintf(e->out,
                ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%zu,\"name\":\"thread_name\",\"args\":{"
                "\"name\":\"processor %zu\"}}",
                e->clock_count, e->clock_count);
    }
    return &e->clocks[e->run->processor];
}

static void put_step(void *to, const struct call *call)
{
    struct export *e = to;
    const uint64_t now = e->clocks[e->run->processor] + call->insns;
    const bool handler = call->frame && call->frame->kind == FRAME_HANDLER;

    if (call->step == CALL_GAP) {
        begin_event(e, 'i', now, "what ran here is not known");
        fputs(",\"cat\":\"gap\",\"s\":\"t\"}", e->out);
    } else if (call->step == CALL_ENTERED) {
        if (handler) {
            begin_event(e, 'i', now, export_function(e, call->frame));
            fputs(",\"cat\":\"interrupt\",\"s\":\"t\"}", e->out);
        }
        begin_event(e, 'B', now, export_function(e, call->frame));
        fprintf(e->out, ",\"cat\":\"%s\"}", handler ? "interrupt" : "call");
    } else if (call->step == CALL_LEFT) {
        begin_event(e, 'E', now, export_function(e, call->frame));
        fputs("}", e->out);
    }
    e->insns = call->insns;
}

static void put_run(struct export *e)
{
    const char *name = scratch_text("run %zu: %s by %s", e->run->number,
                                    e->run->workload->own->name, e->run->method->name);
    uint64_t *clock = clock_of(e);

    begin_event(e, 'B', *clock, name);
    fputs(",\"cat\":\"run\"}", e->out);
    e->insns = 0;
    calltree_walk(&e->walk, e->symbols, put_step, e);
    *clock += e->insns;
    begin_event(e, 'E', *clock, name);
    fputs("}", e->out);
    ++*clock; /* so that runs do not touch */
}

const struct export_format export_chrome = {
    .begin = begin, .run = put_run, .end = end, .side_by_side = true
};
