/*
 * Packed files are unpacked by the programs of their formats, which are started without a
 * shell.  The name of the log is no argument of theirs: they read it as standard input.
 */
#include "unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "advice.h"
#include "bytes.h"
#include "count_of.h"
#include "heap.h"
#include "parsed.h"

extern char **environ;

/* Packed files. */

#define PACKED_MAX 3 /* one in the other */

static const struct packer {
    const char *magic;
    size_t length;
    const char *program, *package, *form;
} packers[] = {
    { "\x1f\x8b", 2, "gzip", "gzip", "unpacked by gzip" },
    { "\xfd"
      "7zXZ",
      6, "xz", "xz-utils", "unpacked by xz" }, /* its sixth byte is 0 */
    { "\x28\xb5\x2f\xfd", 4, "zstd", "zstd", "unpacked by zstd" },
    { "BZh", 3, "bzip2", "bzip2", "unpacked by bzip2" },
    { "\x04\x22\x4d\x18", 4, "lz4", "lz4", "unpacked by lz4" },
    { "]\0\0", 3, "xz", "xz-utils", "unpacked by xz" }, /* lzma, the older form */
};

static const struct packer *packer_of(const struct log *log)
{
    for (size_t i = 0; i < COUNT_OF(packers); i++)
        if (log->length >= packers[i].length &&
            memcmp(log->bytes, packers[i].magic, packers[i].length) == 0)
            return &packers[i];
    return NULL;
}

/* The packed bytes as a file without a name. */
static FILE *file_of(const struct log *log)
{
    FILE *file = tmpfile();

    if (file && (fwrite(log->bytes, 1, log->length, file) != log->length ||
                 fflush(file) != 0 || fseek(file, 0, SEEK_SET) != 0)) {
        fclose(file);
        file = NULL;
    }
    return file;
}

