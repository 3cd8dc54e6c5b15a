/*
 * Bytes -> pieces of text.
 *
 * A line of the log is printable ASCII, so everything else is no part of it: escape
 * sequences of a terminal, the bytes of flow control, zeros, letters beyond ASCII.  Line
 * feed and carriage return end a piece.  A backspace moves the cursor back, as on a
 * terminal, and a sequence can move it on or repeat a character.
 */
#include "find_parts.h"

#include <string.h>

#define ESCAPE 0x1b
#define BELL   0x07

void finder_end_piece(struct finder *finder)
{
    const struct span text = { finder->text, finder->farthest };

    if (text.length)
        find_in_piece(finder, text, finder->line, finder->marks, finder->mark_count,
                      finder->scrubbed);
    finder->cursor = finder->farthest = 0;
    finder->mark_count = 0;
    finder->scrubbed = false;
}

static void mark(struct finder *finder)
{
    finder->scrubbed = true;
    if (finder->mark_count < MARKS_MAX &&
        (!finder->mark_count || finder->marks[finder->mark_count - 1] != finder->cursor))
        finder->marks[finder->mark_count++] = finder->cursor;
}

static void print(struct finder *finder, char c)
{
    if (finder->cursor == PIECE_MAX)
        finder_end_piece(finder);
    finder->text[finder->cursor++] = c;
    if (finder->cursor > finder->farthest)
        finder->farthest = finder->cursor;
}

/* The last byte of a control sequence: ECMA-48, "CUF" and "REP". */
static void control(struct finder *finder, char c)
{
    const unsigned wanted = finder->parameter ? finder->parameter : 1;
    const unsigned times = wanted < LOG_LINE_MAX ? wanted : LOG_LINE_MAX;
    const char last = finder->cursor > 0 ? finder->text[finder->cursor - 1] : ' ';

    if (c != 'C' && !(c == 'b' && finder->cursor > 0)) {
        mark(finder);
        return;
    }
    for (unsigned i = 0; i < times; i++)
        if (c == 'b')
            print(finder, last);
        else if (finder->cursor < finder->farthest)
            finder->cursor++; /* the cursor erases nothing */
        else
            print(finder, ' ');
}

/* A byte within an escape sequence. */
static void escaped(struct finder *finder, unsigned char c)
{
    switch (finder->state) {
    case ESCAPED:
        finder->parameter = 0;
        finder->state = c == '['                  ? CONTROL
                        : c && strchr("]P^_X", c) ? STRING
                        : c >= 0x20 && c <= 0x2f  ? CHARSET
                        : c == ESCAPE             ? ESCAPED
                                                  : GROUND;
        if (finder->state == GROUND)
            mark(finder);
        break;
    case CHARSET:
        if (c < 0x20 || c > 0x2f) {
            finder->state = GROUND;
            mark(finder);
        }
        break;
    case CONTROL:
        if (c >= '0' && c <= '9' && finder->parameter < 100000)
            finder->parameter = finder->parameter * 10 + c - '0';
        if (c >= 0x40) {
            finder->state = GROUND;
            control(finder, (char)c);
        }
        break;
    case STRING:
        finder->state = c == BELL ? GROUND : c == ESCAPE ? STRING_ESCAPED : STRING;
        break;
    case STRING_ESCAPED:
        finder->state = c == ESCAPE ? STRING_ESCAPED : GROUND;
        break;
    case GROUND:
        break;
    }
}

static void take(struct finder *finder, unsigned char c)
{
    if (c == '\n' || c == '\r') { /* no escape sequence goes on after the end of a line */
        finder->state = GROUND;
        finder_end_piece(finder);
    } else if (finder->state != GROUND && c != 0x11 && c != 0x13 && c != 0) {
        escaped(finder, c);
    } else if (c >= ' ' && c <= '~') {
        print(finder, (char)c);
    } else if (c == ESCAPE) {
        finder->state = ESCAPED;
    } else if (c == '\b') {
        finder->cursor -= finder->cursor > 0;
        finder->scrubbed = true;
    } else {
        mark(finder);
    }
}

void finder_take(struct finder *finder, const char *bytes, size_t count, size_t line)
{
    while (count > 0) {
        const char *end = memchr(bytes, '\n', count);
        size_t whole = end ? (size_t)(end - bytes) : 0, length = whole;

        if (finder->farthest == 0)
            finder->line = line;
        while (length > 0 && bytes[length - 1] == '\r')
            length--;
        if (end && finder->farthest == 0 && finder->state == GROUND && length < PIECE_MAX &&
            span_printable((struct span){ bytes, length }) == length) {
            find_in_piece(finder, (struct span){ bytes, length }, line, NULL, 0, false);
        } else {
            whole = end ? whole : count;
            for (size_t i = 0; i < whole; i++)
                take(finder, (unsigned char)bytes[i]);
            if (end)
                take(finder, '\n');
        }
        bytes += whole + (end ? 1 : 0);
        count -= whole + (end ? 1 : 0);
        line += end ? 1 : 0;
    }
}
