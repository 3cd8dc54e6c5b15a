/*
 * The bytes of a log.
 *
 * A small one is read into memory.  A large one is mapped, and what was passed over is
 * given back to the system, which has it in the file: memory does not grow with the trace.
 * What comes through a pipe is put into a file without a name for that.
 */
#include "bytes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parsed.h"

#define SMALL  (16u << 20)
#define CHUNK  65536u
#define PASSED (4u << 20) /* so much is given back at a time */

static bool unreadable(struct log *log)
{
    if (errno == EISDIR)
        return log_error(log, 0, "is a folder: name a log in it");
    return log_error(log, 0, "cannot be read: %s", strerror(errno));
}

/* Reads at most `most` bytes more; false where that fails. */
static bool take(struct log *log, FILE *file, size_t most)
{
    size_t capacity = log->length, got;

    do {
        if (log->length + CHUNK > capacity) {
            char *larger =
                realloc(log->bytes, capacity = capacity ? 2 * capacity : 4 * CHUNK);

            if (!larger)
                return unreadable(log);
            log->bytes = larger;
        }
        got = fread(log->bytes + log->length, 1, CHUNK, file);
        log->length += got;
    } while (got > 0 && log->length < most);
    return !ferror(file) || unreadable(log);
}

static bool map(struct log *log, int file)
{
    struct stat status;
    void *bytes;

    if (fstat(file, &status) != 0 || status.st_size <= 0)
        return unreadable(log);
    bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED)
        return unreadable(log);
    free(log->bytes);
    log->bytes = bytes;
    log->length = (size_t)status.st_size;
    log->is_mapped = true;
    return true;
}

/* Text with an opening, as UTF-16 too; or what is packed, and has none yet. */
static bool may_have_log(const struct log *log)
{
    static const char wide[] = "l\0o\0g\0=", packed[] = "\x1f\xfd\x28\x42";

    return memmem(log->bytes, log->length, LOG_OPENING, strlen(LOG_OPENING)) ||
           memmem(log->bytes, log->length, wide, sizeof(wide) - 1) ||
           memchr(packed, log->bytes[0], sizeof(packed) - 1);
}

/* All of a pipe; what has no log at its beginning may never end. */
static bool spool(struct log *log, FILE *from)
{
    char *chunk = log->bytes; /* has room for one */
    FILE *file = tmpfile();
    size_t got = log->length;
    bool good = file != NULL;

    if (!may_have_log(log))
        good = log_error(log, 0,
                         "no line begins with " LOG_OPENING
                         " in its first %u MiB: this is not a log",
                         SMALL >> 20);
    while (good && got > 0) {
        good = fwrite(chunk, 1, got, file) == got || unreadable(log);
        if (good)
            got = fread(chunk, 1, CHUNK, from);
    }
    good = good && (!ferror(from) || unreadable(log)) &&
           (fflush(file) == 0 || unreadable(log)) && map(log, fileno(file));
    if (file)
        fclose(file);
    return good || (log->log_error ? false : unreadable(log));
}

static bool is_large_file(FILE *file)
{
    struct stat status;

    return fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
           status.st_size > (off_t)SMALL;
}

bool bytes_take(struct log *log, FILE *file)
{
    return take(log, file, SMALL) && (log->length < SMALL || spool(log, file));
}

bool bytes_read(struct log *log)
{
    bool standard_input = strcmp(log->name, "-") == 0;
    FILE *file = standard_input ? stdin : fopen(log->name, "rb");
    bool done;

    if (!file)
        return log_error(log, 0, "cannot be opened: %s", strerror(errno));
    done = is_large_file(file) ? map(log, fileno(file)) : bytes_take(log, file);
    if (!standard_input)
        fclose(file);
    return done;
}

void bytes_pass(const struct log *log, size_t from, size_t to)
{
    size_t begin = from / PASSED * PASSED, end = to / PASSED * PASSED;

    if (log->is_mapped && begin != end)
        madvise(log->bytes + begin, end - begin, MADV_DONTNEED);
}

void bytes_free(struct log *log)
{
    if (log->is_mapped)
        munmap(log->bytes, log->length);
    else
        free(log->bytes);
}

bool log_line(const struct log *log, size_t *at, struct span *out)
{
    const char *from = log->bytes + *at;
    const char *end;

    if (*at >= log->length)
        return false;
    end = memchr(from, '\n', log->length - *at);
    out->at = from;
    out->length = end ? (size_t)(end - from) : log->length - *at;
    *at += out->length + (end ? 1 : 0);
    if (out->length > 0 && out->at[out->length - 1] == '\r')
        out->length--;
    return true;
}

bool log_next(struct log_lines *lines, struct span *body)
{
    static const char end[] = "end ";
    struct span line;

    if (lines->at == 0)
        lines->at = lines->log->begin;
    if (!log_line(lines->log, &lines->at, &line))
        return false;
    bytes_pass(lines->log, lines->at - line.length, lines->at);
    *body = line;
    body->length = log_body(line.at, line.length);
    if (body->length >= strlen(end) && memcmp(body->at, end, strlen(end)) == 0)
        lines->at = lines->log->length;
    return true;
}
