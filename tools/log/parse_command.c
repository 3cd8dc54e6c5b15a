/*
 * The monitor's commands, and what was answered to them.
 *
 * A log has a plan, or commands; each command may have a plan of its own, and what was
 * planned for one is over before the next.  A command is read by the kernel's own code
 * (common/request.c), and what follows it must be what it asks for.
 */
#include "parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "request.h"
#include "trace_msr.h"

static void tell(struct line *line, enum told_kind kind, struct span text)
{
    struct log *log = line->log;

    log->told = more_room(log->told, &log->told_room, log->told_count, sizeof(*log->told));
    log->told[log->told_count++] =
        (struct told){ .line = log->line, .kind = kind, .text = text };
}

/* The line as it stands, whatever was read of it. */
static struct span whole(const struct line *line)
{
    const char *end = line->rest.at + line->rest.length;

    return (struct span){ line->word.at, (size_t)(end - line->word.at) };
}

void tell_facility(struct line *line)
{
    if (line->log->by_command)
        tell(line, TOLD_FACILITY, whole(line));
}

/* The newest command, or NULL. */
static const struct told *newest_command(const struct log *log)
{
    for (size_t i = log->told_count; i > 0; i--)
        if (log->told[i - 1].kind == TOLD_COMMAND)
            return &log->told[i - 1];
    return NULL;
}

/*
 * True if the command is what was typed.  The kernel writes `?` for a character that its
 * log cannot have, and cuts a line that is too long.
 */
static bool is_as_typed(struct span text)
{
    return text.length < REQUEST_LINE_MAX && !memchr(text.at, '?', text.length);
}

static struct trace_msr_set msrs_of(const struct log *log)
{
    return (struct trace_msr_set){ log->cpu.id.vendor, log->cpu.row, log->cpu.lbr_depth,
                                   log->cpu.id.ds };
}

static const struct log *asked_log; /* for the two functions below */

static bool is_method(const char *name)
{
    return view_method(name);
}

static bool is_workload(const char *name)
{
    const struct span text = { name, strlen(name) };

    return own_workload(text) || brought_workload(asked_log, text);
}

/* A command as the kernel read it. */
struct asked {
    const struct told *command; /* NULL: there is none, or its text is not known */
    struct request request;
    const char *wrong; /* the answer to what is no command; valid until the next one */
};

static struct asked asked_of(const struct log *log)
{
    const struct request_names names = { msrs_of(log), is_method, is_workload };
    struct asked asked = { .command = newest_command(log) };
    char line[REQUEST_LINE_MAX + 1];

    if (!asked.command || !is_as_typed(asked.command->text)) {
        asked.command = NULL;
        return asked;
    }
    snprintf(line, sizeof(line), "%.*s", SPAN(asked.command->text));
    asked_log = log;
    asked.wrong = request_read(&asked.request, line, &names);
    return asked;
}

static bool asks_for_runs(const struct asked *asked)
{
    return asked->command && !asked->wrong && asked->request.what == REQUEST_RUN;
}

bool plan_was_made(struct log *log)
{
    struct asked asked = asked_of(log);

    return log->plan_line || !asks_for_runs(&asked) ||
           trouble(log, log->line,
                   "no plan for the command of line %zu, which asks for runs",
                   asked.command->line);
}

/* True if a list of names, "a,b", has this one, or is empty, which means all. */
static bool listed(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = list; *at; at += strcspn(at, ",") + 1) {
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
        if (!strchr(at, ','))
            return false;
    }
    return !*list;
}

/* How many different names a list has. */
static size_t names_in(const char *list)
{
    size_t count = 0;

    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
        const size_t length = strcspn(at, ",");
        bool again = false;

        for (const char *before = list; before < at && !again;
             before += strcspn(before, ",") + 1)
            again = strcspn(before, ",") == length && strncmp(before, at, length) == 0;
        count += !again;
    }
    return count;
}

static bool not_asked(struct log *log, const struct asked *asked, const char *what)
{
    return trouble(log, log->plan_line,
                   "plan: its %s are not those that the command of line %zu asks for", what,
                   asked->command->line);
}

static bool same_filters(const struct log *log, const char *filters)
{
    uint32_t filter;
    size_t n = 0;

    for (; *filters && filter_nth(filters, n, &filter); n++)
        if (n >= log->filter_count || log->filters[n] != filter)
            return false;
    return n == log->filter_count;
}

bool plan_is_as_asked(struct log *log)
{
    struct asked asked = asked_of(log);
    const struct request *request = &asked.request;
    bool methods = true, workloads = true;

    if (!asked.command)
        return true;
    if (!asks_for_runs(&asked))
        return trouble(log, log->plan_line,
                       "plan: the command of line %zu asks for no runs",
                       asked.command->line);
    for (size_t i = 0; i < log->method_count; i++)
        methods &= listed(request->methods, log->methods[i]->name);
    for (size_t i = 0; i < log->planned_count; i++)
        workloads &= listed(request->workloads, log->planned[i]->own->name);
    if (!methods || (*request->methods && names_in(request->methods) != log->method_count))
        return not_asked(log, &asked, "methods");
    if (!workloads ||
        (*request->workloads && names_in(request->workloads) != log->planned_count))
        return not_asked(log, &asked, "workloads");
    if (!same_filters(log, request->filters))
        return not_asked(log, &asked, "filters");
    return log->plan_runs == request->count * plan_once(log) ||
           trouble(log, log->plan_line,
                   "plan: runs=%llu, but the command of line %zu asks for %u times %zu",
                   (unsigned long long)log->plan_runs, asked.command->line, request->count,
                   plan_once(log));
}

