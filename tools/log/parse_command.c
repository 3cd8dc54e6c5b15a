/*
 * The monitor's commands, and what was answered to them.
 *
 * A log has a plan, or commands; each command may have a plan of its own, and what was
 * planned for one is over before the next.  A command is read by the kernel's own code
 * (common/request/request.c), and what follows it must be what it asks for.
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

    if (log->plan.line && !log->by_command)
        return here(log, "command: a log has a plan or commands, not both");
    if (!log->by_command && !machine_logged(log, "command"))
        return false;
    if (log->plan.line ? !plan_fulfilled(log) : !plan_was_made(log))
        return false;
    log->by_command = true;
    next_plan(log);
    keep_logged(line, LOGGED_COMMAND, line->says.text.text);
    return true;
}

static bool after_command(struct line *line)
{
    return line->log->by_command ||
           log_error(line->log, line->log->line, "%.*s: no command before it",
                     SPAN(line->word));
}

/* For a person. */
bool parse_answer(struct line *line)
{
    if (!after_command(line))
        return false;
    keep_logged(line, LOGGED_ANSWER, line->says.text.text);
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
    const struct msr_line *msr = &line->says.msr;
    const bool is_write = msr->write.is;
    const uint64_t number = is_write ? msr->write.value : msr->read.value;

    if (!after_command(line) || !line_has_if(line, "read", !is_write) ||
        !line_has_if(line, "value", is_write) || !check_name(line, number, msr->name) ||
        !check_gives(line, msr->gives, is_write) ||
        !msr_is_as_asked(line->log, number, is_write, msr->value.value))
        return false;
    keep_logged(line, LOGGED_LINE, line_whole(line));
    return true;
}
