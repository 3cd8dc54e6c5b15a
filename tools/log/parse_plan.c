/*
 * The plan: what runs must follow, every method with every workload.
 */
#include "parse.h"

#include <stdio.h>
#include <string.h>

#include "heap.h"
#include "log_run.h"

static const struct method_facts *method_in_log(struct span name)
{
    for (size_t i = 0; i < methods_known_count(); i++)
        if (span_is(name, methods_known[i].name))
            return &methods_known[i];
    return NULL;
}

static bool plan_method(struct log *log, struct span name)
{
    const struct method_facts *method = method_in_log(name);

    if (!method)
        return log_error(
            log, log->line,
            "plan: the method %.*s is not known here: the image was built from "
            "other sources than this program",
            SPAN(name));
    for (size_t i = 0; i < log->plan.method_count; i++)
        if (log->plan.methods[i] == method)
            return log_error(log, log->line, "plan: the method %.*s is listed twice",
                             SPAN(name));
    if (!facilities_logged(log, method->needs))
        return false;
    if (log->plan.method_count == METHODS_MAX)
        return log_error(log, log->line, "plan: more than %d methods", METHODS_MAX);
    log->plan.methods[log->plan.method_count++] = method;
    return true;
}

static bool plan_workload(struct log *log, struct span name)
{
    const struct loaded *loaded = loaded_named(log, name);

    if (!loaded)
        return log_error(log, log->line, "plan: no line \"workload name=%.*s\" before it",
                         SPAN(name));
    for (size_t i = 0; i < log->plan.workload_count; i++)
        if (log->plan.workloads[i] == loaded)
            return log_error(log, log->line, "plan: the workload %.*s is listed twice",
                             SPAN(name));
    log->plan.workloads =
        arena_grow(&log->memory, log->plan.workloads, &log->plan.workload_capacity,
                   log->plan.workload_count, sizeof(const struct loaded *));
    log->plan.workloads[log->plan.workload_count++] = loaded;
    return workload_complete(log, loaded);
}

static bool plan_filter(struct log *log, struct span name)
{
    uint32_t filter;

    if (!filter_read(name.at, name.length, &filter) || !span_is(name, filter_words(filter)))
        return log_error(
            log, log->line,
            "plan: got the filter %.*s, want none, callstack, or kernel, user, "
            "jcc, call, icall, ret, ijmp, jmp and far in this order with + "
            "between",
            SPAN(name));
    for (size_t i = 0; i < log->plan.filter_count; i++)
        if (log->plan.filters[i] == filter)
            return log_error(log, log->line, "plan: the filter %.*s is listed twice",
                             SPAN(name));
    log->plan.filters =
        arena_grow(&log->memory, log->plan.filters, &log->plan.filter_capacity,
                   log->plan.filter_count, sizeof(*log->plan.filters));
    log->plan.filters[log->plan.filter_count++] = filter;
    return true;
}

/* Names with commas between. */
static bool plan_list(struct log *log, struct span list,
                      bool (*take)(struct log *, struct span))
{
    while (true) {
        const char *comma = memchr(list.at, ',', list.length);
        struct span name = { list.at, comma ? (size_t)(comma - list.at) : list.length };

        if (!take(log, name))
            return false;
        if (!comma)
            return true;
        list.at = comma + 1;
        list.length -= name.length + 1;
    }
}

/* The first line of a plan has one of each list; those after it go on with one list. */
bool parse_plan(struct line *line)
{
    struct log *log = line->log;
    const struct plan_line *plan = &line->says.plan;
    const bool first = log->plan.line == 0;

    if (log->plan.closed)
        return here(log, "a plan after the first run");
    if (first && (!line_has_if(line, "methods", true) ||
                  !line_has_if(line, "workloads", true) || !machine_known(log)))
        return false;
    if (!line_has_if(line, "runs", first))
        return false;
    if ((plan->methods.at && !plan_list(log, plan->methods, plan_method)) ||
        (plan->workloads.at && !plan_list(log, plan->workloads, plan_workload)) ||
        (plan->filters.at && !plan_list(log, plan->filters, plan_filter)))
        return false;
    if (first) {
        log->plan.line = log->line;
        log->plan.runs = plan->runs.value;
    }
    return true;
}

/* Only a command says how often all of it is to be done. */
static bool right_count(const struct log *log)
{
    size_t once = plan_once(log);

    return log->by_command ? log->plan.runs && log->plan.runs % once == 0
                           : log->plan.runs == once;
}

static bool wrong_count(struct log *log)
{
    char processors[64];

    snprintf(processors, sizeof(processors), " on %zu processors", processors_of(log));
    return log_error(log, log->plan.line,
                     "plan: runs=%llu, but %zu methods and %zu workloads%s%s make %zu",
                     (unsigned long long)log->plan.runs, log->plan.method_count,
                     log->plan.workload_count,
                     log->plan.filter_count ? " with the filters" : "",
                     processors_of(log) > 1 ? processors : "", plan_once(log));
}

bool close_plan(struct log *log)
{
    if (log->plan.closed)
        return true;
    log->plan.closed = true;
    if (!log->plan.line)
        return here(log, "no plan before it");
    return (right_count(log) || wrong_count(log)) &&
           (!log->by_command || plan_is_as_asked(log));
}

bool plan_fulfilled(struct log *log)
{
    size_t runs = log->run_count - log->plan.first;

    return close_plan(log) &&
           (runs == log->plan.runs ||
            log_error(log, log->line, "%s%zu runs, but the plan has %llu",
                      log->ended ? "end: " : "command: ", runs,
                      (unsigned long long)log->plan.runs));
}

void next_plan(struct log *log)
{
    log->plan.first = log->run_count;
    log->plan.line = log->plan.method_count = log->plan.workload_count =
        log->plan.filter_count = 0;
    log->plan.runs = 0;
    log->plan.closed = false;
}
