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

#include "asked.h"
#include "heap.h"
#include "request.h"
#include "trace_msr.h"

bool parse_command(struct line *line)
{
    struct log *log = line->log;
    struct value v;

    if (log->plan_line && !log->by_command)
        return here(log, "command: a log has a plan or commands, not both");
    if (!log->by_command && !machine_logged(log, "command"))
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
    return line->log->by_command ||
           log_error(line->log, line->log->line, "%.*s: no command before it",
                     SPAN(line->word));
}

/* For a person. */
bool parse_answer(struct line *line)
{
    struct value v;

    if (!behind_command(line) || !line_fields(line, "text=q", &v))
        return false;
    tell(line, TOLD_ANSWER, v.text);
    return true;
}

/* Under the name that this program has for it on that model. */
static bool check_name(struct line *line, uint64_t number, struct span name)
{
    struct log *log = line->log;
    struct trace_msr_set set = asked_msrs(log);
    struct trace_msr msr = { .number = 0 };
    const char *want = "unknown";

    if (number > UINT32_MAX)
        return here(log, "msr: want a number of 32 bits");
    if (trace_msr_numbered(&set, (uint32_t)number, &msr))
        want = msr.name;
    return span_is(name, want) ||
           log_error(log, log->line, "msr: got name=%.*s, want name=%s", SPAN(name), want);
}

/* The value that it was seen to have, or why none. */
static bool check_gives(struct line *line, struct span gives, bool is_write)
{
    uint64_t value;

    return span_is(gives, "#GP") || (is_write && span_is(gives, "unreadable")) ||
           read_hex(gives, &value) ||
           log_error(line->log, line->log->line, "msr: got gives=%.*s, want 0xN%s or #GP",
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
    return log_error(log, log->line, "msr: the command of line %zu does not ask for this",
                     asked.command->line);
}

bool parse_msr(struct line *line)
{
    struct span all = line_whole(line);
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
