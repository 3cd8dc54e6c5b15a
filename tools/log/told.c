/*
 * What a monitor said in a log of its own, line by line.
 */
#include "heap.h"
#include "parse.h"

void tell(struct line *line, enum told_kind kind, struct span text)
{
    struct log *log = line->log;

    log->told = more_room(log->told, &log->told_room, log->told_count, sizeof(*log->told));
    log->told[log->told_count++] =
        (struct told){ .line = log->line, .kind = kind, .text = text };
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
