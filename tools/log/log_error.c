/*
 * The first fault of a log, and where it is.
 */
#include <stdarg.h>

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
