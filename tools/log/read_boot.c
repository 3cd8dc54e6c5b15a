/*
 * A log from the stretches that the finder found of it.  Each of their lines is proved by
 * the one before it, so they are only parsed.
 */
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "boots.h"
#include "count_of.h"
#include "parse.h"
#include "words.h"

bool stretch_read(struct log *log, const struct stretch *stretch,
                  struct stretch_taken *done)
{
    while (!log->ended && done->bytes < stretch->length) {
        const char *from = stretch->text + done->bytes;
        const char *end = memchr(from, '\n', stretch->length - done->bytes);
        const size_t length = (size_t)(end - from);
        const struct span body = { log->bytes + log->length, log_body(from, length) };

        memcpy(log->bytes + log->length, from, length + 1);
        log->length += length + 1;
        done->bytes += length + 1;
        log->line = line_map_find(&stretch->map, ++done->lines);
        if (damage_resumes(log, body) ? !parse_line(log, body, length + WIRE_LINE_END)
                                      : log->damage.stopped != NULL)
            return false;
    }
    return true;
}

static void add_to_error(struct log *log, char *more)
{
    log->log_error = arena_keep(&log->memory, format_text("%s%s", log->log_error, more));
    free(more);
}

bool say_lost(struct log *log, uint32_t want, bool bad_checksum, size_t line,
              uint32_t number)
{
    const uint32_t count = number - want;

    if (bad_checksum || number < want)
        return log_error(log, line, "damaged or from elsewhere: its checksum is wrong");
    return log_error(log, line, "%u line%s lost before it: its number is %u, want %u",
                     count, count == 1 ? " is" : "s are", number, want);
}

/* Lines are lost before this stretch.  False: what follows cannot be judged. */
static bool pass_hole(struct log *log, const struct stretch *before,
                      const struct stretch *stretch, const struct fault *fault)
{
    const struct hole *hole = &stretch->hole;
    const uint32_t want = before->next.chain.sequence + 1, missing = stretch->first - want;
    const size_t line = hole->line ? hole->line : stretch->begins;

    if (fault->sentence &&
        (fault->sequence + 1 == want || (fault->moved && fault->sequence < want)))
        log_error(log, fault->line, "%s", fault->sentence);
    else
        say_lost(log, want, hole->bad_checksum, line,
                 hole->first ? hole->first : stretch->first);
    return damage_begins(log, line, missing > hole->numbers ? missing - hole->numbers : 0,
                         hole->restart);
}

/* Adds to the error what is judged in spite of it. */
static void describe_damage(struct log *log)
{
    const struct damage *damage = &log->damage;
    size_t touched = 0, after = 0;

    if (!damage->line)
        return;
    for (size_t i = 0; i < log->run_count; i++) {
        touched += log->runs[i].damaged;
        after += i >= damage->before && !log->runs[i].damaged && log->runs[i].end_line;
    }
    if (damage->stopped && !log->run_count)
        add_to_error(log, format_text("; no run is judged: %s", damage->stopped));
    else if (damage->stopped)
        add_to_error(log, format_text("; %zu run%s before it %s judged, and %zu after it; "
                                      "then the reading ends: %s",
                                      damage->before, plural(damage->before),
                                      damage->before == 1 ? "is" : "are", after,
                                      damage->stopped));
    else
        add_to_error(
            log,
            format_text(
                ".  %zu run%s %s in error for it; %zu before and %zu after it are judged.  "
                "Only their numbers show that those after it are of the same boot",
                touched, plural(touched), touched == 1 ? "is" : "are", damage->before,
                after));
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

        if (one.length && other.length && !span_same(one, other))
            return false;
    }
    return true;
}

bool say_started_again(struct log *log, const struct stretch *first,
                       const struct stretch *next)
{
    parse_finished(log);
    add_to_error(log, format_text(of_one_machine(first, next)
                                      ? "; the machine was started again: line %zu begins "
                                        "another log"
                                      : "; line %zu begins the log of another machine",
                                  next->begins));
    return false;
}

/* The log breaks off after its last stretch.  The error of the reading in place at this
 * line says more, if nothing follows it. */
static void break_off(struct log *log, const struct input *input,
                      const struct stretch *first)
{
    const struct hole *hole = &input->found->hole;
    const struct fault *fault = &input->fault;
    const struct stretch *last = first, *next;

    for (size_t i = first->boot + 1; i <= input->boots; i++) {
        next = boot_first(input->found, i);
        if (next->first == 1) {
            say_started_again(log, first, next);
            return;
        }
    }
    while ((next = boot_next(input->found, last)))
        last = next;
    if (fault->sentence && (fault->at_end || hole->line) && input->boots == 1 &&
        last->next.chain.sequence == fault->sequence)
        log_error(log, fault->line, "%s", fault->sentence);
    else if (hole->numbers && first->boot == input->boots)
        say_lost(log, last->next.chain.sequence + 1, hole->bad_checksum, hole->line,
                 hole->first);
    else
        parse_finished(log);
}

/* A log whose first line is lost. */
static void headless(struct log *log, const struct input *input,
                     const struct stretch *stretch)
{
    const size_t opening = input->boots == 1 ? unproved_opening(&input->raw) : 0;

    log->advice = arena_keep(&log->memory, advice_damaged(&input->raw));
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

/* Space for all lines of the log that begins with this stretch. */
static char *space_for(const struct found *found, const struct stretch *stretch)
{
    size_t length = 0;

    for (; stretch; stretch = boot_next(found, stretch))
        length += stretch->length;
    return zeroed(length, 1);
}

/* False: the log is read no further than to an error. */
static bool read_stretches(struct log *log, const struct input *input,
                           const struct stretch *first)
{
    const struct stretch *before = NULL;

    for (const struct stretch *at = first; at && !log->ended;
         at = boot_next(input->found, at)) {
        struct stretch_taken done = { 0 };

        if ((before && !pass_hole(log, before, at, &input->fault)) ||
            !stretch_read(log, at, &done))
            return false;
        if (log->ended && done.bytes < at->length)
            return log_error(log, line_map_find(&at->map, done.lines + 1),
                             "a line of the log follows its last line, `end`");
        before = at;
    }
    return true;
}

void boot_read(struct log *log, const struct input *input, size_t boot)
{
    const struct stretch *first = boot_first(input->found, boot);
    bool whole;

    log->form = input->raw.form;
    log->skipped = arena_keep(&log->memory, boot_skipped(input->found, first, input->view));
    log->boot = input->boots > 1 ? boot : 0;
    log->boots = input->boots;
    log->first_line = log->line = first->begins;
    if (first->first != 1) {
        headless(log, input, first);
        return;
    }
    log->bytes = space_for(input->found, first);
    whole = read_stretches(log, input, first);
    describe_damage(log);
    if (whole && !log->log_error && !log->ended)
        break_off(log, input, first);
    if (input->raw.torn && log->log_error)
        add_to_error(log, format_text("; %s", input->raw.torn));
    else if (input->raw.torn)
        log_error(log, 0, "%s", input->raw.torn);
    else if (log->damage.line || (whole && !log->ended && input->found->hole.numbers))
        log->advice = arena_keep(&log->memory, advice_damaged(&input->raw));
    if (input->found->full)
        log_error(log, 0, "more than %zu logs or pieces of logs are in this file",
                  input->found->count);
}
