/*
 * A file of bytes -> the lines of one log, each proved by its trailer.
 *
 * The first fault ends the reading: what follows a lost or damaged line may
 * belong to anything.
 */
#include "read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "heap.h"
#include "parse.h"
#include "progress.h"

#define OPENING  "everybranch log="
#define LINE_END 2 /* CR LF on the wire, whatever the file has */

static bool begins(struct span text, const char *with)
{
    return text.length >= strlen(with) && memcmp(text.at, with, strlen(with)) == 0;
}

static bool opens(struct span line)
{
    return begins(line, OPENING);
}

/* Whether that is the whole first line of a log. */
static bool opens_proved(struct span line)
{
    struct log_chain none = { 0, 0 };
    size_t body;
    uint32_t sequence;

    return opens(line) &&
           log_unseal(&none, line.at, line.length, &body, &sequence) == LOG_GOOD;
}

/*
 * Where a log begins in this line, or NULL.  Firmware may leave its cursor after text
 * or an escape sequence, an editor may put a byte order mark before all: what does not
 * begin the line has to be proved by its trailer.
 */
static const char *opening_in(struct span line)
{
    const char *end = line.at + line.length, *at = line.at;

    if (opens(line))
        return line.at;
    if (line.length > LOG_LINE_MAX)
        at = end - LOG_LINE_MAX;
    while ((at = memmem(at, (size_t)(end - at), OPENING, strlen(OPENING)))) {
        if (opens_proved((struct span){ at, (size_t)(end - at) }))
            return at;
        at++;
    }
    return NULL;
}

/* Its letters with a zero between, whichever half of the sixteen bits that is. */
static bool is_utf16(const struct log *log)
{
    char wide[2 * sizeof(OPENING)] = { 0 };

    for (size_t i = 0; i < strlen(OPENING); i++)
        wide[2 * i] = OPENING[i];
    return log->length > 0 &&
           memmem(log->bytes, log->length, wide, 2 * strlen(OPENING) - 1);
}

/* What the image says in this line, as far as it is printable; empty: nothing. */
static struct span said_in(struct span line)
{
    const char *end = line.at + line.length;
    const char *at = memmem(line.at, line.length, LOG_SAYS, strlen(LOG_SAYS));
    struct span said = { at ? at + strlen(LOG_SAYS) : end, 0 };

    while (said.at + said.length < end && said.at[said.length] >= ' ' &&
           said.at[said.length] <= '~')
        said.length++;
    return said;
}

/* There is no log.  An image that was started, and refused, says why. */
static bool no_opening(struct log *log)
{
    struct span line;
    bool taking = false;

    for (size_t at = 0; log_line(log, &at, &line);) {
        struct span said = said_in(line);

        if (taking && said.length)
            return log_error(log, 0, "the image did not take the machine: %.*s",
                             SPAN(said));
        taking = taking || begins(said, LOG_TAKING);
    }
    return log_error(log, 0,
                     "no line begins with " OPENING
                     ": this is not a log; the log is the file on the "
                     "stick, or what came on the serial line");
}

/* Passes over what the firmware wrote. */
static bool find_opening(struct log *log)
{
    struct span line;

    for (size_t at = 0; log_line(log, &at, &line);) {
        const char *opening = opening_in(line);

        if (opening) {
            log->begin = (size_t)(opening - log->bytes);
            return true;
        }
        log->line++;
    }
    if (is_utf16(log))
        return log_error(log, 0, "this is UTF-16: save it as UTF-8");
    if (log->length == 0)
        return log_error(log, 0,
                         "is empty: nothing was written to it, or it was not saved");
    return no_opening(log);
}

/* Whether all eight are from space to tilde, as signed bytes are. */
static bool eight_printable(const char *at)
{
    const uint64_t ones = 0x0101010101010101ull, tops = 0x80 * ones;
    uint64_t eight;

    memcpy(&eight, at, sizeof(eight));
    /* No byte has its top bit; none is below space; none is above tilde. */
    return !((eight | (eight + ones) | ~((eight | tops) - ' ' * ones)) & tops);
}

static bool printable(struct log *log, struct span line)
{
    size_t good = 0;

    while (line.length - good >= 8 && eight_printable(line.at + good))
        good += 8;
    for (size_t i = good; i < line.length; i++)
        if (line.at[i] < ' ' || line.at[i] > '~')
            return log_error(log, log->line, "byte %zu is 0x%02x, want printable ASCII",
                             i + 1, (unsigned)(unsigned char)line.at[i]);
    return line.length <= LOG_LINE_MAX ||
           log_error(log, log->line, "%zu characters, want at most %d", line.length,
                     LOG_LINE_MAX);
}

/* The line further on that is the next one of this chain, or 0. */
static size_t moved_to(const struct log *log, struct log_chain chain, size_t at)
{
    struct span line;

    for (size_t number = log->line + 1; log_line(log, &at, &line); number++) {
        struct log_chain copy = chain;
        uint32_t sequence;
        size_t body;

        if (line.length <= LOG_LINE_MAX &&
            log_unseal(&copy, line.at, line.length, &body, &sequence) == LOG_GOOD)
            return number;
    }
    return 0;
}

/* The line before which so many are missing. */
static bool skips(struct log *log, uint32_t sequence, uint32_t want, size_t moved)
{
    uint32_t lost = sequence - want;

    if (moved)
        return log_error(
            log, log->line,
            "out of order: its number is %u, want %u, which is that of line %zu", sequence,
            want, moved);
    return log_error(log, log->line, "%u line%s lost before it: its number is %u, want %u",
                     lost, lost == 1 ? " is" : "s are", sequence, want);
}

