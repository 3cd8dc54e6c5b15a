/*
 * command.h.  request.c reads the line.  The machine is borrowed by those commands that
 * need it, for as long as they take.
 */
#include "command.h"

#include "emit.h"
#include "msr_bits.h"
#include "msr_overrides.h"
#include "method.h"
#include "msr.h"
#include "self_check.h"
#include "plan.h"
#include "sink.h"
#include "request.h"
#include "schedule.h"
#include "text.h"
#include "smp.h"
#include "visible.h"
#include "workloads.h"

#define LAST_LINES 160  /* bytes of it that are kept free for what is said at its end */
#define RUNS_SHOWN 2048 /* bytes of what runs wrote: a screen or two */
#define COLUMNS    76   /* of a list of names */

/* The command being done, and the answer that the console will show. */
static struct {
    struct session *session;
    struct request request;
    void (*probe)(struct session *);
    bool probed, greeting; /* greeting: what is shown is the answer to no command */
    enum afterwards then;
    struct text console;
} now;

static void show(const char *text)
{
    text_join(&now.console, text, "\n");
}

/* A line of the answer, on the console and in the log. */
static void answer(const char *text)
{
    if (!now.greeting)
        put(WORD_ANSWER, &(struct text_line){ span_of(text) });
    show(text);
}

static char line_buffer[COLUMNS + REQUEST_LINE_MAX];
static struct text line;

static void begin_line(const char *text)
{
    line = text_into(line_buffer, sizeof line_buffer);
    text_string(&line, text);
}

static void add_decimal(const char *before, uint64_t value)
{
    text_string(&line, before);
    text_decimal(&line, value);
}

static void add_hex(const char *before, uint64_t value)
{
    text_string(&line, before);
    text_hex(&line, value);
}

/* From column to column; begins with an empty line. */
static void add_padded(const char *text, size_t column)
{
    text_string(&line, text);
    while (line.length < column)
        text_string(&line, " ");
}

/* Names with spaces between, as many as a line has room for. */
static void add_name(const char *name)
{
    if (line.length && line.length + 1 + text_length(name) > COLUMNS) {
        answer(line.at);
        begin_line("");
    }
    if (line.length)
        text_string(&line, " ");
    text_string(&line, name);
}

static void do_help(void)
{
    for (size_t i = 0; i < REQUEST_COUNT; i++) {
        const struct request_form *form = &request_forms[i];
        begin_line(form->word);
        text_join(&line, form->arguments[0] ? " " : "", form->arguments);
        add_padded("", 28);
        text_string(&line, form->about);
        answer(line.at);
    }
}

static void do_cpu(void)
{
    const struct cpu *cpu = &now.session->bsp.cpu;
    begin_line(cpu->id.vendor);
    add_hex(" family 0x", cpu->id.family);
    add_hex(" model 0x", cpu->id.model);
    add_hex(" stepping 0x", cpu->id.stepping);
    add_hex(" microcode 0x", cpu->microcode);
    answer(line.at);
    begin_line(cpu->brand[0] ? cpu->brand : "no brand");
    text_join(&line, cpu->id.hypervisor[0] ? ", under a hypervisor: " : "",
              cpu->id.hypervisor);
    answer(line.at);
    begin_line("model ");
    text_string(&line, cpu->model ? cpu->model->name : "unknown");
    add_decimal(", LBR ", cpu->lbr_depth);
    text_join(&line, cpu->model && cpu->model->bts ? " deep, with BTS" : " deep, no BTS",
              cpu->id.ds ? ", CPUID has DS" : ", CPUID has no DS");
    answer(line.at);
}

static void do_methods(void)
{
    for (size_t m = 0; m < method_count(); m++) {
        begin_line("");
        add_padded(methods[m].facts->name, 12);
        text_string(&line, methods[m].facts->about);
        answer(line.at);
    }
}

static void do_workloads(void)
{
    begin_line("");
    for (const struct workload *w = workloads_next(NULL); w; w = workloads_next(w))
        add_name(w->name);
    answer(line.at);
}

static struct trace_msr_set msrs(void)
{
    const struct cpu *cpu = &now.session->bsp.cpu;
    return (struct trace_msr_set){ cpu->id.vendor, cpu->model, cpu->lbr_depth, cpu->id.ds };
}

