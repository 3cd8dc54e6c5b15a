/*
 * The lines of a run's records, each taken from the log whenever it is wanted: they are
 * not kept, so that memory does not grow with the trace.
 *
 * Each was looked at when the log was read.  Were it another one by now, in a file that
 * somebody writes to, the records would end there.
 */
#include "items.h"

#include <string.h>

#include "line.h"
#include "parse.h"

#define TIMES_MAX (1ull << 32)

/* "xN", N from `least`. */
static bool read_times(struct line *line, struct span word, uint64_t least, uint64_t *out)
{
    struct span number = { word.at + 1, word.length - 1 };

    return (word.at[0] == 'x' && read_decimal(number, out) && *out >= least &&
            *out <= TIMES_MAX) ||
           log_error(line->log, line->log->line,
                     "%.*s: got %.*s, want xN with N from %llu to 2^32", SPAN(line->word),
                     SPAN(word), (unsigned long long)least);
}

bool rest_times(struct line *line, uint64_t *out)
{
    struct span word;

    *out = 1;
    return line->rest.length == 0 ||
           (line_word(line, "xN", &word) && read_times(line, word, 2, out));
}

static bool read_branch(struct line *line, const struct run *run, const struct log_map *map,
                        struct item *out)
{
    if (run->method->stops)
        return log_error(line->log, line->log->line, "branch: the records of %s are stops",
                         run->method->name);
    return place_read(line, map, LOG_FROM, "FROM", &out->branch.from) &&
           place_read(line, map, LOG_TO, "TO", &out->branch.to) &&
           rest_times(line, &out->times);
}

/* How many events behind its own a counter's stop came, where it did. */
static bool read_late(struct line *line, struct item *out)
{
    struct value late;

    if (line_next_is(line, "late")) {
        if (!line_fields(line, "late=d", &late))
            return false;
        if (late.number == 0 || late.number > LATE_MAX)
            return log_error(line->log, line->log->line,
                             "stop: got late=%.*s, want a number from 1 to 2^32 - 1",
                             SPAN(late.text));
        out->branch.info = late.number;
    }
    return rest_times(line, &out->times);
}

static bool read_stop(struct line *line, const struct run *run, const struct log_map *map,
                      struct item *out)
{
    struct span word = { "", 0 };

    if (!run->method->stops)
        return log_error(line->log, line->log->line, "stop: the records of %s are branches",
                         run->method->name);
    out->branch.from = BRANCH_UNKNOWN;
    if (!place_read(line, map, LOG_TO, "TO", &out->branch.to))
        return false;
    if (run->method->sampled)
        return read_late(line, out);
    out->times = 1;
    if (line->rest.length > 0 && !line_word(line, "taken, not-taken or xN", &word))
        return false;
    if (span_is(word, "taken"))
        out->branch.info = STOP_TAKEN;
    else if (span_is(word, "not-taken"))
        out->branch.info = STOP_NOT_TAKEN;
    else if (word.length > 0 && !read_times(line, word, 2, &out->times))
        return false;
    return !out->branch.info || rest_times(line, &out->times);
}

static bool read_again(struct line *line, uint64_t so_far, struct item *out)
{
    struct span word;
    uint64_t again;

    if (!line_word(line, "how many records", &word))
        return false;
    if (!read_decimal(word, &again) || again == 0 || again > FOLD_REACH || again > so_far)
        return log_error(
            line->log, line->log->line,
            "again: got %.*s, want a number of records from 1 to %d, of %llu so far",
            SPAN(word), FOLD_REACH, (unsigned long long)so_far);
    out->again = (uint32_t)again;
    return line_word(line, "xN", &word) && read_times(line, word, 1, &out->times);
}

static bool read_packed(struct line *line, struct item *out)
{
    struct value v[3];

    if (!line_fields(line, "records=d bytes=d", v))
        return false;
    if (v[0].number == 0 || v[1].number == 0 || v[1].number > PACKED_MAX)
        return log_error(
            line->log, line->log->line,
            "packed: got records=%.*s bytes=%.*s, want at least 1 of each and at "
            "most %u bytes",
            SPAN(v[0].text), SPAN(v[1].text), PACKED_MAX);
    if (!line_next_is(line, "coder"))
        return log_error(
            line->log, line->log->line,
            "packed: in an earlier way, which this program does not read: take "
            "the program of the log's own build");
    if (!line_fields(line, "coder=d", v + 2))
        return false;
    if (v[2].number != PACK_CODER)
        return log_error(line->log, line->log->line,
                         "packed: got coder=%.*s, this program reads coder=%d",
                         SPAN(v[2].text), PACK_CODER);
    out->times = v[0].number;
    out->packed = v[1].number;
    if (!line_next_is(line, "run"))
        return true;
    if (!line_fields(line, "run=d", v))
        return false;
    out->run = v[0].number;
    return out->run || log_error(line->log, line->log->line,
                                 "packed: got run=0, want the number of an earlier run");
}

bool item_read(struct line *line, const struct run *run, const struct log_map *map,
               uint64_t so_far, struct item *out)
{
    *out = (struct item){ .line = line->log->line };
    if (span_is(line->word, "branch"))
        return read_branch(line, run, map, out);
    if (span_is(line->word, "stop"))
        return read_stop(line, run, map, out);
    if (span_is(line->word, "again"))
        return read_again(line, so_far, out);
    return span_is(line->word, "packed") && read_packed(line, out);
}

uint64_t item_records(const struct item *item)
{
    return item->again ? item->again * item->times : item->times;
}

void items_of(struct items *items, const struct log *log, const struct run *run)
{
    *items = (struct items){ .log = (struct log *)log, /* for the trouble said above */
                             .run = run,
                             .map = map_of(log, run->workload),
                             .lines = { log, run->items_at },
                             .line = run->items_line - 1 };
}

/* The next line but for notes, which stand anywhere. */
static bool next_line(struct items *items, struct line *line)
{
    struct span body;

    do {
        if (!log_next(&items->lines, &body) || !line_begin(line, items->log, body))
            return false;
        items->line++;
    } while (span_is(line->word, "note"));
    return true;
}

bool items_next(struct items *items, struct item *out)
{
    struct line line;

    if (items->given == items->run->item_count || !next_line(items, &line) ||
        !item_read(&line, items->run, &items->map, items->records, out))
        return false;
    out->line = items->line;
    items->given++;
    items->records += item_records(out);
    return true;
}

size_t items_bytes(struct items *items, uint8_t bytes[LOG_LINE_MAX])
{
    struct line line;
    uint64_t count = 0;

    if (!next_line(items, &line) || !span_is(line.word, "data") ||
        !line_base64(&line, items->run->items_line, bytes, &count, LOG_LINE_MAX))
        return 0;
    return count;
}
