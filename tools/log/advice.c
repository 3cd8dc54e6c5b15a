/*
 * What to do with a file that cannot be read as it is.
 *
 * A container, a dump or an encoding is known by how it begins, or by how the first words
 * of a log look in it.  Nothing here makes a log readable or decides a verdict: it words
 * what a person does next.
 */
#include "advice.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "count_of.h"
#include "heap.h"
#include "parsed.h"
#include "span.h"
#include "words.h"

/* Names for the form, and the command that writes the text; %s: the file's name. */
struct form {
    const char *mark;
    size_t length;
    const char *what, *command;
};

#define MARK(text) text, sizeof(text) - 1

#define ATTACHED "Content-Transfer-Encoding: base64"

#define ZLIB                         \
    "python3 -c 'import sys, zlib; " \
    "sys.stdout.buffer.write(zlib.decompress(sys.stdin.buffer.read()))' <"

/* At the file's beginning. */
static const struct form magics[] = {
    { MARK("PK\3\4"), "is a zip archive", "unzip -p" },
    { MARK("SQLite format 3"), "is a database of SQLite", "sqlite3 -list %s .dump" },
    { MARK("x\x01"), "is compressed by zlib", ZLIB },
    { MARK("x\x5e"), "is compressed by zlib", ZLIB },
    { MARK("x\x9c"), "is compressed by zlib", ZLIB },
    { MARK("x\xda"), "is compressed by zlib", ZLIB },
    { MARK("7z\xbc\xaf\x27\x1c"), "is an archive of 7-Zip", "7z x -so" },
    { MARK("%PDF-"), "is a PDF", NULL },
};

/* Anywhere: the first words of a log. */
static const struct form openings[] = {
    { MARK("M979E<GEB<F%N8V@"), "has the log in uuencode", "uudecode -o -" },
    { MARK("ZXZlcnlicmFuY2ggbG9n"), "has the log in base64", "base64 -d" },
    { MARK("V2ZXJ5YnJhbmNoIGxvZz"), "has the log in base64", "base64 -d" },
    { MARK("hldmVyeWJyYW5jaCBsb2"), "has the log in base64", "base64 -d" },
    { MARK("everybranch%20log"), "has the log in the encoding of addresses",
      "python3 -c 'import sys, urllib.parse as u; "
      "print(u.unquote(sys.stdin.read()))' <" },
    { MARK("everybranch+log"), "has the log in the encoding of forms",
      "python3 -c 'import sys, urllib.parse as u; "
      "print(u.unquote_plus(sys.stdin.read()))' <" },
    { MARK(" +AH4-1 "), "is UTF-7", "iconv -f UTF-7 -t ASCII" },
    { MARK("\x85\xa5\x85\x99\xa8\x82\x99\x81\x95\x83\x88\x40\x93\x96\x87"), "is EBCDIC",
      "iconv -f CP037 -t ASCII" },
    { MARK("00000000: 6576 6572 7962 7261"), "is a dump of the log", "xxd -r" },
    { MARK("00000000  65 76 65 72 79 62 72 61"), "is a dump of the log",
      "cut -c 10-58 %s | xxd -r -p" },
    { MARK("65766572796272616e63"), "is a dump of the log", "xxd -r -p" },
    { MARK("65 76 65 72 79 62 72 61"), "is a dump of the log", "xxd -r -p" },
    { MARK("   e   v   e   r   y   b   r   a"), "is a dump of the log", NULL },
};

/* A word of a shell's command. */
static char *quoted(const char *word)
{
    char *text = format_text("'"), *longer;

    for (; *word; word++) {
        longer =
            *word == '\'' ? format_text("%s'\\''", text) : format_text("%s%c", text, *word);
        free(text);
        text = longer;
    }
    longer = format_text("%s'", text);
    free(text);
    return longer;
}

