/* emit.h.  What belongs to no machine, workload or run; those have files of their own. */
#include "emit.h"

#include "put.h"
#include "sink.h"
#include "text.h"

void emit_note(const char *text)
{
    put(WORD_NOTE, &(struct text_line){ span_of(text) });
}

void emit_bundle(const struct loading *loading)
{
    const struct span file = span_of(loading->name);
    if (loading->wrong) {
        put(WORD_REJECTED, &(struct rejected_line){ file, span_of(loading->wrong) });
        return;
    }
    put(WORD_BUNDLE, &(struct bundle_line){ .file = file, .bytes = loading->size });
    put_base64(WORD_BYTES, loading->bytes, loading->size);
}

void emit_msr(const struct msr_access *access)
{
    const struct log_number number = log_number(access->number);
    struct msr_line line = { .name = span_of(access->name[0] ? access->name : "unknown") };
    char digits[20];
    struct text gives = text_into(digits, sizeof digits);
    if (access->is_write) {
        line.write = number;
        line.value = log_number(access->written);
    } else {
        line.read = number;
    }
    if (access->faulted) {
        text_string(&gives, "#GP");
    } else if (!access->reads) {
        text_string(&gives, "unreadable");
    } else {
        text_string(&gives, "0x");
        text_hex(&gives, access->value);
    }
    line.gives = span_of(digits);
    put(WORD_MSR, &line);
}

/* A subject has the form of the line's fields already (history.h). */
static void put_subject(enum log_line word, const char *subject)
{
    put_open(word, NULL);
    text_string(&put_line, " ");
    text_string(&put_line, subject);
}

void emit_try(const char *subject)
{
    put_subject(WORD_TRY, subject);
    put_finish();
}

void emit_avoid(const char *subject, const char *log)
{
    put_subject(WORD_AVOID, subject);
    put_key("log");
    text_string(&put_line, log);
    put_finish();
}

static void put_register(const char *name, uint64_t value)
{
    put_key(name);
    text_string(&put_line, "0x");
    text_hex(&put_line, value);
}

void emit_panic(const char *why, const struct frame *frame)
{
    sink_release();
    put_open(WORD_PANIC, &(struct panic_line){ span_of(why) });
    if (frame) {
        put_key("vector");
        text_decimal(&put_line, frame->vector);
        put_register("error", frame->error);
        put_register("rip", frame->rip);
        put_register("rsp", frame->rsp);
        put_register("rflags", frame->rflags);
        put_register("rax", frame->rax);
        put_register("rdi", frame->rdi);
    }
    put_finish();
}
