/*
 * A file of bytes -> logs, of which each line is proved by its trailer.
 *
 * A log with nothing between its lines is read where it lies.  Where that fails, all of the
 * file is searched by the finder (find.c), which proves lines wherever they begin and end;
 * what it found is sorted into logs (boots.c) and read (read_boot.c).
 */
#include "read.h"

#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "boots.h"
#include "bytes.h"
#include "parse.h"
#include "progress.h"
#include "unpack.h"
#include "views.h"
#include "words.h"

static size_t chosen; /* by logs_choose() */

void logs_choose(size_t boot)
{
    chosen = boot;
}

/* A log where it lies. */

static bool printable(struct log *log, struct span line)
{
    const size_t good = span_printable(line);

    if (good < line.length)
        return log_error(log, log->line, "byte %zu is 0x%02x, want printable ASCII",
                         good + 1, (unsigned)(unsigned char)line.at[good]);
    return line.length <= LOG_LINE_MAX ||
           log_error(log, log->line, "%zu characters, want at most %d", line.length,
                     LOG_LINE_MAX);
}

static bool is_next(struct log_chain chain, struct span line)
{
    uint32_t sequence;
    size_t body;

    return line.length <= LOG_LINE_MAX &&
           log_unseal(&chain, line.at, line.length, &body, &sequence) == LOG_GOOD;
}

/* The line further on that is the next one of this chain, or 0. */
static size_t moved_to(const struct log *log, struct log_chain chain, size_t at)
{
    struct span line;

    for (size_t number = log->line + 1; log_line(log, &at, &line); number++)
        if (is_next(chain, line))
            return number;
    return 0;
}

/* True if the line is the next one of the chain.  `at` is after it; *moved: the next one is
 * further on. */
static bool proved(struct log *log, struct log_chain *chain, size_t at, struct span *line,
                   bool *moved)
{
    const uint32_t want = chain->sequence + 1;
    struct log_chain next = *chain;
    uint32_t sequence = 0;
    size_t body, elsewhere;

    switch (log_unseal(&next, line->at, line->length, &body, &sequence)) {
    case LOG_GOOD:
        *chain = next;
        line->length = body;
        return true;
    case LOG_NO_TRAILER:
        return log_error(
            log, log->line,
            "damaged or cut short: no trailer ~SEQUENCE CRC at the end of the line");
    case LOG_BAD_CRC:
        return log_error(log, log->line,
                         "damaged or from elsewhere: its checksum is wrong");
    case LOG_REPEATED:
        return log_error(log, log->line,
                         "repeated or out of order: its number is %u, want %u", sequence,
                         want);
    case LOG_LOST:
        elsewhere = moved_to(log, *chain, at);
        *moved = elsewhere;
        if (!elsewhere)
            return say_lost(log, want, false, log->line, sequence);
        return log_error(
            log, log->line,
            "out of order: its number is %u, want %u, which is that of line %zu", sequence,
            want, elsewhere);
    }
    return false;
}

/*
 * Where a log begins in this line, or NULL.  Firmware may leave its cursor after text
 * or an escape sequence, an editor may put a byte order mark before all.
 */
static const char *opening_in(struct span line)
{
    static const struct log_chain none;
    const char *end = line.at + line.length, *at = line.at;

    if (line.length > LOG_LINE_MAX)
        at = end - LOG_LINE_MAX;
    while ((at = memmem(at, (size_t)(end - at), LOG_OPENING, strlen(LOG_OPENING)))) {
        if (is_next(none, (struct span){ at, (size_t)(end - at) }))
            return at;
        at++;
    }
    return NULL;
}

/* Where the first line of a log begins that ends as its line of the file does. */
static bool find_opening(struct log *log)
{
    struct span line;

    for (size_t at = 0; log_line(log, &at, &line); log->line++) {
        const char *opening = opening_in(line);

        if (opening) {
            log->begin = (size_t)(opening - log->bytes);
            return true;
        }
    }
    return false;
}

static bool is_blank(const struct log *log, size_t at)
{
    while (at < log->length && (log->bytes[at] == '\r' || log->bytes[at] == '\n'))
        at++;
    return at == log->length;
}

/* True if something there may be the number of a line, also of one in UTF-16. */
static bool has_trace(const struct log *log, size_t at, size_t end)
{
    const char *tilde;

    while (at < end && (tilde = memchr(log->bytes + at, '~', end - at))) {
        at = (size_t)(tilde - log->bytes) + 1;
        while (at < end && log->bytes[at] == '\0')
            at++;
        if (at < end && log->bytes[at] >= '1' && log->bytes[at] <= '9')
            return true;
    }
    return false;
}

/* Reads lines up to the end of the log or to an error in one that is proved; *end is then
 * after it.  False: a line is not proved. */
