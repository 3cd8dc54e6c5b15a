/*
 * The monitor's commands, and what was answered to them.
 *
 * A log has a plan, or commands; each command may have a plan of its own, and what was
 * planned for one is over before the next.
 */
#include "parse.h"

#include "heap.h"
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

bool parse_command(struct line *line)
{
    struct log *log = line->log;
    struct value v;

    if (log->plan_line && !log->by_command)
        return here(log, "command: a log has a plan or commands, not both");
    if (!log->by_command && !machine_told(log, "command"))
        return false;
    if (log->plan_line && !plan_fulfilled(log))
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
    struct trace_msr_set set = { log->cpu.id.vendor, log->cpu.row, log->cpu.lbr_depth,
                                 log->cpu.id.ds };
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

bool parse_msr(struct line *line)
{
    struct span all = whole(line);
    bool is_write = line_next_is(line, "write");
    struct value v[4];

    if (!behind_command(line) ||
        !line_fields(line, is_write ? "write=x name=w" : "read=x name=w", v) ||
        !check_name(line, v[0].number, v[1].text) ||
        (is_write && !line_fields(line, "value=x", v + 2)) ||
        !line_fields(line, "gives=w", v + 3) || !check_gives(line, v[3].text, is_write))
        return false;
    tell(line, TOLD_LINE, all);
    return true;
}
