/*
 * A file of bytes -> logs, of which each line is proved by its trailer.
 *
 * A log with nothing between its lines is read where it lies.  Where that fails, all of the
 * file is read again by the finder (find.c), which proves lines wherever they begin and
 * end; what it found is then read as if the file had nothing else.
 */
#include "read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "boots.h"
#include "bytes.h"
#include "count_of.h"
#include "heap.h"
#include "parse.h"
#include "progress.h"
#include "unpack.h"
#include "views.h"
#include "words.h"

#define LINE_END 2 /* CR LF on the wire, whatever the file has */

static size_t chosen; /* by logs_choose() */

void logs_choose(size_t boot)
{
    chosen = boot;
}

/* What is wrong with a line. */

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

static bool lost(struct log *log, size_t line, uint32_t sequence, uint32_t want)
{
    const uint32_t count = sequence - want;

    return log_error(log, line, "%u line%s lost before it: its number is %u, want %u",
                     count, count == 1 ? " is" : "s are", sequence, want);
}

/* Reports a line before which others are missing. */
static bool skips(struct log *log, uint32_t sequence, uint32_t want, size_t moved)
{
    if (moved)
        return log_error(
            log, log->line,
            "out of order: its number is %u, want %u, which is that of line %zu", sequence,
            want, moved);
    return lost(log, log->line, sequence, want);
}

/* `at` is after the line. */
static bool proved(struct log *log, struct log_chain *chain, size_t at, struct span line,
                   struct span *body)
{
    const struct log_chain good = *chain;
    uint32_t sequence = 0;

    body->at = line.at;
    body->length = 0;
    switch (log_unseal(chain, line.at, line.length, &body->length, &sequence)) {
    case LOG_GOOD:
        return true;
    case LOG_NO_TRAILER:
        log_error(log, log->line,
                  "damaged or cut short: no trailer ~SEQUENCE CRC at the end of the line");
        break;
    case LOG_BAD_CRC:
        log_error(log, log->line, "damaged or from elsewhere: its checksum is wrong");
        break;
    case LOG_LOST:
        skips(log, sequence, good.sequence + 1, moved_to(log, good, at));
        break;
    case LOG_REPEATED:
        log_error(log, log->line, "doubled or out of order: its number is %u, want %u",
                  sequence, good.sequence + 1);
        break;
    }
    *chain = good;
    return false;
}

/* A log where it lies. */

/* How its reading ended: for good, or so that the finder must look. */
enum in_place { READ, FAULTY };

struct fault {
    char *sentence;
    size_t line;
    uint32_t sequence; /* of the last line that was proved */
    bool at_end;       /* nothing but blanks follows it    */
    bool moved;        /* its line is there, further on    */
};

/* True if this is the whole first line of a log. */
static bool opens(struct span line)
{
    struct log_chain none = { 0, 0 };
    size_t body;
    uint32_t sequence;

    return span_begins(line, LOG_OPENING) &&
           log_unseal(&none, line.at, line.length, &body, &sequence) == LOG_GOOD;
}

/*
 * Where a log begins in this line, or NULL.  Firmware may leave its cursor after text
 * or an escape sequence, an editor may put a byte order mark before all.
 */
static const char *opening_in(struct span line)
{
    const char *end = line.at + line.length, *at = line.at;

    if (line.length > LOG_LINE_MAX)
        at = end - LOG_LINE_MAX;
    while ((at = memmem(at, (size_t)(end - at), LOG_OPENING, strlen(LOG_OPENING)))) {
        if (opens((struct span){ at, (size_t)(end - at) }))
            return at;
        at++;
    }
    return NULL;
}

/* Where the first line of a log begins that ends as its line of the file does. */
static bool find_opening(struct log *log, struct fault *fault)
{
    struct span line;

    for (size_t at = 0; log_line(log, &at, &line); log->line++) {
        const char *opening = opening_in(line);

        if (opening) {
            log->begin = (size_t)(opening - log->bytes);
            return true;
        }
        if (!fault->line && span_begins(line, LOG_OPENING))
            fault->line = log->line + 1;
    }
    return false;
}