static void do_msrs(void)
{
    struct trace_msr_set set = msrs();
    struct trace_msr msr = { .number = 0 };
    begin_line("");
    for (size_t i = 0; trace_msr_at(&set, i, &msr); i++)
        add_name(msr.name);
    answer(line.at);
}

/* The line of the log is the answer; for a person it ends with the names of the bits. */
static void emit_copied(const struct msr_access *access)
{
    const struct trace_msr_set set = msrs();
    sink_copy(&now.console);
    emit_msr(access);
    sink_copy(NULL);
    if (access->faulted || !access->reads)
        return;
    now.console.length--; /* before its line end */
    msr_bits_put(&now.console, &set, access->number, access->value);
    show("");
}

/*
 * What is not harmless can do anything, and makes others so: with another DS_AREA what
 * DEBUGCTL turns on goes there.  The log is saved before.
 */
static bool risky(const struct session *s)
{
    return s->kept_risky || !now.request.msr.harmless;
}

static void save_before(struct session *s, const struct trace_msr *msr)
{
    if (!risky(s))
        return;
    begin_line("msr=0x");
    text_hex(&line, msr->number);
    session_try(s, line.at);
}

/* Switching the machine off now is deliberate: nothing is to blame for it. */
static void save_after(struct session *s)
{
    session_try(s, SUBJECT_IDLE);
}

/* A register with a name here is kept for the next command; others are written for good. */
static bool write_msr(const struct trace_msr *msr, uint64_t value)
{
    return msr->name[0] ? msr_overrides_write(msr->number, value)
                        : msr_write(msr->number, value);
}

static void access_msr(struct session *s)
{
    const struct trace_msr *msr = &now.request.msr;
    struct msr_access access = { .name = msr->name, .number = msr->number };
    save_before(s, msr);
    msr_overrides_begin(&s->bsp.cpu, &s->bsp.buffers);
    if (now.request.what == REQUEST_MSR_WRITE) {
        access.is_write = true;
        access.written = now.request.value;
        access.faulted = !write_msr(msr, access.written);
        s->kept_risky |= !msr->harmless;
    }
    access.reads = msr_read(msr->number, &access.value);
    if (!access.is_write)
        access.faulted = !access.reads;
    msr_overrides_end(&s->bsp.cpu);
    emit_copied(&access);
    if (risky(s))
        save_after(s);
}

static void do_msr_write(void)
{
    if (!now.request.msr.name[0] || msr_overrides_fit(now.request.msr.number))
        session_borrow(now.session, access_msr);
    else
        answer("msr write: too many registers were written: no more can be restored");
}

static void probe(struct session *s)
{
    now.probe(s);
    now.probed = true;
}

static void probe_copied(struct session *s)
{
    sink_copy(&now.console);
    probe(s);
    sink_copy(NULL);
    save_after(s);
}

static void add_counted(const char *before, size_t count, const char *what)
{
    add_decimal(before, count);
    text_string(&line, what);
}

/* For a person at the console; the log has the records, and the host judges them. */
static void show_self_check(const size_t before[COMPARED_COUNT])
{
    size_t counts[COMPARED_COUNT];
    for (enum compared c = 0; c < COMPARED_COUNT; c++)
        counts[c] = self_check_counts()[c] - before[c];
    begin_line("records compared:");
    add_counted(" ", counts[RIGHT], " as expected");
    add_counted(", ", counts[DIFFERS], " NOT as expected");
    if (counts[KNOWN])
        add_counted(", ", counts[KNOWN], " known");
    if (counts[NOT_COMPARED])
        add_counted(", ", counts[NOT_COMPARED], " not compared");
    add_counted(", ", counts[SKIPPED], " skipped");
    show(line.at);
    if (display_legend(counts))
        show(display_legend(counts));
}

static void run(struct session *s)
{
    const struct plan_request plan = { now.request.methods, now.request.workloads,
                                       now.request.count, now.request.options.filters };
    size_t before[COMPARED_COUNT];
    if (!now.probed)
        probe(s);
    for (enum compared c = 0; c < COMPARED_COUNT; c++)
        before[c] = self_check_counts()[c];
    plan_emit_workloads(s, &plan);
    plan_emit(&plan, smp_count());
    now.console.capacity = RUNS_SHOWN;
    sink_copy(&now.console);
    schedule_run(s, &plan);
    sink_copy(NULL);
    now.console.capacity = CONSOLE_SIZE;
    if (now.console.overflow)
        show("...\nthe rest is in the log");
    show_self_check(before);
    save_after(s);
}

