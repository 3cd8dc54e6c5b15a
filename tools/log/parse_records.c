/*
 * The lines of a run's records: `branch`, `stop`, `again`, `packed`, `packets` and `data`.
 */
#include "parse.h"

#include <stdlib.h>
#include <string.h>

#include "fold.h"
#include "heap.h"
#include "pack.h"

#define TIMES_MAX  (1ull << 32)
#define PACKED_MAX (1u << 26) /* bytes; the longest run of a default log makes 2^17 */

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

/* The run's lines, with a check that another line of records or of bytes may follow. */
static struct run_lines *lines_for(struct line *line, bool packed, bool packets)
{
    struct log *log = line->log;
    struct run *run = &log->runs[log->run_count - 1];

    if (run->info_count > 0) {
        log_error(log, log->line, "%.*s: it comes after the lines info", SPAN(line->word));
        return NULL;
    }
    if (run->method->packets != packets) {
        log_error(log, log->line, "%.*s: %s %s", SPAN(line->word), run->method->name,
                  packets ? "has records" : "has packets instead of records");
        return NULL;
    }
    if (run->lines && (run->lines->bytes || packed || packets)) {
        log_error(log, log->line, "%.*s: a packed run has no other records",
                  SPAN(line->word));
        return NULL;
    }
    if (!run->lines) {
        run->lines = arena_keep(&line->log->memory, zeroed(1, sizeof(*run->lines)));
        *run->lines = (struct run_lines){ .line = log->line };
    }
    return run->lines;
}

static bool count_records(struct line *line, uint64_t records)
{
    struct run *run = &line->log->runs[line->log->run_count - 1];

    run->records += records;
    return run->records <= RUN_RECORDS_MAX ||
           log_error(line->log, line->log->line,
                     "more than %u records in one run, which no workload makes",
                     RUN_RECORDS_MAX);
}

static bool add_line(struct line *line, const struct branch *branch, uint64_t again,
                     uint64_t times)
{
    struct run_lines *lines = lines_for(line, false, false);

    if (!lines || !count_records(line, again ? again * times : times))
        return false;
    lines->at = arena_grow(&line->log->memory, lines->at, &lines->capacity, lines->count,
                           sizeof(*lines->at));
    lines->at[lines->count++] =
        (struct record_line){ *branch, (uint32_t)again, (uint32_t)times,
                              (uint32_t)line->log->line };
    return true;
}

bool parse_branch(struct line *line)
{
    const struct run *run = &line->log->runs[line->log->run_count - 1];
    const struct log_map map = map_of(line->log, run->workload);
    struct branch branch = { 0 };
    uint64_t times;

    if (run->method->stops)
        return log_error(line->log, line->log->line, "branch: the records of %s are stops",
                         run->method->name);
    return place_read(line, &map, LOG_FROM, "FROM", &branch.from) &&
           place_read(line, &map, LOG_TO, "TO", &branch.to) &&
           (branch.to != BRANCH_UNKNOWN || branch.from == BRANCH_UNKNOWN ||
            here(line->log, "branch: got TO=?, want FROM=? too: both mark a gap")) &&
           rest_times(line, &times) && add_line(line, &branch, 0, times);
}

/* `late=N`: the counter's interrupt came N events after its overflow. */
static bool read_late(struct line *line, struct branch *stop)
{
    const struct log_field late = { "late", LOG_DECIMAL, .size = sizeof(stop->info) };
    struct span value;

    if (!line_next_is(line, "late"))
        return true;
    return line_field(line, &late, &stop->info, &value) &&
           ((stop->info > 0 && stop->info <= LATE_MAX) ||
            log_error(line->log, line->log->line,
                      "stop: got late=%.*s, want a number from 1 to 2^32 - 1",
                      SPAN(value)));
}

/* The optional words after the place of a stop of single-stepping. */
static bool read_taken(struct line *line, struct branch *stop, uint64_t *times)
{
    struct span word;

    *times = 1;
    if (line->rest.length == 0)
        return true;
    if (!line_word(line, "taken, not-taken or xN", &word))
        return false;
    if (span_is(word, "taken"))
        stop->info = STOP_TAKEN;
    else if (span_is(word, "not-taken"))
        stop->info = STOP_NOT_TAKEN;
    else
        return read_times(line, word, 2, times);
    return rest_times(line, times);
}

bool parse_stop(struct line *line)
{
    const struct run *run = &line->log->runs[line->log->run_count - 1];
    const struct log_map map = map_of(line->log, run->workload);
    struct branch stop = { .from = BRANCH_UNKNOWN };
    uint64_t times;

    if (!run->method->stops)
        return log_error(line->log, line->log->line, "stop: the records of %s are branches",
                         run->method->name);
    return place_read(line, &map, LOG_TO, "TO", &stop.to) &&
           (run->method->sampled ? read_late(line, &stop) && rest_times(line, &times)
                                 : read_taken(line, &stop, &times)) &&
           add_line(line, &stop, 0, times);
}

