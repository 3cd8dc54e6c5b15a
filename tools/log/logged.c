/*
 * What a monitor said in a log of its own, line by line.
 */
#include "heap.h"
#include "parse.h"

void tell(struct line *line, enum logged_kind kind, struct span text)
{
    struct log *log = line->log;

    log->logged =
        grow(log->logged, &log->logged_capacity, log->logged_count, sizeof(*log->logged));
    log->logged[log->logged_count++] =
        (struct logged){ .line = log->line, .kind = kind, .text = text };
}

/* The line as it stands, whatever was read of it. */
struct span line_whole(const struct line *line)
{
    const char *end = line->rest.at + line->rest.length;

    return (struct span){ line->word.at, (size_t)(end - line->word.at) };
}

void tell_facility(struct line *line)
{
    if (line->log->by_command)
        tell(line, TOLD_FACILITY, line_whole(line));
}