/* The options of a `run` hold only for its own runs. */
static void run_as_asked(struct session *s)
{
    struct buffers before = s->bsp.buffers;
    const struct options *asked = &now.request.options;
    if (asked->event.by != EVENT_OF_METHOD)
        s->bsp.buffers.event = asked->event;
    if (asked->period)
        s->bsp.buffers.period = asked->period;
    if (asked->delivery != DELIVERY_OF_METHOD)
        s->bsp.buffers.delivery = asked->delivery;
    run(s);
    s->bsp.buffers = before;
}

/* Where the last lines of the log begin. */
static size_t tail(const char *log, size_t size, uint32_t lines)
{
    size_t at = size;
    for (uint32_t found = 0; at > 0; at--)
        if (log[at - 1] == '\n' && at < size && ++found == lines)
            break;
    return lines ? at : size;
}

static void do_log(void)
{
    const char *log = now.session->log;
    size_t size = sink_size(), lines = 0;
    for (size_t i = 0; i < size; i++)
        lines += log[i] == '\n';
    size_t at = tail(log, size, now.request.count);
    text_bytes(&now.console, log + at, size - at);
    begin_line("");
    text_decimal(&line, lines);
    add_decimal(" lines, ", size);
    text_string(&line, sink_is_complete() ? " bytes"
                                          : " bytes; it is FULL, and its end is missing");
    answer(line.at);
}

static void save(struct session *s)
{
    save_after(s);
    answer(s->lost ? "the log is NOT saved"
                   : "the log is saved as it was before this line");
}

static void do_reboot(void)
{
    now.then = RESET;
}

static void do_exit(void)
{
    now.then = LEAVE;
}

/* How each command is done: at once, or with the machine borrowed. */
static const struct {
    void (*at_once)(void);
    void (*borrowing)(struct session *);
} doers[REQUEST_COUNT] = {
    [REQUEST_HELP] = { do_help, NULL },
    [REQUEST_CPU] = { do_cpu, NULL },
    [REQUEST_PROBE] = { NULL, probe_copied },
    [REQUEST_METHODS] = { do_methods, NULL },
    [REQUEST_WORKLOADS] = { do_workloads, NULL },
    [REQUEST_MSRS] = { do_msrs, NULL },
    [REQUEST_MSR_READ] = { NULL, access_msr },
    [REQUEST_MSR_WRITE] = { do_msr_write, NULL },
    [REQUEST_RUN] = { NULL, run_as_asked },
    [REQUEST_LOG] = { do_log, NULL },
    [REQUEST_SAVE] = { NULL, save },
    [REQUEST_REBOOT] = { do_reboot, NULL },
    [REQUEST_EXIT] = { do_exit, NULL },
};

static bool is_method(const char *name)
{
    return method_named(name);
}

/* A longer line is no command, and would not fit the log. */
static void emit_command(const char *command)
{
    struct span text = span_of(command);
    if (text.length > REQUEST_LINE_MAX)
        text.length = REQUEST_LINE_MAX;
    put(WORD_COMMAND, &(struct text_line){ text });
}

static void begin(struct session *s)
{
    now.session = s;
    now.then = GO_ON;
    now.console = text_into(s->console, CONSOLE_SIZE - LAST_LINES);
}

const char *command_greeting(struct session *s)
{
    begin(s);
    now.greeting = true;
    do_cpu();
    now.greeting = false;
    return s->console;
}

struct answer command_do(struct session *s, const char *command,
                         void (*prober)(struct session *))
{
    begin(s);
    now.probe = prober;
    const struct request_names names = { msrs(), is_method, workloads_has };
    const char *wrong = request_read(&now.request, command, &names);
    emit_command(command);
    if (wrong)
        answer(wrong);
    else if (doers[now.request.what].at_once)
        doers[now.request.what].at_once();
    else
        session_borrow(s, doers[now.request.what].borrowing);
    return (struct answer){ s->console, now.then };
}
