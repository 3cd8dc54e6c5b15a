/*
 * The lines `data`: a run too long to read, in base64.
 */
#include "parse.h"

bool parse_data(struct line *line)
{
    struct run *run = &line->log->runs[line->log->run_count - 1];

    if (!run->packed)
        return log_error(line->log, line->log->line, "data: no line packed before it");
    return line_base64(line, run->items_line, NULL, &run->packed_so_far, run->packed);
}

bool check_packed(struct log *log, const struct run *run)
{
    return run->packed_so_far == run->packed ||
           log_error(
               log, run->items_line, "packed: bytes=%llu, but the data lines hold %llu",
               (unsigned long long)run->packed, (unsigned long long)run->packed_so_far);
}
