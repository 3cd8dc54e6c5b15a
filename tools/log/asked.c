/*
 * What a monitor logged, line by line, and its newest command, which is read by the
 * kernel's own code (common/request/request.c).
 */
#include "asked.h"

#include <stdio.h>
#include <string.h>

#include "heap.h"
#include "parse.h"
#include "words.h"

void keep_logged(struct line *line, enum logged_kind kind, struct span text)
{
    struct log *log = line->log;

    log->logged = arena_grow(&log->memory, log->logged, &log->logged_capacity,
                             log->logged_count, sizeof(*log->logged));
    log->logged[log->logged_count++] =
        (struct logged){ .line = log->line, .kind = kind, .text = text };
}

/* The line as it stands, whatever was read of it. */
struct span line_whole(const struct line *line)
{
    const char *end = line->rest.at + line->rest.length;

    return (struct span){ line->word.at, (size_t)(end - line->word.at) };
}

/* The newest command, or NULL. */
static const struct logged *newest_command(const struct log *log)
{
    for (size_t i = log->logged_count; i > 0; i--)
        if (log->logged[i - 1].kind == LOGGED_COMMAND)
            return &log->logged[i - 1];
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

struct trace_msr_set asked_msrs(const struct log *log)
{
    return (struct trace_msr_set){ log->machine.cpu.id.vendor, log->machine.cpu.row,
                                   log->machine.cpu.lbr_depth, log->machine.cpu.id.ds };
}

static const struct log *asked_log; /* for the two functions below */

static bool is_method(const char *name)
{
    return method_named(name);
}

static bool is_workload(const char *name)
{
    const struct span text = { name, strlen(name) };

    return own_workload(text) || bundled_workload(asked_log, text);
}

struct asked asked_of(const struct log *log)
{
    const struct request_names names = { asked_msrs(log), is_method, is_workload };
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

    return log->plan.line || !asks_for_runs(&asked) ||
           log_error(log, log->line,
                     "no plan for the command of line %zu, which asks for runs",
                     asked.command->line);
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
    return log_error(log, log->plan.line,
                     "plan: its %s are not those that the command of line %zu asks for",
                     what, asked->command->line);
}

static bool same_filters(const struct log *log, const char *filters)
{
    uint32_t filter;
    size_t n = 0;

    for (; *filters && filter_nth(filters, n, &filter); n++)
        if (n >= log->plan.filter_count || log->plan.filters[n] != filter)
            return false;
    return n == log->plan.filter_count;
}

bool plan_is_as_asked(struct log *log)
{
    struct asked asked = asked_of(log);
    const struct request *request = &asked.request;
    bool methods = true, workloads = true;

    if (!asked.command)
        return true;
    if (!asks_for_runs(&asked))
        return log_error(log, log->plan.line,
                         "plan: the command of line %zu asks for no runs",
                         asked.command->line);
    for (size_t i = 0; i < log->plan.method_count; i++)
        methods &=
            !*request->methods || listed(request->methods, log->plan.methods[i]->name);
    for (size_t i = 0; i < log->plan.workload_count; i++)
        workloads &= !*request->workloads ||
                     listed(request->workloads, log->plan.workloads[i]->own->name);
    if (!methods ||
        (*request->methods && names_in(request->methods) != log->plan.method_count))
        return not_asked(log, &asked, "methods");
    if (!workloads ||
        (*request->workloads && names_in(request->workloads) != log->plan.workload_count))
        return not_asked(log, &asked, "workloads");
    if (!same_filters(log, request->options.filters))
        return not_asked(log, &asked, "filters");
    return log->plan.runs == request->count * plan_once(log) ||
           log_error(log, log->plan.line,
                     "plan: runs=%llu, but the command of line %zu asks for %u times %zu",
                     (unsigned long long)log->plan.runs, asked.command->line,
                     request->count, plan_once(log));
}
