/*
 * The first fault of a log, and where it is.
 */
#include <stdarg.h>

#include "heap.h"
#include "parse.h"

bool trouble(struct log *log, size_t line, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    if (!log->trouble) {
        log->trouble = format_list(format, list);
        log->trouble_line = line;
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
    return trouble(log, log->line, "%s", sentence);
}