static bool read_lines(struct log *log, size_t *end, struct fault *fault)
{
    struct log_chain chain = { 0, 0 };
    struct progress progress;
    struct span line;
    size_t at = log->begin;
    bool good = true, moved = false;

    progress_begin(&progress, "reading", log->length);
    while (good && !log->ended && !log->log_error && log_line(log, &at, &line)) {
        const size_t length = line.length;

        log->line++;
        good = printable(log, line) && proved(log, &chain, at, &line, &moved);
        if (good)
            parse_line(log, line, length + WIRE_LINE_END);
        bytes_pass(log, at - length, at);
        progress_at(&progress, at);
    }
    progress_end(&progress);
    *end = at;
    if (!good)
        *fault = (struct fault){ log->log_error, log->error_line, chain.sequence,
                                 is_blank(log, at), moved };
    return good;
}

/* False: the finder must look.  Another log in the file must not pass unread. */
static bool read_in_place(struct log *log, struct fault *fault)
{
    size_t end;

    if (log->torn || !find_opening(log) || !read_lines(log, &end, fault) ||
        has_trace(log, 0, log->begin))
        return false;
    if (log->log_error)
        return !memmem(log->bytes + end, log->length - end, " ~1 ", 4);
    parse_finished(log);
    return !has_trace(log, end, log->length);
}

/* The logs that the finder finds. */

static void find(struct input *input, const struct view *view)
{
    struct progress progress;

    input->finder = finder_new();
    input->found = finder_found(input->finder);
    progress_begin(&progress, "reading", input->raw.length);
    view_take(view, input->finder, input->raw.bytes, input->raw.length, &progress);
    progress_end(&progress);
    input->boots = boots_sort(input->found);
    input->view = view->name;
}

/* By the view in which most lines are proved. */
static void find_best(struct input *input)
{
    find(input, &views[0]);
    for (size_t i = 1; i < view_count && !boots_whole(input->found); i++) {
        struct input other = *input;

        if (!view_fits(&views[i], input->raw.bytes, input->raw.length))
            continue;
        find(&other, &views[i]);
        if (other.found->proved > input->found->proved) {
            finder_free(input->finder);
            *input = other;
        } else {
            finder_free(other.finder);
        }
    }
}

/* Reads the file.  True: it has one log or none, which is read, or has an error. */
static bool open_input(struct input *input, struct log *log)
{
    char *form;

    if (log->log_error || !unpack(log) ||
        (log->length && read_in_place(log, &input->fault))) {
        if (chosen > 1)
            log_error(log, 0, "--boot=%zu: this file has 1 log", chosen);
        return true;
    }
    input->raw = *log;
    *log = (struct log){ .name = log->name };
    find_best(input);
    form = boots_whole(input->found) ? NULL : advice_form(&input->raw);
    if (form)
        log_error(log, 0, "%s", form);
    else if (!input->boots)
        advise_without_log(log, &input->raw, input->found->trace);
    free(form);
    return log->log_error;
}

static void close_input(struct input *input)
{
    if (input->finder)
        finder_free(input->finder);
    log_free(&input->raw);
}

/* Reads the one log that is meant; where none is, that is the log's error. */
static void read_chosen(struct log *log, const struct input *input)
{
    if (chosen > input->boots)
        log_error(log, 0, "--boot=%zu: this file has %zu log%s", chosen, input->boots,
                  plural(input->boots));
    else if (input->boots > 1 && !chosen)
        log_error(
            log, 0,
            "%zu logs are in this file, of several boots or machines: `everybranch check` "
            "lists them, and --boot=N chooses one",
            input->boots);
    else
        boot_read(log, input, chosen ? chosen : 1);
}

static void read_one(struct log *log)
{
    struct input input = { 0 };

    if (!open_input(&input, log))
        read_chosen(log, &input);
    close_input(&input);
}

void log_take(struct log *log, const char *name, char *bytes, size_t length)
{
    *log = (struct log){ .name = name, .bytes = bytes, .length = length };
    read_one(log);
}

void log_read(struct log *log, const char *name)
{
    *log = (struct log){ .name = name };
    bytes_read(log);
    read_one(log);
}

struct log *logs_read(const char *name, size_t *count)
{
    struct log *logs = zeroed(1, sizeof(*logs)); /* where it is read, it stays */
    struct input input = { 0 };
    bool is_read;

    *count = 1;
    logs->name = name;
    bytes_read(logs);
    is_read = open_input(&input, logs);
    if (!is_read && chosen) {
        read_chosen(logs, &input);
    } else if (!is_read) {
        free(logs);
        *count = input.boots;
        logs = zeroed(*count, sizeof(*logs));
        for (size_t i = 0; i < *count; i++) {
            logs[i].name = name;
            boot_read(&logs[i], &input, i + 1);
        }
    }
    close_input(&input);
    return logs;
}

void log_free(struct log *log)
{
    for (size_t i = 0; i < log->run_count; i++) {
        lines_free(log->runs[i].lines);
        arena_release(&log->runs[i].findings.memory);
    }
    arena_release(&log->memory);
    bytes_free(log);
}
