/*
 * What is wrong: the first fault of a log, where its reading ends, and what the judge
 * found.
 */
#include "findings.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "parse.h"

bool log_error(struct log *log, size_t line, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    if (!log->log_error) {
        log->log_error = arena_keep(&log->memory, format_list(format, list));
        log->error_line = line;
    }
    va_end(list);
    return false;
}

char *where_text(const struct log *log, size_t line)
{
    return line ? format_text("%s:%zu", log->name, line) : format_text("%s", log->name);
}

bool here(struct log *log, const char *sentence)
{
    return log_error(log, log->line, "%s", sentence);
}

void complain(struct log *log, struct complaint complaint)
{
    struct findings *all = &log->findings;

    all->complaints = arena_grow(&log->memory, all->complaints, &all->complaint_capacity,
                                 all->complaint_count, sizeof(*all->complaints));
    arena_keep(&log->memory, complaint.claim);
    arena_keep(&log->memory, complaint.what);
    all->complaints[all->complaint_count++] = complaint;
}

void complain_of_runs(struct log *log, const struct run *run, const char *rule, char *claim,
                      char *what)
{
    complain(log, (struct complaint){ .rule = rule,
                                      .method = run->method->name,
                                      .subject = run->workload->own->name,
                                      .line = run->end_line,
                                      .claim = claim,
                                      .what = what });
}

bool complaints_of_one(const struct complaint *a, const struct complaint *b)
{
    return a->other && b->other && a->method == b->method && a->subject == b->subject &&
           a->processor == b->processor && a->filter == b->filter;
}

struct finding *run_found(struct run *run, enum finding_kind kind, const char *rule,
                          size_t where, char *why)
{
    struct run_findings *all = &run->findings;

    if (!why)
        return NULL;
    all->at =
        arena_grow(&all->memory, all->at, &all->capacity, all->count, sizeof(*all->at));
    all->at[all->count] = (struct finding){
        .rule = rule_named(rule),
        .kind = kind,
        .where = where,
        .why = arena_keep(&all->memory, why),
    };
    return &all->at[all->count++];
}

struct finding *run_broke(struct run *run, const char *rule, size_t where, char *why)
{
    return run_found(run, BROKEN, rule, where, why);
}

bool run_has_no_fault(const struct run *run)
{
    for (size_t i = 0; i < run->findings.count; i++)
        if (run->findings.at[i].kind != NOTED)
            return false;
    return true;
}

bool run_found_by(const struct run *run, const char *rule)
{
    for (size_t i = 0; i < run->findings.count; i++)
        if (strcmp(run->findings.at[i].rule->name, rule) == 0)
            return true;
    return false;
}
