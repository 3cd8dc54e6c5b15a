/*
 * Reads a block of bytes at a time.
 */
#include "reading.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "count_of.h"
#include "heap.h"
#include "preagg.h"
#include "progress.h"

#define BLOCK          (1 << 20)
#define LINE_MAX_BYTES (64 << 20)

struct perf_input {
    struct audit *audit;
    enum trace_format format;
    int file;
    char *bytes; /* that are read and not yet taken: the beginning of a line */
    size_t length, capacity;
    uint64_t done; /* bytes of the file */
    struct progress progress;

    struct perf_line line;
};

#define SHOWN 60 /* bytes of what is wrong */

static bool wrong_line(const struct perf_input *reading, const char *begin, const char *end,
                       const char *at, const char *want)
{
    const size_t length = (size_t)(end - at), count = length > SHOWN ? SHOWN : length;
    char shown[SHOWN];

    memcpy(shown, at, count);
    make_printable(shown, count);
    fprintf(stderr, "everybranch: %s:%zu:%zu: \"%.*s\"%s: want %s\n", reading->audit->file,
            reading->audit->line, (size_t)(at - begin) + 1, (int)count, shown,
            length > SHOWN ? "..." : "", want);
    return false;
}

static bool take_perf(struct perf_input *reading, const char *begin, const char *end)
{
    struct audit *audit = reading->audit;
    struct perf_line *line = &reading->line;
    char *why = NULL;

    switch (perf_line_read(line, begin, end)) {
    case PERF_STACK:
        audit->without_pid |= !line->has_pid;
        audit_stack(audit, line->pid, line->branches, line->count);
        return true;
    case PERF_BRANCH: /* an end of 0 is where perf's own decoder began or stopped */
        if (line->branches[0].from && line->branches[0].to)
            audit_next(audit, line->pid, line->branches);
        else
            audit_gap(audit);
        return true;
    case PERF_MAP:
        audit_gap(audit);
        if (maps_add(&audit->maps, &line->map, &why))
            return true;
        fprintf(stderr, "everybranch: %s:%zu: %s\n", audit->file, audit->line, why);
        free(why);
        return false;
    case PERF_CPUID:
        header_cpuid(audit, line->text);
        return true;
    case PERF_EVENT:
        header_event(audit, line->text);
        return true;
    case PERF_WRONG:
        return wrong_line(reading, begin, end, line->wrong_at, line->wrong);
    default:
        return true;
    }
}

static bool take_bolt(struct perf_input *reading, const char *begin, const char *end)
{
    struct preagg line;
    enum preagg_kind kind = preagg_read(&line, begin, end);

    if (kind == PREAGG_WRONG)
        return wrong_line(reading, begin, end, line.wrong_at, line.wrong);
    if (kind == PREAGG_BRANCH || kind == PREAGG_BOTH)
        audit_edge(reading->audit, &line.branch);
    if (kind == PREAGG_STRAIGHT || kind == PREAGG_BOTH)
        audit_straight(reading->audit, line.branch.to, line.next, line.branch.times);
    return true;
}

static bool take_line(struct perf_input *reading, const char *begin, const char *end)
{
    reading->audit->line++;
    return reading->format == TRACE_BOLT ? take_bolt(reading, begin, end)
                                         : take_perf(reading, begin, end);
}

/* Takes all whole lines that are read, and moves the rest to the front. */
static bool take_lines(struct perf_input *reading)
{
    char *at = reading->bytes, *end = at + reading->length, *newline;

    for (; (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1)
        if (!take_line(reading, at, newline))
            return false;
    reading->length = (size_t)(end - at);
    memmove(reading->bytes, at, reading->length);
    return true;
}

bool trace_unusable(const struct audit *audit, const char *why)
{
    fprintf(stderr, "everybranch: %s: %s\n", audit->file, why);
    return false;
}

/* Makes space for another block after the rest of the last line. */
static bool make_space(struct perf_input *reading)
{
    if (reading->capacity - reading->length >= BLOCK)
        return true;
    if (reading->length > LINE_MAX_BYTES) {
        fprintf(stderr,
                "everybranch: %s:%zu: a line has more than 64 MB: this is not text\n",
                reading->audit->file, reading->audit->line + 1);
        return false;
    }
    reading->capacity = 2 * reading->capacity + BLOCK;
    reading->bytes = realloc(reading->bytes, reading->capacity);
    if (!reading->bytes)
        out_of_memory();
    return true;
}

bool is_packed(const struct audit *audit, const void *bytes, size_t size)
{
    static const struct {
        const char *magic, *name, *unpacks;
    } packers[] = {
        { "\x1f\x8b", "gzip", "zcat" },
        { "\xfd"
          "7zXZ",
          "xz", "xzcat" },
        { "\x28\xb5\x2f\xfd", "zstd", "zstdcat" },
    };

    for (size_t i = 0; i < COUNT_OF(packers); i++)
        if (size >= strlen(packers[i].magic) &&
            memcmp(bytes, packers[i].magic, strlen(packers[i].magic)) == 0) {
            fprintf(stderr, "everybranch: %s: %s packed this file: unpack it with %s\n",
                    audit->file, packers[i].name, packers[i].unpacks);
            return true;
        }
    return false;
}

/* True if the first bytes of the file are of text. */
static bool is_text(const struct audit *audit, const char *bytes, size_t size)
{
    if (is_packed(audit, bytes, size))
        return false;
    return size < 8 || memcmp(bytes, "PERFILE2", 8) != 0 ||
           trace_unusable(audit, "this is perf's own file: want the text that perf script "
                                 "--header --show-mmap-events -F pid,ip,brstack prints");
}

static bool read_all(struct perf_input *reading)
{
    struct audit *audit = reading->audit;
    ssize_t got;

    while (make_space(reading)) {
        got = read(reading->file, reading->bytes + reading->length, BLOCK);
        if (got < 0)
            return trace_unusable(audit, strerror(errno));
        if (got == 0) /* the last line may lack its newline */
            return reading->length == 0 ||
                   take_line(reading, reading->bytes, reading->bytes + reading->length);
        if (reading->done == 0 && !is_text(audit, reading->bytes, (size_t)got))
            return false;
        reading->length += (size_t)got;
        reading->done += (uint64_t)got;
        if (!take_lines(reading))
            return false;
        progress_at(&reading->progress, reading->done);
    }
    return false;
}

bool trace_read(struct audit *audit, enum trace_format format)
{
    bool is_input = strcmp(audit->file, "-") == 0, good;
    struct perf_input reading = { .audit = audit, .format = format };
    struct stat about;

    reading.file = is_input ? STDIN_FILENO : open(audit->file, O_RDONLY | O_CLOEXEC);
    if (reading.file < 0)
        return trace_unusable(audit, strerror(errno));
    if (is_input)
        audit->file = "standard input";
    reading.line.symbols = (struct symbol_finder){ images_find, &audit->images };
    audit->maps.offsets = format == TRACE_OFFSETS;
    progress_begin(&reading.progress, is_input ? "reading" : audit->file,
                   fstat(reading.file, &about) == 0 && S_ISREG(about.st_mode)
                       ? (uint64_t)about.st_size
                       : PROGRESS_OPEN);
    good = read_all(&reading);
    progress_end(&reading.progress);
    if (good) {
        audit_gap(audit);
        audit_edges_end(audit);
    }
    if (!is_input)
        close(reading.file);
    free(reading.bytes);
    return good;
}
