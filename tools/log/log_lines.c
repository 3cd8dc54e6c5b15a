/* log_lines.h */
#include "log_lines.h"

#include <string.h>

#include "bytes.h"

bool log_line(const struct log *log, size_t *at, struct span *out)
{
    const char *from = log->bytes + *at;
    const char *end;

    if (*at >= log->length)
        return false;
    end = memchr(from, '\n', log->length - *at);
    out->at = from;
    out->length = end ? (size_t)(end - from) : log->length - *at;
    *at += out->length + (end ? 1 : 0);
    if (out->length > 0 && out->at[out->length - 1] == '\r')
        out->length--;
    return true;
}

bool log_next(struct log_lines *lines, struct span *body)
{
    static const char end[] = "end ";
    struct span line;

    if (lines->at == 0)
        lines->at = lines->log->begin;
    if (!log_line(lines->log, &lines->at, &line))
        return false;
    bytes_pass(lines->log, lines->at - line.length, lines->at);
    *body = line;
    body->length = log_body(line.at, line.length);
    if (body->length >= strlen(end) && memcmp(body->at, end, strlen(end)) == 0)
        lines->at = lines->log->length;
    return true;
}
