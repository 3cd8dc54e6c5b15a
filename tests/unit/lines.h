/*
 * Lines of records in a log that is made by hand: log.bytes is the test's, with room.
 */
#pragma once

#include <string.h>

#include "portable.h"
#include "tools/log/items.h"
#include "tools/log/place.h"

static inline void line_sealed(struct log *log, struct text *line)
{
    struct log_chain nobody_checks = { 0, 0 };

    log_seal(&nobody_checks, line);
    text_string(line, "\n");
    memcpy(log->bytes + log->length, line->at, line->length);
    log->length += line->length;
}

/* One more item of a run, whose items must follow each other. */
static inline void line_of_item(struct log *log, struct run *run, const struct item *item)
{
    char buffer[LOG_LINE_MAX + 1];
    struct text line = text_into(buffer, sizeof(buffer));
    struct log_map map = map_of(log, run->workload);

    if (run->item_count++ == 0)
        run->items_at = log->length;
    run->records += item_records(item);
    text_string(&line, item->again ? "again " : run->method->stops ? "stop " : "branch ");
    if (item->again)
        text_decimal(&line, item->again);
    if (!item->again && !run->method->stops) {
        log_put_end(&line, &map, item->branch.from, LOG_FROM);
        text_string(&line, " ");
    }
    if (!item->again)
        log_put_end(&line, &map, item->branch.to, LOG_TO);
    if (item->branch.info)
        text_string(&line, item->branch.info == STOP_TAKEN ? " taken" : " not-taken");
    if (item->again || item->times > 1) {
        text_string(&line, " x");
        text_decimal(&line, item->times);
    }
    line_sealed(log, &line);
}

/* A run of these packed bytes alone. */
static inline void lines_of_packed(struct log *log, struct run *run, const uint8_t *bytes,
                                   size_t size, uint64_t records)
{
    char buffer[LOG_LINE_MAX + 1];
    struct text line = text_into(buffer, sizeof(buffer));

    run->item_count = 1;
    run->items_at = log->length;
    run->packed = size;
    run->records = records;
    text_string(&line, "packed records=");
    text_decimal(&line, records);
    text_string(&line, " bytes=");
    text_decimal(&line, size);
    text_string(&line, " coder=");
    text_decimal(&line, PACK_CODER);
    line_sealed(log, &line);
    for (size_t at = 0; at < size; at += 100) {
        line = text_into(buffer, sizeof(buffer));
        text_string(&line, "data ");
        text_base64(&line, bytes + at, size - at < 100 ? size - at : 100);
        line_sealed(log, &line);
    }
}