static bool is_plain(const char *word)
{
    return *word && *word != '-' &&
           strspn(word,
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+-") ==
               strlen(word);
}

char *shell_word(const char *word)
{
    return is_plain(word) ? format_text("%s", word) : quoted(word);
}

/* The command with the file's name, and the pipe into `check`. */
static char *piped(const char *command, const char *name)
{
    char *word = strcmp(name, "-") ? shell_word(name) : format_text("FILE");
    const char *place = strstr(command, "%s");
    char *text = place ? format_text("`%.*s%s%s | everybranch check -`",
                                     (int)(place - command), command, word, place + 2)
                       : format_text("`%s %s | everybranch check -`", command, word);

    free(word);
    return text;
}

static char *sentence_of(const struct form *form, const char *name)
{
    char *command = form->command ? piped(form->command, name) : NULL;
    char *text = command ? format_text("%s: %s reads it", form->what, command)
                         : format_text("%s: get the file that it was made of", form->what);

    free(command);
    return text;
}

/* What a serial line of seven bits and parity makes of a log. */
static bool has_parity(const struct log *raw)
{
    static const char opening[] = "everybranch log=";
    const size_t length = sizeof(opening) - 1;
    const size_t end = raw->length < 1 << 16 ? raw->length : 1 << 16;

    for (size_t at = 0; at + length <= end; at++) {
        size_t i = 0;
        unsigned set = 0;

        for (; i < length && (raw->bytes[at + i] & 0x7f) == opening[i]; i++)
            set |= raw->bytes[at + i] & 0x80;
        if (i == length && set)
            return true;
    }
    return false;
}

/* The number of " ~NUMBER CHECKSUM" at the tilde, or 0. */
static uint32_t number_at(const struct log *raw, size_t at)
{
    const char *text = raw->bytes + at + 1;
    size_t left = raw->length - at - 1, digits = 0;
    uint32_t number = 0;

    while (digits < left && digits < 9 && text[digits] >= '0' && text[digits] <= '9')
        number = number * 10 + (uint32_t)(text[digits++] - '0');
    return digits && digits + 8 < left && text[digits] == ' ' ? number : 0;
}

/* True if the number of a line is mostly that of the line before less one. */
static bool is_backwards(const struct log *raw)
{
    size_t down = 0, up = 0;
    uint32_t before = 0;

    for (const char *at = raw->bytes, *end = at + raw->length;
         (at = memchr(at, '~', (size_t)(end - at))); at++) {
        const uint32_t number = number_at(raw, (size_t)(at - raw->bytes));

        if (!number)
            continue;
        down += number + 1 == before;
        up += before && number == before + 1;
        before = number;
    }
    return down > 4 && down > 4 * up;
}

char *advice_form(const struct log *raw)
{
    /* Our own program has these marks too. */
    const bool is_text = !memchr(raw->bytes, 0, raw->length);
    char *command, *text;

    for (size_t i = 0; i < COUNT_OF(magics); i++)
        if (raw->length > magics[i].length &&
            memcmp(raw->bytes, magics[i].mark, magics[i].length) == 0)
            return sentence_of(&magics[i], raw->name);
    for (size_t i = 0; is_text && i < COUNT_OF(openings); i++) {
        const char *at =
            memmem(raw->bytes, raw->length, openings[i].mark, openings[i].length);

        if (at && at != raw->bytes &&
            memmem(raw->bytes, raw->length, ATTACHED, strlen(ATTACHED)))
            return format_text("is mail with the log attached: save the attachment");
        if (at)
            return sentence_of(&openings[i], raw->name);
    }
    if (has_parity(raw))
        return format_text("its bytes have a parity bit: set the line to 8 data bits "
                           "without parity (115200 8N1), and capture the log again");
    if (!is_backwards(raw))
        return NULL;
    command = piped("tac", raw->name);
    text = format_text("its lines are in reverse order: %s reads them", command);
    free(command);
    return text;
}

/* Lines. */

/* The width at which lines are cut, or 0: several are as long as none is longer, and end
 * without a checksum. */
static size_t cut_width(const struct log *raw)
{
    size_t widest = 0, count = 0;

    for (size_t at = 0; at < raw->length;) {
        const char *line = raw->bytes + at;
        const char *end = memchr(line, '\n', raw->length - at);
        size_t length = end ? (size_t)(end - line) : raw->length - at;
        const char *tilde = memrchr(line, '~', length);
        const bool sealed = tilde && number_at(raw, (size_t)(tilde - raw->bytes));

        at += length + 1;
        if (length && line[length - 1] == '\r')
            length--;
        if (length > widest) {
            widest = length;
            count = 0;
        }
        count += length == widest && !sealed;
    }
    return count >= 4 ? widest : 0;
}

char *advice_damaged(const struct log *raw)
{
    const size_t width = cut_width(raw);

    if (memmem(raw->bytes, raw->length, "\xe2\x80\x9c", 3) ||
        memmem(raw->bytes, raw->length, "\xe2\x80\x9d", 3))
        return format_text("A word processor or a chat has changed its quotes.  Use the "
                           "file itself, not its text; the stick has the whole log: "
                           "logs/NNNN.log.");
    if (width)
        return format_text("Lines are cut at column %zu, as by a pager or a terminal.  Use "
                           "the file itself, not what a screen shows of it; the stick has "
                           "the whole log: logs/NNNN.log.",
                           width);
    return format_text("The stick has the whole log: logs/NNNN.log.");
}

/* No log. */

size_t unproved_opening(const struct log *raw)
{
    struct span line;

    for (size_t at = 0, number = 1; log_line(raw, &at, &line); number++)
        if (span_begins(line, LOG_OPENING))
            return number;
    return 0;
}

/* What the image says in this line, as far as it is printable; empty: nothing. */
static struct span said_in(struct span line)
{
    const char *end = line.at + line.length;
    const char *at = memmem(line.at, line.length, LOG_SAYS, strlen(LOG_SAYS));
    const char *said = at ? at + strlen(LOG_SAYS) : end;
    const struct span rest = { said, (size_t)(end - said) };

    return (struct span){ said, span_printable(rest) };
}

/* An image that was started, and refused, says why.  One that ran says where its log is. */
static void quote_image(struct log *log, const struct log *raw)
{
    struct span line, refusal = { NULL, 0 };
    bool taking = false;

    for (size_t at = 0; log_line(raw, &at, &line);) {
        struct span said = said_in(line);

        if (span_begins(said, LOG_SAVED))
            log_error(log, 0,
                      "has no log, but the image says: %.*s: that file of the stick has it",
                      SPAN(said));
        if (span_begins(said, LOG_COMPARED))
            taking = false, refusal.at = NULL;
        else if (taking && said.length && !refusal.at)
            refusal = said;
        taking = taking || span_begins(said, LOG_TAKING);
    }
    if (refusal.at)
        log_error(log, 0, "the image did not take the machine: %.*s", SPAN(refusal));
}

void advise_without_log(struct log *log, const struct log *raw, size_t trace)
{
    const size_t opening = unproved_opening(raw);

    if (!raw->torn && (opening || trace))
        log->advice = arena_keep(&log->memory, advice_damaged(raw));
    if (raw->torn)
        log_error(log, 0, "%s", raw->torn);
    else if (raw->length == 0)
        log_error(log, 0, "is empty: nothing was written to it, or it was not saved");
    else if (opening)
        log_error(log, opening,
                  "damaged or cut short: the first line of a log ends in a checksum, "
                  "and neither that nor one of a line after it is right");
    else if (trace)
        log_error(log, trace,
                  "this looks like a line of a log, but not one line of this file is as "
                  "it was written: each ends in a checksum, and none is right; save the "
                  "log again, as text, without anything that changes its lines");
    else
        quote_image(log, raw);
    if (!log->log_error)
        log_error(log, 0,
                  "no line begins with " LOG_OPENING
                  ": this is not a log; the log is the file on the stick, or what came "
                  "on the serial line");
}
