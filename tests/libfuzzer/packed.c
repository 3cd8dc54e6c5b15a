/*
 * Prints a log without trailers and with every run packed: a seed for the fuzzer, since
 * only runs that are much too long for it are packed by the kernel.
 *
 *      packed LOG
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "portable.h"
#include "tools/log/read.h"
#include "tools/log/records.h"

#define BYTES_MAX      65536
#define BYTES_PER_LINE 144

static void print_body(const struct log *log, size_t *at)
{
    const char *line = log->bytes + *at, *end = strchr(line, '\n'), *body = end;

    while (body > line && *body != '~')
        body--;
    printf("%.*s\n", (int)(body - line - 1), line);
    *at += (size_t)(end - line) + 1;
}

static void pass_over(const struct log *log, size_t *at)
{
    *at = (size_t)(strchr(log->bytes + *at, '\n') - log->bytes) + 1;
}

static void print_packed(const struct log *log, const struct run *run)
{
    static uint8_t bytes[BYTES_MAX];
    static struct pack pack;
    struct log_map map = map_of(log, run->workload);
    const struct run_records records = run_records(log, run);
    struct branch portable;
    size_t size;

    pack_begin(&pack, bytes, sizeof(bytes));
    for (uint64_t i = 0; i < records.count; i++) {
        portable_from(&map, &records.at[i], &portable);
        pack_add(&pack, &portable);
    }
    size = pack_end(&pack);
    printf("packed records=%llu bytes=%zu coder=%d\n", (unsigned long long)run->records,
           size, PACK_CODER);
    for (size_t at = 0; at < size; at += BYTES_PER_LINE) {
        char buffer[BYTES_PER_LINE * 2];
        struct text text = text_into(buffer, sizeof(buffer));
        size_t rest = size - at;

        text_base64(&text, bytes + at, rest < BYTES_PER_LINE ? rest : BYTES_PER_LINE);
        printf("data %s\n", buffer);
    }
}

/* The run whose records stand on this line, or NULL. */
static const struct run *run_of(const struct log *log, size_t line)
{
    for (size_t i = 0; i < log->run_count; i++)
        if (!log->runs[i].skipped && log->runs[i].line < line &&
            line < log->runs[i].end_line)
            return &log->runs[i];
    return NULL;
}

int main(int argc, char **argv)
{
    struct log log;
    size_t at = 0;

    log_read(&log, argc == 2 ? argv[1] : "");
    if (log.log_error) {
        char *where = where_text(&log, log.error_line);

        fprintf(stderr, "packed: %s: %s\n", where, log.log_error);
        free(where);
        return 2;
    }
    log.bytes[log.length - 1] = '\n';
    for (size_t line = 1; line <= log.line; line++) {
        const struct run *run = run_of(&log, line);

        if (run && line == run->line + 1)
            print_packed(&log, run);
        if (run)
            pass_over(&log, &at);
        else
            print_body(&log, &at);
    }
    log_free(&log);
    return 0;
}
