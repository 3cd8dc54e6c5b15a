/*
 * The lines `data`: a run too long to read, in base64.
 *
 * What they unpack to is walked through once when the run ends, so that no verb has
 * to doubt it later.
 */
#include "parse.h"

bool parse_data(struct line *line)
{
    struct run *run = &line->log->runs[line->log->run_count - 1];

    if (!run->packed)
        return trouble(line->log, line->log->line, "data: no line packed before it");
    return line_base64(line, run->items_line, NULL, &run->packed_so_far, run->packed);
}

/* Whether the method can have made such a record. */
static bool plausible(const struct method_view *method, const struct branch *record)
{
    if (!method->stops)
        return record->info == 0;
    return record->from == BRANCH_UNKNOWN &&
           record->info <= (method->sampled ? LATE_MAX : STOP_NOT_TAKEN);
}

bool check_packed(struct log *log, const struct run *run)
{
    static struct unfold unfold;
    struct branch record;

    if (run->packed_so_far != run->packed)
        return trouble(
            log, run->items_line, "packed: bytes=%llu, but the data lines hold %llu",
            (unsigned long long)run->packed, (unsigned long long)run->packed_so_far);
    unfold_of(&unfold, log, run);
    for (uint64_t i = 0; run->packed && i < run->records; i++)
        if (!unfold.records.next(&unfold.records, &record) ||
            !plausible(run->method, &record))
            return trouble(log, run->items_line,
                           "packed: record %llu cannot be unpacked to one of %s",
                           (unsigned long long)i + 1, run->method->name);
    return true;
}
