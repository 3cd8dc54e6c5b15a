/*
 * The lines `packed` and `data`: a run too long to read, in base64.
 *
 * What they unpack to is walked through once when the run ends, so that no verb has
 * to doubt it later.
 */
#include "parse.h"

#include <stdlib.h>

#define PACKED_MAX (1u << 26) /* bytes; the longest run of a default log makes 2^17 */

static struct run *this_run(const struct line *line)
{
    return &line->log->runs[line->log->run_count - 1];
}

static struct item *last_item(struct run *run)
{
    return run->item_count ? &run->items[run->item_count - 1] : NULL;
}

bool parse_packed(struct line *line)
{
    struct log *log = line->log;
    struct value v[2];
    struct item item = { .again = 0 };

    if (!line_fields(line, "records=d bytes=d", v))
        return false;
    if (v[0].number == 0 || v[1].number == 0 || v[1].number > PACKED_MAX)
        return trouble(
            log, log->line,
            "packed: got records=%.*s bytes=%.*s, want at least 1 of each and at "
            "most %u bytes",
            SPAN(v[0].text), SPAN(v[1].text), PACKED_MAX);
    item.times = v[0].number;
    item.packed_room = v[1].number;
    item.packed = calloc(item.packed_room, 1);
    if (!item.packed)
        return trouble(log, log->line, "packed: no memory for %zu bytes", item.packed_room);
    if (this_run(line)->item_count == 0)
        return add_item(line, item);
    free((uint8_t *)item.packed);
    return trouble(log, log->line, "packed: a packed run has no other records");
}

bool parse_data(struct line *line)
{
    struct item *item = last_item(this_run(line));

    if (!item || !item->packed)
        return trouble(line->log, line->log->line, "data: no line packed before it");
    return line_base64(line, item->line, (uint8_t *)item->packed, &item->packed_size,
                       item->packed_room);
}

/* Whether the method can have made such a record. */
static bool plausible(const struct method_view *method, const struct branch *record)
{
    if (!method->stops)
        return record->info == 0;
    return record->from == BRANCH_UNKNOWN && record->info <= STOP_NOT_TAKEN;
}

static bool check_item(struct log *log, const struct run *run, const struct item *item)
{
    static struct pack pack;
    struct branch record;

    if (item->packed_size != item->packed_room)
        return trouble(log, item->line, "packed: bytes=%zu, but the data lines hold %zu",
                       item->packed_room, item->packed_size);
    unpack_begin(&pack, item->packed, item->packed_size);
    for (uint64_t i = 0; i < item->times; i++)
        if (!unpack_next(&pack, &record) || !plausible(run->method, &record))
            return trouble(log, item->line,
                           "packed: record %llu cannot be unpacked to one of %s",
                           (unsigned long long)i + 1, run->method->name);
    return true;
}

bool check_packed(struct log *log, const struct run *run)
{
    for (size_t i = 0; i < run->item_count; i++)
        if (run->items[i].packed && !check_item(log, run, &run->items[i]))
            return false;
    return true;
}

void packed_free(struct run *run)
{
    for (size_t i = 0; i < run->item_count; i++)
        free((uint8_t *)run->items[i].packed);
}
