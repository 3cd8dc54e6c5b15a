/*
 * What is wrong: the first fault of a log, where its reading ends, and what the judge
 * found.
 */
#include "findings.h"

#include <stdarg.h>
#include <stdlib.h>

#include "count_of.h"
#include "heap.h"
#include "parse.h"

bool log_error(struct log *log, size_t line, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    if (!log->log_error) {
        log->log_error = format_list(format, list);
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
    log->findings.complaints =
        grow(log->findings.complaints, &log->findings.complaint_capacity,
             log->findings.complaint_count, sizeof(*log->findings.complaints));
    log->findings.complaints[log->findings.complaint_count++] = complaint;
}

bool complaints_of_one(const struct complaint *a, const struct complaint *b)
{
    return a->other && b->other && a->method == b->method && a->subject == b->subject &&
           a->processor == b->processor && a->filter == b->filter;
}

void context_free(struct context *c)
{
    for (size_t i = 0; c && i < COUNT_OF(c->rows); i++) {
        free(c->rows[i].got);
        free(c->rows[i].want);
    }
    free(c);
}

void run_found(struct run *run, enum verdict verdict, size_t where, char *why)
{
    if (verdict < run->verdict) {
        free(why);
        return;
    }
    run->verdict = verdict;
    run->where = where;
    free(run->why); /* of what was measured before it failed */
    context_free(run->context);
    run->why = why;
    run->context = NULL;
}