bool parse_again(struct line *line)
{
    const struct run *run = &line->log->runs[line->log->run_count - 1];
    const struct branch none = { 0 };
    struct span word;
    uint64_t again, times;

    if (!line_word(line, "how many records", &word))
        return false;
    if (!read_decimal(word, &again) || again == 0 || again > FOLD_REACH ||
        again > run->records)
        return log_error(
            line->log, line->log->line,
            "again: got %.*s, want a number of records from 1 to %d, of %llu so far",
            SPAN(word), FOLD_REACH, (unsigned long long)run->records);
    return line_word(line, "xN", &word) && read_times(line, word, 1, &times) &&
           add_line(line, &none, again, times);
}

void damage_run(struct log *log)
{
    struct run *run = &log->runs[log->run_count - 1];

    run->lines = NULL;
    run->records = run->info_count = 0;
    run->ran.tries.count = 0;
    run->ran.outcome = GONE;
    run->skipped = false;
    run->damaged = true;
    run->end_line = log->damage.newest;
    log->in_run = false;
    log->damage.resuming = true;
}

/* `run=N`: this run's packed records are identical to those of run N. */
static bool share_packed(struct line *line, uint64_t number, uint64_t records,
                         uint64_t bytes)
{
    struct log *log = line->log;
    struct run *run = &log->runs[log->run_count - 1], *of = log->runs;

    if (number == 0)
        return log_error(log, log->line,
                         "packed: got run=0, want the number of an "
                         "earlier run");
    while (of < run && of->number != number)
        of++;
    if (of < run && of->damaged) {
        damage_run(log);
        return true;
    }
    if (of == run || of->workload != run->workload || !of->lines || !of->lines->bytes ||
        of->lines->size != bytes || of->records != records)
        return log_error(
            log, log->line,
            "packed: run=%llu: want an earlier run of %s with as many records, packed "
            "into as many bytes",
            (unsigned long long)number, run->workload->own->name);
    run->lines = of->lines;
    return count_records(line, records);
}

bool parse_packed(struct line *line)
{
    struct log *log = line->log;
    const struct packed_line *packed = &line->says.packed;
    const uint64_t records = packed->records, bytes = packed->bytes, coder = packed->coder;
    struct run_lines *lines = lines_for(line, true, false);

    if (!lines)
        return false;
    if (records == 0 || bytes == 0 || bytes > PACKED_MAX)
        return log_error(log, log->line,
                         "packed: got records=%llu bytes=%llu, want at least 1 of each and "
                         "at most %u bytes",
                         (unsigned long long)records, (unsigned long long)bytes,
                         PACKED_MAX);
    if (coder != PACK_CODER)
        return log_error(log, log->line,
                         "packed: got coder=%llu, this program reads coder=%d",
                         (unsigned long long)coder, PACK_CODER);
    if (packed->run.is)
        return share_packed(line, packed->run.value, records, bytes);
    if (!count_records(line, records))
        return false;
    lines->size = bytes;
    lines->bytes = arena_keep(&log->memory, zeroed(lines->size, 1));
    return true;
}

bool parse_data(struct line *line)
{
    struct log *log = line->log;
    struct run_lines *lines = log->runs[log->run_count - 1].lines;

    if (!lines || !lines->bytes)
        return log_error(log, log->line, "data: no line packed or packets before it");
    return line_base64(line, lines->line, lines->bytes, &lines->got, lines->size);
}

bool parse_packets(struct line *line)
{
    struct log *log = line->log;
    const struct packets_line *packets = &line->says.packets;
    const bool is_packed = packets->packed.is;
    const struct log_number *buffer = &log->runs[log->run_count - 1].asked.buffer;
    struct run_lines *lines = lines_for(line, false, true);

    if (!lines)
        return false;
    if (packets->bytes > PACKED_MAX || packets->packed.value > PACKED_MAX)
        return log_error(log, log->line, "packets: got bytes=%llu, want at most %u",
                         (unsigned long long)packets->bytes, PACKED_MAX);
    if (buffer->is && packets->bytes > buffer->value)
        return log_error(
            log, log->line, "packets: got bytes=%llu, want at most the run's buffer=%llu",
            (unsigned long long)packets->bytes, (unsigned long long)buffer->value);
    if (is_packed && packets->coder != PACK_CODER)
        return log_error(log, log->line,
                         "packets: got coder=%llu, this program reads coder=%d",
                         (unsigned long long)packets->coder, PACK_CODER);
    if (packets->by_bits && !is_packed)
        return log_error(log, log->line, "packets: unit=bit: want packed= too");
    lines->packets = true;
    lines->by_bits = packets->by_bits;
    lines->status = packets->status;
    lines->unpacked_size = is_packed ? packets->bytes : 0;
    lines->size = is_packed ? packets->packed.value : packets->bytes;
    lines->bytes = arena_keep(&log->memory, zeroed(lines->size + 1, 1));
    return true;
}

bool check_packed(struct log *log, const struct run *run)
{
    const struct run_lines *lines = run->lines;

    return !lines || lines->got == lines->size ||
           log_error(log, lines->line, "%s: bytes=%llu, but the data lines hold %llu",
                     lines->packets ? "packets" : "packed", (unsigned long long)lines->size,
                     (unsigned long long)lines->got);
}