bool parse_command(struct line *line)
{
    struct log *log = line->log;
    struct value v;

    if (log->plan_line && !log->by_command)
        return here(log, "command: a log has a plan or commands, not both");
    if (!log->by_command && !machine_told(log, "command"))
        return false;
    if (log->plan_line ? !plan_fulfilled(log) : !plan_was_made(log))
        return false;
    if (!line_fields(line, "text=q", &v))
        return false;
    log->by_command = true;
    next_plan(log);
    tell(line, TOLD_COMMAND, v.text);
    return true;
}

static bool behind_command(struct line *line)
{
    return line->log->by_command || trouble(line->log, line->log->line,
                                            "%.*s: no command before it", SPAN(line->word));
}

/* A line of the answer to `cpu`, counted from 0; empty: there are no more. */
static char *cpu_answer(const struct log *log, size_t line)
{
    const struct cpu_part *cpu = &log->cpu;

    if (line == 0)
        return format_text("%s family 0x%x model 0x%x stepping 0x%x microcode %.*s",
                           cpu->id.vendor, cpu->id.family, cpu->id.model, cpu->id.stepping,
                           SPAN(cpu->microcode));
    if (line == 1)
        return format_text(
            "%.*s%s%s%.*s", SPAN(cpu->brand), cpu->brand.length ? "" : "no brand",
            cpu->hypervisor.length ? ", under a hypervisor: " : "", SPAN(cpu->hypervisor));
    if (line == 2)
        return format_text("model %s, LBR %zu deep, %s, CPUID has %s",
                           cpu->row ? cpu->row->name : "unknown", cpu->lbr_depth,
                           cpu->row && cpu->row->bts ? "with BTS" : "no BTS",
                           cpu->id.ds ? "DS" : "no DS");
    return format_text("%s", "");
}

/* The next answer as it must be; empty: none may follow; NULL: it cannot be known here. */
static char *answer_wanted(const struct log *log)
{
    const struct asked asked = asked_of(log);
    size_t line = 0;

    if (!asked.command)
        return NULL;
    for (const struct told *told = asked.command; told < log->told + log->told_count;
         told++)
        line += told->kind == TOLD_ANSWER;
    if (asked.wrong)
        return format_text("%s", line == 0 ? asked.wrong : "");
    return asked.request.what == REQUEST_CPU ? cpu_answer(log, line) : NULL;
}

bool parse_answer(struct line *line)
{
    struct value v;
    char *want;
    bool good;

    if (!behind_command(line) || !line_fields(line, "text=q", &v))
        return false;
    want = answer_wanted(line->log);
    good = !want || span_is(v.text, want) ||
           trouble(line->log, line->log->line, "answer: got \"%.*s\", want %s%s%s",
                   SPAN(v.text), *want ? "\"" : "", *want ? want : "no more lines",
                   *want ? "\"" : "");
    free(want);
    tell(line, TOLD_ANSWER, v.text);
    return good;
}

/* Under the name that this program has for it on that model. */
static bool check_name(struct line *line, uint64_t number, struct span name)
{
    struct log *log = line->log;
    struct trace_msr_set set = msrs_of(log);
    struct trace_msr msr = { .number = 0 };
    const char *want = "unknown";

    if (number > UINT32_MAX)
        return here(log, "msr: want a number of 32 bits");
    if (trace_msr_numbered(&set, (uint32_t)number, &msr))
        want = msr.name;
    return span_is(name, want) ||
           trouble(log, log->line, "msr: got name=%.*s, want name=%s", SPAN(name), want);
}

/* The value that it was seen to have, or why none. */
static bool check_gives(struct line *line, struct span gives, bool is_write)
{
    uint64_t value;

    return span_is(gives, "#GP") || (is_write && span_is(gives, "unreadable")) ||
           read_hex(gives, &value) ||
           trouble(line->log, line->log->line, "msr: got gives=%.*s, want 0xN%s or #GP",
                   SPAN(gives), is_write ? ", unreadable" : "");
}

/* True if the access is to the register that the command names, with its value. */
static bool msr_is_as_asked(struct log *log, uint64_t number, bool is_write, uint64_t value)
{
    const struct asked asked = asked_of(log);
    const struct request *request = &asked.request;

    if (!asked.command)
        return true;
    if (!asked.wrong &&
        request->what == (is_write ? REQUEST_MSR_WRITE : REQUEST_MSR_READ) &&
        request->msr.number == number && (!is_write || request->value == value))
        return true;
    return trouble(log, log->line, "msr: the command of line %zu does not ask for this",
                   asked.command->line);
}

bool parse_msr(struct line *line)
{
    struct span all = whole(line);
    bool is_write = line_next_is(line, "write");
    struct value v[4];

    if (!behind_command(line) ||
        !line_fields(line, is_write ? "write=x name=w" : "read=x name=w", v) ||
        !check_name(line, v[0].number, v[1].text) ||
        (is_write && !line_fields(line, "value=x", v + 2)) ||
        !line_fields(line, "gives=w", v + 3) || !check_gives(line, v[3].text, is_write) ||
        !msr_is_as_asked(line->log, v[0].number, is_write, is_write ? v[2].number : 0))
        return false;
    tell(line, TOLD_LINE, all);
    return true;
}