/* Starts PROGRAM -dc; 0, or errno.  *out: what it writes. */
static int start(const struct packer *packer, int from, pid_t *pid, FILE **out)
{
    char decompress[] = "-dc";
    char *words[] = { (char *)packer->program, decompress, NULL };
    posix_spawn_file_actions_t actions;
    int ends[2], wrong;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    wrong = posix_spawnp(pid, packer->program, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *out = wrong ? NULL : fdopen(ends[0], "rb");
    if (!*out)
        close(ends[0]);
    return wrong ? wrong : *out ? 0 : errno;
}

static bool not_started(struct log *log, const struct packer *packer, int wrong)
{
    if (wrong == ENOENT)
        return log_error(
            log, 0,
            "is packed by %s, and that program is not here: install the package "
            "%s, or unpack the file elsewhere",
            packer->program, packer->package);
    return log_error(log, 0, "is packed by %s, which cannot be started: %s",
                     packer->program, strerror(wrong));
}

static bool unpack_by(struct log *log, const struct packer *packer)
{
    FILE *packed = file_of(log), *out = NULL;
    pid_t pid = 0;
    int status = 0, wrong;
    bool done;

    if (!packed)
        return log_error(
            log, 0,
            "is packed by %s, and cannot be unpacked: no temporary file can be "
            "written: %s",
            packer->program, strerror(errno));
    wrong = start(packer, fileno(packed), &pid, &out);
    fclose(packed);
    if (wrong)
        return not_started(log, packer, wrong);
    bytes_free(log);
    log->bytes = NULL;
    log->length = 0;
    log->is_mapped = false;
    done = bytes_take(log, out);
    fclose(out);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    log->form = packer->form;
    if (done && !log->torn && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
        log->torn = arena_keep(&log->memory,
                               format_text("the packed file itself is damaged or cut short "
                                           "(`%s -t` says more): copy it again",
                                           packer->program));
    return done;
}

/* UTF-16. */

/* Says which byte of two has the letter, if zeros lie between letters; else -1. */
static int wide_half(const struct log *log)
{
    const unsigned char *bytes = (const unsigned char *)log->bytes;
    char wide[2 * sizeof(LOG_OPENING)] = { 0 };
    const char *at;

    if (log->length < 2)
        return -1;
    for (size_t i = 0; i < strlen(LOG_OPENING); i++)
        wide[2 * i] = LOG_OPENING[i];
    at = memmem(log->bytes, log->length, wide, 2 * strlen(LOG_OPENING) - 1);
    if (bytes[0] == 0xff && bytes[1] == 0xfe)
        return 0;
    if (bytes[0] == 0xfe && bytes[1] == 0xff)
        return 1;
    return at ? (at - log->bytes) % 2 : -1;
}

static bool is_printable(unsigned char c)
{
    return c >= ' ' && c <= '~';
}

/*
 * True if no letter of the file is lost when each two bytes become one.  A capture may have
 * been appended to one of another encoding, or to an odd number of bytes: then the finder
 * reads the bytes as they are, because it passes over the zeros between letters.
 */
static bool can_be_narrowed(const struct log *log, size_t half)
{
    const unsigned char *bytes = (const unsigned char *)log->bytes;

    for (size_t i = 0; i + 1 < log->length; i += 2) {
        const unsigned char letter = bytes[i + half], other = bytes[i + 1 - half];

        if (is_printable(other) && (letter == 0 || is_printable(letter)))
            return false;
    }
    return true;
}

/* What is not ASCII becomes a byte that is none. */
static bool narrow(struct log *log, size_t half)
{
    const unsigned char *bytes = (const unsigned char *)log->bytes;
    char *text = malloc(log->length / 2 + 1);
    size_t length = 0;

    if (!text)
        return log_error(log, 0, "cannot be read: %s", strerror(errno));
    for (size_t i = 0; i + 1 < log->length; i += 2)
        text[length++] =
            (char)(bytes[i + 1 - half] == 0 && bytes[i + half] < 0x80 ? bytes[i + half]
                                                                      : 0xff);
    bytes_free(log);
    log->bytes = text;
    log->length = length;
    log->is_mapped = false;
    log->form = "UTF-16";
    return true;
}

/* The image of a stick. */

#define SECTOR 512u

static uint64_t read_le(const struct log *log, size_t at, size_t count)
{
    uint64_t value = 0;

    for (size_t i = count; i > 0 && at + count <= log->length; i--)
        value = value << 8 | (unsigned char)log->bytes[at + i - 1];
    return value;
}

/* True if a FAT file system begins here. */
static bool is_fat(const struct log *log, uint64_t at)
{
    return at < log->length && log->length - at >= SECTOR &&
           read_le(log, at + 510, 2) == 0xaa55 &&
           (memcmp(log->bytes + at + 0x36, "FAT", 3) == 0 ||
            memcmp(log->bytes + at + 0x52, "FAT", 3) == 0);
}

/* Where the FAT file system of the image begins.  False: this is no such image. */
static bool find_fat(const struct log *log, uint64_t *out)
{
    *out = 0;
    if (log->length < SECTOR || read_le(log, 510, 2) != 0xaa55)
        return false;
    if (is_fat(log, 0))
        return true;
    if (log->length > 2 * SECTOR && memcmp(log->bytes + SECTOR, "EFI PART", 8) == 0) {
        const uint64_t entries = read_le(log, SECTOR + 72, 8),
                       size = read_le(log, SECTOR + 84, 4);

        for (uint64_t i = 0; i < 128 && entries < log->length / SECTOR && size < 4096;
             i++) {
            *out = read_le(log, (size_t)(entries * SECTOR + i * size + 32), 8);
            if (*out && *out < log->length / SECTOR && is_fat(log, *out *= SECTOR))
                return true;
        }
    }
    for (size_t i = 0; i < 4; i++)
        if (is_fat(log, *out = read_le(log, 446 + 16 * i + 8, 4) * SECTOR))
            return true;
    return false;
}

/* The highest NNNN.LOG that a folder of the file system names, or 0. */
static unsigned newest_log(const struct log *log, size_t from)
{
    unsigned newest = 0;

    for (size_t at = from; at + 32 <= log->length; at += 32) {
        const char *name = log->bytes + at;
        unsigned number = 0;
        size_t i = 0;

        for (; i < 4 && name[i] >= '0' && name[i] <= '9'; i++)
            number = number * 10 + (unsigned)(name[i] - '0');
        if (i == 4 && memcmp(name + 4, "    LOG", 7) == 0 && !(name[11] & 0x18) &&
            number > newest)
            newest = number;
    }
    return newest;
}

/* True if this is no image of a stick; else the error says how to take a log out of it. */
static bool is_no_image(struct log *log)
{
    uint64_t at;
    unsigned newest;
    char *name, *offset;

    if (!find_fat(log, &at))
        return true;
    newest = newest_log(log, (size_t)at);
    if (!newest)
        return log_error(
            log, 0,
            "is the image of a stick, and no log was saved on it: boot a machine "
            "from that stick first");
    name = shell_word(log->name);
    offset = at == 0                ? format_text("%s", "")
             : at % (1u << 20) == 0 ? format_text("@@%lluM", (unsigned long long)at >> 20)
                                    : format_text("@@%llu", (unsigned long long)at);
    log_error(
        log, 0,
        "is the image of a stick: `mcopy -i %s%s ::logs/%04u.log .` takes its newest log "
        "out (package mtools)",
        name, offset, newest);
    free(name);
    free(offset);
    return false;
}

bool unpack(struct log *log)
{
    const struct packer *packer;
    int half;

    for (size_t i = 0; i < PACKED_MAX && (packer = packer_of(log)); i++)
        if (!unpack_by(log, packer))
            return false;
    half = wide_half(log);
    if (half >= 0 && can_be_narrowed(log, (size_t)half))
        return narrow(log, (size_t)half);
    return is_no_image(log);
}
