/*
 * Makes a large log of a small one: each run's records so many times, one after the
 * other, each on a line of its own or packed as the kernel packs.
 *
 *      enlarge text|packed TIMES LOG >LARGER
 *
 * What it makes is a log by every rule but one: no workload does all that again, so
 * `check` finds fault with it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "portable.h"
#include "tools/log/read.h"
#include "tools/log/records.h"

#define BYTES_MAX      (64u << 20)
#define BYTES_PER_LINE 144

static struct log_chain chain;

static void seal(const char *body, size_t length)
{
    char buffer[LOG_LINE_MAX + 1];
    struct text line = text_into(buffer, sizeof(buffer));

    memcpy(buffer, body, length);
    buffer[length] = '\0';
    line.length = length;
    log_seal(&chain, &line);
    puts(buffer);
}

static void seal_text(const struct text *line)
{
    seal(line->at, line->length);
}

static void put_record(const struct log_map *map, const struct run *run,
                       const struct branch *record)
{
    char buffer[LOG_LINE_MAX];
    struct text line = text_into(buffer, sizeof(buffer));

    text_string(&line, run->method->stops ? "stop " : "branch ");
    if (!run->method->stops) {
        log_put_end(&line, map, record->from, LOG_FROM);
        text_string(&line, " ");
    }
    log_put_end(&line, map, record->to, LOG_TO);
    if (record->info)
        text_string(&line, record->info == STOP_TAKEN ? " taken" : " not-taken");
    seal_text(&line);
}

static void put_text_run(const struct log *log, const struct run *run, uint64_t times)
{
    const struct run_records records = run_records(log, run);
    struct log_map map = map_of(log, run->workload);

    for (uint64_t i = 0; i < times; i++)
        for (uint64_t k = 0; k < records.count; k++)
            put_record(&map, run, &records.at[k]);
}

static void put_packed_bytes(const uint8_t *bytes, size_t size, uint64_t records)
{
    char buffer[LOG_LINE_MAX];
    struct text line = text_into(buffer, sizeof(buffer));

    text_string(&line, "packed records=");
    text_decimal(&line, records);
    text_string(&line, " bytes=");
    text_decimal(&line, size);
    text_string(&line, " coder=");
    text_decimal(&line, PACK_CODER);
    seal_text(&line);
    for (size_t at = 0; at < size; at += BYTES_PER_LINE) {
        size_t rest = size - at;

        line = text_into(buffer, sizeof(buffer));
        text_string(&line, "data ");
        text_base64(&line, bytes + at, rest < BYTES_PER_LINE ? rest : BYTES_PER_LINE);
        seal_text(&line);
    }
}

static void put_packed_run(const struct log *log, const struct run *run, uint64_t times)
{
    static uint8_t bytes[BYTES_MAX];
    static struct pack pack;
    const struct run_records records = run_records(log, run);
    struct log_map map = map_of(log, run->workload);
    struct branch portable;

    pack_begin(&pack, bytes, sizeof(bytes));
    for (uint64_t i = 0; i < times; i++)
        for (uint64_t k = 0; k < records.count; k++) {
            portable_from(&map, &records.at[k], &portable);
            pack_add(&pack, &portable);
        }
    put_packed_bytes(bytes, pack_end(&pack), run->records * times);
}

/* The line of `ran`, or of `end`, with so many records. */
static void put_counted(struct span body, uint64_t times)
{
    char buffer[LOG_LINE_MAX];
    const char *key = memmem(body.at, body.length, "records=", strlen("records="));
    const char *number = key + strlen("records=");
    char *rest;
    uint64_t records = strtoull(number, &rest, 10);
    int length = snprintf(buffer, sizeof(buffer), "%.*s%llu%.*s", (int)(number - body.at),
                          body.at, (unsigned long long)(records * times),
                          (int)(body.at + body.length - rest), rest);

    seal(buffer, (size_t)length);
}

static const struct run *run_within(const struct log *log, size_t line)
{
    for (size_t i = 0; i < log->run_count; i++)
        if (!log->runs[i].skipped && log->runs[i].line < line &&
            line <= log->runs[i].end_line)
            return &log->runs[i];
    return NULL;
}

/* What the firmware wrote stands before it. */
static size_t first_line(const struct log *log)
{
    size_t line = 1;

    for (size_t at = 0; at < log->begin; at++)
        line += log->bytes[at] == '\n';
    return line;
}

static void enlarge(const struct log *log, bool packed, uint64_t times)
{
    struct log_lines lines = { .log = log };
    struct span body;

    for (size_t line = first_line(log); log_next(&lines, &body); line++) {
        const struct run *run = run_within(log, line);

        if (run && line == run->end_line) {
            (packed ? put_packed_run : put_text_run)(log, run, times);
            put_counted(body, times);
        } else if (!run && line == log->line) {
            put_counted(body, times);
        } else if (!run) {
            seal(body.at, body.length);
        }
    }
}

int main(int argc, char **argv)
{
    static struct log log;
    uint64_t times = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;

    if (times == 0 || (strcmp(argv[1], "text") != 0 && strcmp(argv[1], "packed") != 0)) {
        fprintf(stderr, "usage: enlarge text|packed TIMES LOG\n");
        return 2;
    }
    log_read(&log, argv[3]);
    if (log.log_error) {
        fprintf(stderr, "enlarge: %s:%zu: %s\n", argv[3], log.error_line, log.log_error);
        return 2;
    }
    enlarge(&log, argv[1][0] == 'p', times);
    return 0;
}
