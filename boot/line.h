/*
 * A line that is being typed: keys go in, what to print comes out.  Knows no console.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define LINE_PROMPT  "> "
#define LINE_ROOM    76 /* characters: with the prompt and the cursor 79 columns */
#define LINE_HISTORY 32

/* A printable character is its own key. */
enum line_key {
    LINE_HOME = 0x01, /* the control characters of Emacs and of shells: ^A */
    LINE_LEFT = 0x02,
    LINE_END = 0x05,
    LINE_DELETE = 0x04,
    LINE_RIGHT = 0x06,
    LINE_BACKSPACE = 0x08,
    LINE_KILL = 0x0b, /* ^K: what is after the cursor */
    LINE_ENTER = 0x0d,
    LINE_DOWN = 0x0e,
    LINE_UP = 0x10,
    LINE_CLEAR = 0x15, /* ^U: all of it */
    LINE_ESCAPE = 0x1b,
    LINE_RUBOUT = 0x7f,
};

struct line_editor {
    char text[LINE_ROOM + 1];
    size_t length, cursor;
    char draft[LINE_ROOM + 1]; /* what was typed before UP */
    char history[LINE_HISTORY][LINE_ROOM + 1];
    size_t kept; /* lines ever; the newest of them are in the history */
    size_t back; /* how far UP has gone; 0: not at all                */
    enum { PLAIN, ESCAPED, SEQUENCE } state;
    unsigned number; /* in the sequence */
    size_t drawn;
    char out[4 * LINE_ROOM];
};

/* A new, empty line, after the last one; the history stays.  Returns what to print. */
const char *line_start(struct line_editor *);

/* Takes a key: true where the line is done, its text in `text`. */
bool line_take(struct line_editor *, unsigned key);

/* The text to print after a key, over the text printed before. */
const char *line_drawn(struct line_editor *);
