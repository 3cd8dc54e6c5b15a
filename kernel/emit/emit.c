/* emit.h.  What belongs to no machine, workload or run; those have files of their own. */
#include "emit.h"

#include "put.h"
#include "sink.h"
#include "text.h"

void emit_note(const char *text)
{
    put_begin("note");
    put_quoted("text", text);
    put_finish();
}

void emit_bundle(const struct loading *loading)
{
    put_begin(loading->wrong ? "rejected" : "bundle");
    put_quoted("file", loading->name);
    if (loading->wrong)
        put_quoted("why", loading->wrong);
    else
        put_decimal("bytes", loading->size);
    put_finish();
    if (!loading->wrong)
        put_base64("bytes", loading->bytes, loading->size);
}

void emit_command(const char *text)
{
    put_begin("command");
    put_quoted("text", text);
    put_finish();
}

void emit_answer(const char *text)
{
    put_begin("answer");
    put_quoted("text", text);
    put_finish();
}

void emit_msr(const struct msr_access *access)
{
    put_begin("msr");
    put_hex(access->is_write ? "write" : "read", access->number);
    put_text("name", access->name[0] ? access->name : "unknown");
    if (access->is_write)
        put_hex("value", access->written);
    if (access->faulted)
        put_text("gives", "#GP");
    else if (!access->reads)
        put_text("gives", "unreadable");
    else
        put_hex("gives", access->value);
    put_finish();
}

void emit_round(size_t number, size_t processors)
{
    put_begin("round");
    put_decimal("n", number);
    put_decimal("processors", processors);
    put_finish();
}

void emit_lost(size_t processor, const char *why)
{
    put_begin("lost");
    put_decimal("processor", processor);
    put_quoted("why", why);
    put_finish();
}

void emit_try(const char *subject)
{
    put_begin("try ");
    text_string(&put_line, subject);
    put_finish();
}

void emit_avoid(const char *subject, const char *log)
{
    put_begin("avoid ");
    text_string(&put_line, subject);
    put_text("log", log);
    put_finish();
}

void emit_cycles(const struct cycles *cycles)
{
    put_begin("cycles");
    put_decimal("done", cycles->done);
    put_decimal("checked", cycles->checked);
    put_decimal("alive", cycles->alive);
    put_finish();
}

void emit_end(const struct totals *totals)
{
    put_begin("end");
    put_decimal("runs", totals->runs);
    put_decimal("ran", totals->ran);
    put_decimal("skipped", totals->skipped);
    put_decimal("records", totals->records);
    put_if_any("nmis", totals->nmis);
    put_finish();
}

void emit_panic(const char *why, const struct frame *frame)
{
    sink_release();
    put_begin("panic");
    put_quoted("why", why);
    if (frame) {
        put_decimal("vector", frame->vector);
        put_hex("error", frame->error);
        put_hex("rip", frame->rip);
        put_hex("rsp", frame->rsp);
        put_hex("rflags", frame->rflags);
        put_hex("rax", frame->rax);
        put_hex("rdi", frame->rdi);
    }
    put_finish();
}