/* `at` is after the line. */
static bool proved(struct log *log, struct log_chain *chain, size_t at, struct span line,
                   struct span *body)
{
    const struct log_chain good = *chain;
    uint32_t before = chain->sequence, sequence = 0;

    body->at = line.at;
    body->length = 0;
    switch (log_unseal(chain, line.at, line.length, &body->length, &sequence)) {
    case LOG_GOOD:
        return true;
    case LOG_NO_TRAILER:
        return log_error(
            log, log->line,
            "damaged or cut short: no trailer ~SEQUENCE CRC at the end of the line");
    case LOG_BAD_CRC:
        return log_error(log, log->line,
                         "damaged or from elsewhere: its checksum is wrong");
    case LOG_LOST:
        return skips(log, sequence, before + 1, moved_to(log, good, at));
    case LOG_REPEATED:
        if (opens(line) && sequence == 1)
            return log_error(log, log->line,
                             "a second log begins before the first one ended: the machine "
                             "was started again, or two logs were joined");
        return log_error(log, log->line,
                         "doubled or out of order: its number is %u, want %u", sequence,
                         before + 1);
    }
    return false;
}

/* The firmware goes on after the end, but another log there would pass unread. */
static bool nothing_after(struct log *log, size_t at)
{
    struct span line;

    for (size_t number = log->line + 1; log_line(log, &at, &line); number++)
        if (opening_in(line))
            return log_error(
                log, number,
                "another log begins after the end of this one: check one log at a time");
    return true;
}

/* A line of the log; `at` is after it. */
static bool read_line(struct log *log, struct log_chain *chain, size_t at, struct span line)
{
    struct span body;

    log->line++;
    log->wire_bytes += line.length + LINE_END;
    return printable(log, line) && proved(log, chain, at, line, &body) &&
           parse_line(log, body, line.length + LINE_END);
}

/* From the opening on; where it came to. */
static bool read_from(struct log *log, size_t *at, struct progress *progress)
{
    struct log_chain chain = { 0, 0 };
    struct span line;

    while (!log->ended && log_line(log, at, &line)) {
        if (!read_line(log, &chain, *at, line))
            return false;
        bytes_pass(log, *at - line.length, *at);
        progress_at(progress, *at);
    }
    return true;
}

static void read_lines(struct log *log)
{
    struct progress progress;
    size_t at;

    if (!find_opening(log))
        return;
    at = log->begin;
    progress_begin(&progress, "reading", log->length);
    if (read_from(log, &at, &progress) && parse_finished(log))
        nothing_after(log, at);
    progress_end(&progress);
}

/* What has come of a line that has not ended is left for later. */
static bool next_whole_line(struct log_feed *feed, struct span *line)
{
    const struct log *log = feed->log;

    return memchr(log->bytes + feed->at, '\n', log->length - feed->at) &&
           log_line(log, &feed->at, line);
}

/* Before the opening, whether this line has it. */
static void look_for_opening(struct log_feed *feed, struct span line)
{
    struct log *log = feed->log;
    const char *opening = opening_in(line);

    feed->opened = opening != NULL;
    if (opening)
        feed->at = log->begin = (size_t)(opening - log->bytes);
    else
        log->line++;
}

void feed_begin(struct log_feed *feed, struct log *log, const char *name)
{
    *log = (struct log){ .name = name };
    log->bytes = malloc(LOG_BYTES_MAX + 1); /* no byte of it may move later */
    if (!log->bytes)
        out_of_memory();
    *feed = (struct log_feed){ .log = log };
}

bool feed_more(struct log_feed *feed, const char *bytes, size_t count)
{
    struct log *log = feed->log;
    struct span line;

    if (count > LOG_BYTES_MAX - log->length)
        return log_error(
            log, 0,
            "longer than %u MiB: save all of it as a file, and show that without --follow",
            LOG_BYTES_MAX >> 20);
    memcpy(log->bytes + log->length, bytes, count);
    log->length += count;
    while (!log->ended && next_whole_line(feed, &line)) {
        if (!feed->opened)
            look_for_opening(feed, line);
        else if (!read_line(log, &feed->chain, feed->at, line))
            return false;
    }
    return true;
}

bool feed_end(struct log_feed *feed)
{
    struct log *log = feed->log;

    if (log->log_error)
        return false;
    if (!feed->opened)
        return no_opening(log);
    return parse_finished(log);
}

void log_take(struct log *log, const char *name, char *bytes, size_t length)
{
    *log = (struct log){ .name = name, .bytes = bytes, .length = length };
    read_lines(log);
}

void log_read(struct log *log, const char *name)
{
    *log = (struct log){ .name = name };
    if (bytes_read(log))
        read_lines(log);
}

void log_free(struct log *log)
{
    for (size_t i = 0; i < log->run_count; i++) {
        free(log->runs[i].why);
        free(log->runs[i].infos);
        lines_free(log->runs[i].lines);
        context_free(log->runs[i].context);
    }
    for (size_t i = 0; i < log->findings.complaint_count; i++) {
        free(log->findings.complaints[i].claim);
        free(log->findings.complaints[i].what);
    }
    for (size_t i = 0; i < log->machine.processor_count; i++)
        free(log->machine.processors[i].part.leaves);
    free(log->machine.processors);
    free(log->findings.complaints);
    free(log->notes);
    free(log->avoided);
    free(log->machine.cpu.leaves);
    free(log->runs);
    for (size_t i = 0; i < log->workload_count; i++) {
        free(log->workloads[i]->decoded);
        free(log->workloads[i]->other_code);
        free(log->workloads[i]);
    }
    free(log->workloads);
    bundled_free(log);
    free(log->plan.workloads);
    free(log->plan.filters);
    free(log->logged);
    free(log->log_error);
    bytes_free(log);
}