static bool read_line(struct log *log, struct span line, struct span body)
{
    log->wire_bytes += line.length + LINE_END;
    return parse_line(log, body, line.length + LINE_END);
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

static enum in_place read_lines_in_place(struct log *log, struct fault *fault,
                                         struct progress *progress)
{
    struct log_chain chain = { 0, 0 };
    struct span line, body;
    size_t at = log->begin;

    while (!log->ended && log_line(log, &at, &line)) {
        log->line++;
        if (!printable(log, line) || !proved(log, &chain, at, line, &body)) {
            *fault = (struct fault){ log->log_error, log->error_line, chain.sequence,
                                     is_blank(log, at),
                                     strncmp(log->log_error, "out of order", 12) == 0 };
            log->log_error = NULL;
            return FAULTY;
        }
        if (!read_line(log, line, body))
            break;
        bytes_pass(log, at - line.length, at);
        progress_at(progress, at);
    }
    /* Another log there must not pass unread. */
    if (has_trace(log, 0, log->begin))
        return FAULTY;
    if (log->log_error) /* in a line that is proved */
        return memmem(log->bytes + at, log->length - at, " ~1 ", 4) ? FAULTY : READ;
    parse_finished(log);
    return has_trace(log, at, log->length) ? FAULTY : READ;
}

static enum in_place read_in_place(struct log *log, struct fault *fault)
{
    struct progress progress;
    enum in_place how;

    *fault = (struct fault){ 0 };
    if (log->form || !find_opening(log, fault))
        return FAULTY;
    progress_begin(&progress, "reading", log->length);
    how = read_lines_in_place(log, fault, &progress);
    progress_end(&progress);
    return how;
}

/* The logs that the finder found. */

struct input {
    struct log raw; /* its bytes */
    struct finder *finder;
    struct boots boots;
    struct fault fault;
    const char *view;
};

static void find(struct input *input, const struct view *view)
{
    struct progress progress;

    input->finder = finder_new();
    progress_begin(&progress, "reading", input->raw.length);
    view_take(view, input->finder, input->raw.bytes, input->raw.length, &progress);
    progress_end(&progress);
    boots_of(&input->boots, input->finder);
    input->view = view->name;
}

static void forget(struct input *input)
{
    boots_free(&input->boots);
    finder_free(input->finder);
}

/* By the view in which most lines are proved. */
static void find_best(struct input *input)
{
    find(input, &views[0]);
    for (size_t i = 1; i < view_count && !boots_whole(&input->boots, input->finder); i++) {
        struct input other = { .raw = input->raw };

        if (!view_fits(&views[i], input->raw.bytes, input->raw.length))
            continue;
        find(&other, &views[i]);
        if (finder_proved(other.finder) > finder_proved(input->finder)) {
            forget(input);
            input->finder = other.finder;
            input->boots = other.boots;
            input->view = other.view;
        } else {
            forget(&other);
        }
    }
}

/* The bytes of its stretches, one after the other. */
static void gather(struct log *log, const struct boot *boot, const struct stretch *all)
{
    size_t length = 0;

    for (size_t i = 0; i < boot->count; i++)
        length += all[boot->stretches[i]].length;
    log->bytes = malloc(length + 1);
    if (!log->bytes)
        out_of_memory();
    for (size_t i = 0; i < boot->count; i++) {
        const struct stretch *stretch = &all[boot->stretches[i]];

        memcpy(log->bytes + log->length, stretch->text, stretch->length);
        log->length += stretch->length;
    }
}

static bool read_stretch(struct log *log, const struct stretch *stretch, size_t *at)
{
    const size_t end = *at + stretch->length;
    struct log_chain chain = { stretch->first - 1, stretch->before };
    struct span line, body;

    for (size_t n = 1; *at < end && !log->ended && log_line(log, at, &line); n++) {
        log->line = line_map_find(&stretch->map, n);
        if (!printable(log, line) || !proved(log, &chain, *at, line, &body))
            return false;
        if (damage_resumes(log, body) ? !read_line(log, line, body)
                                      : log->damage.stopped != NULL)
            return false;
    }
    return true;
}

static void say_hole(struct log *log, const struct hole *hole, uint32_t want, size_t line,
                     uint32_t number)
{
    if (hole->bad_checksum)
        log_error(log, line, "damaged or from elsewhere: its checksum is wrong");
    else
        lost(log, line, number, want);
}

/* Lines are lost before this stretch.  False: what follows cannot be judged. */
static bool pass_hole(struct log *log, const struct stretch *before,
                      const struct stretch *stretch, const struct fault *fault)
{
    const struct hole *hole = &stretch->hole;
    const uint32_t want = before->chain.sequence + 1;
    const size_t line = hole->line ? hole->line : stretch->begins;
    const uint32_t missing = stretch->first - want;

    if (fault->sentence &&
        (fault->sequence + 1 == want || (fault->moved && fault->sequence < want)))
        log_error(log, fault->line, "%s", fault->sentence);
    else
        say_hole(log, hole, want, line, hole->first ? hole->first : stretch->first);
    return damage_begins(log, line, missing > hole->numbers ? missing - hole->numbers : 0,
                         hole->restart);
}

/* Adds to the error what is judged in spite of it. */
static void describe_damage(struct log *log)
{
    const struct damage *damage = &log->damage;
    size_t touched = 0, after = 0;
    const char *sentence = log->log_error;
    char *more;

    if (!damage->line)
        return;
    for (size_t i = 0; i < log->run_count; i++) {
        touched += log->runs[i].damaged;
        after += i >= damage->before && !log->runs[i].damaged && log->runs[i].end_line;
    }
    if (damage->stopped && !log->run_count)
        more = format_text("%s; no run is judged: %s", sentence, damage->stopped);
    else if (damage->stopped)
        more = format_text(
            "%s; %zu run%s before it %s judged, and %zu after it; then the reading "
            "ends: %s",
            sentence, damage->before, plural(damage->before),
            damage->before == 1 ? "is" : "are", after, damage->stopped);
    else
        more = format_text(
            "%s.  %zu run%s %s in error for it; %zu before and %zu after it are judged.  "
            "That those after it are of the same boot is known from their numbers alone",
            sentence, touched, plural(touched), touched == 1 ? "is" : "are", damage->before,
            after);
    log->log_error = arena_keep(&log->memory, more);
}

static void add_to_error(struct log *log, char *more)
{
    log->log_error = arena_keep(&log->memory, format_text("%s%s", log->log_error, more));
    free(more);
}

/* The line of the log with this word, without its trailer. */
static struct span line_of(const struct stretch *stretch, const char *word)
{
    const char *at = memmem(stretch->text, stretch->length, word, strlen(word));
    const size_t left = at ? (size_t)(stretch->text + stretch->length - at) : 0;
    const char *end = at ? memmem(at, left, " ~", 2) : NULL;

    return (struct span){ at, end ? (size_t)(end - at) : 0 };
}

/* False if both logs name their machine, and it is not the same. */
static bool of_one_machine(const struct stretch *a, const struct stretch *b)
{
    static const char *const words[] = { "\nsystem ", "\ncpu " };

    for (size_t i = 0; i < COUNT_OF(words); i++) {
        const struct span one = line_of(a, words[i]), other = line_of(b, words[i]);

        if (one.length && other.length &&
            (one.length != other.length || memcmp(one.at, other.at, one.length) != 0))
            return false;
    }
    return true;
}

/* The log breaks off.  The error of the reading in place at this line says more, if nothing
 * follows it. */
static void break_off(struct log *log, const struct input *input, size_t which)
{
    const struct boots *boots = &input->boots;
    const struct boot *boot = &boots->at[which];
    const struct hole *hole = finder_hole(input->finder);
    const struct stretch *all, *last;
    size_t count;

    all = finder_stretches(input->finder, &count);
    last = &all[boot->stretches[boot->count - 1]];
    for (size_t i = which + 1; i < boots->count; i++)
        if (!boots->at[i].headless) {
            const struct stretch *next = &all[boots->at[i].stretches[0]];

            parse_finished(log);
            add_to_error(log,
                         format_text(of_one_machine(&all[boot->stretches[0]], next)
                                         ? "; the machine was started again: line %zu "
                                           "begins another log"
                                         : "; line %zu begins the log of another machine",
                                     next->begins));
            return;
        }
    if (input->fault.sentence && (input->fault.at_end || hole->line) && boots->count == 1 &&
        last->chain.sequence == input->fault.sequence)
        log_error(log, input->fault.line, "%s", input->fault.sentence);
    else if (hole->numbers && which + 1 == boots->count)
        say_hole(log, hole, last->chain.sequence + 1, hole->line, hole->first);
    else
        parse_finished(log);
}

/* `opening`: the line that begins as a log does and is not proved, or 0. */
static void headless(struct log *log, const struct stretch *stretch, size_t opening)
{
    if (opening && opening < stretch->begins)
        log_error(
            log, opening,
            "damaged: the first line of a log, on which all others rest, is not as it was "
            "written; no run can be judged");
    else if (stretch->is_fork)
        log_error(
            log, stretch->begins,
            "is of another log, which begins with the same lines: it is its line %u; no "
            "run of it can be judged",
            stretch->first);
    else
        log_error(
            log, stretch->begins,
            "the beginning of this log is lost: this is its line %u, and no line before "
            "it begins with " LOG_OPENING "; no run can be judged",
            stretch->first);
}

static void describe(struct log *log, const struct input *input, size_t which)
{
    char *skipped = boot_skipped(&input->boots.at[which], input->finder);

    if (input->raw.form)
        log->form = arena_keep(&log->memory, format_text("%s", input->raw.form));
    if (input->view && skipped)
        log->skipped =
            arena_keep(&log->memory, format_text("%s; %s", input->view, skipped));
    else if (input->view || skipped)
        log->skipped =
            arena_keep(&log->memory, format_text("%s", skipped ? skipped : input->view));
    free(skipped);
    log->boot = input->boots.count > 1 ? which + 1 : 0;
    log->boots = input->boots.count;
}

static void read_boot(struct log *log, const struct input *input, size_t which)
{
    const struct boot *boot = &input->boots.at[which];
    const struct stretch *all;
    size_t count, at = 0;
    bool good = true;

    all = finder_stretches(input->finder, &count);
    describe(log, input, which);
    log->first_line = log->line = all[boot->stretches[0]].begins;
    if (boot->headless) {
        headless(log, &all[boot->stretches[0]],
                 input->boots.count == 1 ? input->fault.line : 0);
        log->advice = arena_keep(&log->memory, advice_damaged(&input->raw));
        return;
    }
    gather(log, boot, all);
    for (size_t i = 0; i < boot->count && good && !log->ended; i++) {
        const struct stretch *stretch = &all[boot->stretches[i]];

        good = (i == 0 ||
                pass_hole(log, &all[boot->stretches[i - 1]], stretch, &input->fault)) &&
               read_stretch(log, stretch, &at);
    }
    describe_damage(log);
    if (good && !log->log_error && !log->ended)
        break_off(log, input, which);
    if (input->raw.torn && log->log_error)
        add_to_error(log, format_text("; %s", input->raw.torn));
    else if (input->raw.torn)
        log_error(log, 0, "%s", input->raw.torn);
    else if (log->damage.line ||
             (good && !log->ended && finder_hole(input->finder)->numbers))
        log->advice = arena_keep(&log->memory, advice_damaged(&input->raw));
    if (finder_full(input->finder))
        log_error(log, 0, "more than %zu logs or pieces of logs are in this file", count);
}

/* There is no log. */

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

/* An image that was started, and refused, says why.  One that ran says where its log is. */
static bool quote_image(struct log *log, const struct log *raw)
{
    struct span line, refusal = { NULL, 0 };
    bool taking = false;

    for (size_t at = 0; log_line(raw, &at, &line);) {
        struct span said = said_in(line);

        if (span_begins(said, LOG_SAVED))
            return log_error(
                log, 0,
                "has no log, but the image says: %.*s: that file of the stick has "
                "it",
                SPAN(said));
        if (span_begins(said, LOG_COMPARED))
            taking = false, refusal.at = NULL;
        else if (taking && said.length && !refusal.at)
            refusal = said;
        taking = taking || span_begins(said, LOG_TAKING);
    }
    return refusal.at &&
           log_error(log, 0, "the image did not take the machine: %.*s", SPAN(refusal));
}

static bool no_log(struct log *log, const struct log *raw, size_t trace, size_t opening)
{
    if (raw->torn)
        return log_error(log, 0, "%s", raw->torn);
    if (raw->length == 0)
        return log_error(log, 0,
                         "is empty: nothing was written to it, or it was not saved");
    if (opening || trace)
        log->advice = arena_keep(&log->memory, advice_damaged(raw));
    if (opening)
        return log_error(
            log, opening,
            "damaged or cut short: the first line of a log ends in a checksum, "
            "and neither that nor one of a line after it is right");
    if (trace)
        return log_error(
            log, trace,
            "this looks like a line of a log, but not one line of this file is as it was "
            "written: each ends in a checksum, and none is right; save the log again, as "
            "text, without anything that changes its lines");
    return quote_image(log, raw) ||
           log_error(log, 0,
                     "no line begins with " LOG_OPENING
                     ": this is not a log; the log is the file on the "
                     "stick, or what came on the serial line");
}

/* Reads the file.  True: it was read in place, as the only log. */
static bool open_input(struct input *input, struct log *log)
{
    struct log again = { .name = log->name };
    char *form;

    if (log->log_error || !unpack(log) ||
        (log->length && read_in_place(log, &input->fault) == READ))
        return true;
    input->raw = *log;
    *log = again;
    find_best(input);
    form = boots_whole(&input->boots, input->finder) ? NULL : advice_form(&input->raw);
    if (form) {
        log_error(log, 0, "%s", form);
        free(form);
        return true;
    }
    if (input->boots.count)
        return false;
    no_log(log, &input->raw, finder_trace(input->finder), input->fault.line);
    return true;
}

static void close_input(struct input *input)
{
    if (input->finder)
        forget(input);
    log_free(&input->raw);
}

/* Which of the logs is meant; none: an error. */
static bool choose(struct log *log, const struct input *input, size_t *which)
{
    const size_t count = input->boots.count;

    *which = chosen ? chosen - 1 : 0;
    if (chosen > count)
        return log_error(log, 0, "--boot=%zu: this file has %zu log%s", chosen, count,
                         plural(count));
    if (count > 1 && !chosen)
        return log_error(
            log, 0,
            "%zu logs are in this file, of several boots or machines: `everybranch check` "
            "lists them, and --boot=N chooses one",
            count);
    return true;
}

/* What was read in place is the only log. */
static void choose_only(struct log *log)
{
    if (chosen > 1)
        log_error(log, 0, "--boot=%zu: this file has 1 log", chosen);
}

static void read_one(struct log *log)
{
    struct input input = { 0 };
    size_t which;

    if (open_input(&input, log))
        choose_only(log);
    else if (choose(log, &input, &which))
        read_boot(log, &input, which);
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
    struct log *logs = zeroed(1, sizeof(*logs));
    struct input input = { 0 };
    size_t which;

    *count = 1;
    logs->name = name;
    bytes_read(logs);
    if (open_input(&input, logs)) {
        choose_only(logs);
    } else if (chosen || input.boots.count == 1) {
        if (choose(logs, &input, &which))
            read_boot(logs, &input, which);
    } else {
        free(logs);
        *count = input.boots.count;
        logs = zeroed(*count, sizeof(*logs));
        for (size_t i = 0; i < *count; i++) {
            logs[i].name = name;
            read_boot(&logs[i], &input, i);
        }
    }
    close_input(&input);
    return logs;
}

/* A log that is still being written. */

void feed_begin(struct log_feed *feed, struct log *log, const char *name)
{
    *log = (struct log){ .name = name };
    log->bytes = malloc(LOG_BYTES_MAX + 1); /* no byte of it may move later */
    if (!log->bytes)
        out_of_memory();
    *feed = (struct log_feed){ .log = log, .finder = finder_new(), .line = 1 };
}

/* The next line of the log that was found, at the end of its bytes. */
static bool feed_line(struct log_feed *feed, const struct stretch *stretch,
                      struct span line)
{
    struct log *log = feed->log;
    struct span body, copy = { log->bytes + log->length, line.length };

    if (line.length + 1 > LOG_BYTES_MAX - log->length)
        return log_error(
            log, 0,
            "longer than %u MiB: save all of it as a file, and show that without --follow",
            LOG_BYTES_MAX >> 20);
    memcpy(log->bytes + log->length, line.at, line.length);
    log->length += line.length;
    log->bytes[log->length++] = '\n';
    log->line = line_map_find(&stretch->map, ++feed->read);
    return proved(log, &feed->chain, log->length, copy, &body) &&
           read_line(log, copy, body);
}

/* The lines that were found since the last time. */
static bool feed_found(struct log_feed *feed, const struct stretch *stretch)
{
    while (!feed->log->ended && feed->taken < stretch->length) {
        const char *at = stretch->text + feed->taken;
        const char *end = memchr(at, '\n', stretch->length - feed->taken);

        feed->taken += (size_t)(end - at) + 1;
        if (!feed_line(feed, stretch, (struct span){ at, (size_t)(end - at) }))
            return false;
    }
    return true;
}

/* Another log began, or lines are lost. */
static bool feed_broken(struct log_feed *feed, const struct stretch *before,
                        const struct stretch *next)
{
    struct log *log = feed->log;
    const size_t line = next->hole.line ? next->hole.line : next->begins;

    if (next->first == 1) {
        log->line = before->ends;
        parse_finished(log);
        add_to_error(log, format_text("; the machine was started again: line %zu begins "
                                      "another log",
                                      next->begins));
        return false;
    }
    if (next->hole.bad_checksum || next->first <= before->chain.sequence)
        return log_error(log, line, "damaged or from elsewhere: its checksum is wrong");
    return lost(log, line, next->first, before->chain.sequence + 1);
}

bool feed_more(struct log_feed *feed, const char *bytes, size_t count)
{
    const struct stretch *stretches;
    size_t found;

    if (!feed->opened && count <= LOG_BYTES_MAX - feed->log->length) {
        memcpy(feed->log->bytes + feed->log->length, bytes, count); /* for no_log() */
        feed->log->length += count;
    }
    finder_take(feed->finder, bytes, count, feed->line);
    for (size_t i = 0; i < count; i++)
        feed->line += bytes[i] == '\n';
    stretches = finder_stretches(feed->finder, &found);
    while (!feed->opened && feed->stretch < found) {
        feed->opened = stretches[feed->stretch].first == 1;
        feed->stretch += !feed->opened;
        if (feed->opened)
            feed->log->length = 0;
    }
    if (!feed->opened)
        return true;
    if (!feed_found(feed, &stretches[feed->stretch]))
        return false;
    if (!feed->log->ended && feed->stretch + 1 < found)
        return feed_broken(feed, &stretches[feed->stretch], &stretches[feed->stretch + 1]);
    return true;
}

bool feed_end(struct log_feed *feed)
{
    struct log *log = feed->log;

    if (!log->log_error && !log->ended)
        feed_more(feed, "\n", 1); /* what came last has no end of its line */
    if (!feed->opened)
        no_log(log, log, finder_trace(feed->finder), 0);
    finder_free(feed->finder);
    feed->finder = NULL;
    return !log->log_error && parse_finished(log);
}

void log_free(struct log *log)
{
    for (size_t i = 0; i < log->run_count; i++) {
        free(log->runs[i].why);
        lines_free(log->runs[i].lines);
        run_findings_free(&log->runs[i].findings);
    }
    arena_release(&log->memory);
    bytes_free(log);
}
