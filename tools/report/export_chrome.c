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
    char *name = format_text("%s: %.*s", e->log->name, SPAN(e->log->machine.cpu.brand));

    fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"clock\":\"an instruction is a "
          "nanosecond\"},\"traceEvents\":[\n"
          "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":",
          e->out);
    put_text(e, name);
    fputs("}}", e->out);
    free(name);
}

static void end(struct export *e)
{
    fputs("\n]}\n", e->out);
}

/* Returns the clock of the run's processor; names its track when it is new. */
static uint64_t *clock_of(struct export *e)
{
    size_t processor = e->run->processor;

    if (processor >= e->clock_count) {
        e->clocks = realloc(e->clocks, (processor + 1) * sizeof(*e->clocks));
        if (!e->clocks)
            return NULL;
        for (; e->clock_count <= processor; e->clock_count++) {
            e->clocks[e->clock_count] = 0;
            fprintf(
                e->out,
                ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%zu,\"name\":\"thread_name\",\"args\":{"
                "\"name\":\"processor %zu\"}}",
                e->clock_count, e->clock_count);
        }
    }
    return &e->clocks[processor];
}

static void put_call(struct export *e, const struct call *call, uint64_t at)
{
    char buffer[256];
    const char *name = export_function(e, call->frame, buffer, sizeof(buffer));

    if (call->step == CALL_ENTERED && call->frame->kind == FRAME_HANDLER) {
        begin_event(e, 'i', at, name);
        fputs(",\"cat\":\"interrupt\",\"s\":\"t\"}", e->out);
    }
    begin_event(e, call->step == CALL_ENTERED ? 'B' : 'E', at, name);
    if (call->step == CALL_ENTERED)
        fprintf(e->out, ",\"cat\":\"%s\"",
                call->frame->kind == FRAME_HANDLER ? "interrupt" : "call");
    fputs("}", e->out);
}

static bool put_run(struct export *e)
{
    char *name = format_text("run %zu: %s by %s", e->run->number,
                             e->run->workload->own->name, e->run->method->name);
    uint64_t *clock = clock_of(e), now;
    struct calltree tree;
    struct call call;

    if (!clock)
        return false;
    now = *clock;
    begin_event(e, 'B', now, name);
    fputs(",\"cat\":\"run\"}", e->out);
    calltree_of(&tree, &e->walk, e->symbols);
    while (calltree_next(&tree, &call)) {
        now = *clock + call.insns;
        if (call.step == CALL_ENTERED || call.step == CALL_LEFT)
            put_call(e, &call, now);
        else if (call.step == CALL_GAP) {
            begin_event(e, 'i', now, "what ran here is not known");
            fputs(",\"cat\":\"gap\",\"s\":\"t\"}", e->out);
        }
    }
    calltree_free(&tree);
    begin_event(e, 'E', now, name);
    fputs("}", e->out);
    *clock = now + 1; /* so that runs do not touch */
    free(name);
    return true;
}

const struct export_format export_chrome = { "chrome", begin, put_run, end, true };
