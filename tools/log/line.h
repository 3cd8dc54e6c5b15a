/*
 * A line without its trailer, taken apart by the grammar of its word.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log_grammar.h"
#include "span.h"
#include "text.h"

struct log;

struct value {
    struct span text; /* at is NULL: the line does not have the field */
    uint64_t number;  /* or which of several words it is, from 0      */
    bool absent;
};
#define LINE_FIELDS_MAX 32

struct line {
    struct log *log;
    struct span rest, word; /* rest: what is not read yet */
    const char *fields;     /* of line_parse()            */
    struct value *values;
};
bool line_begin(struct line *, struct log *, struct span body);

/*
 * Reads the fields, in the notation of log_grammar.h, up to the first part that has a
 * parser of its own.  The values lie in an array of the caller.
 */
bool line_parse(struct line *, const char *fields, struct value values[LINE_FIELDS_MAX]);

/* What was read.  A field that the line does not have is 0, or an empty text. */
bool line_has(const struct line *, const char *key);
uint64_t line_number(const struct line *, const char *key);
struct span line_text(const struct line *, const char *key);
struct value *line_value(const struct line *, const char *key);

/* An error unless the line has this optional field exactly if it is wanted. */
bool line_has_if(const struct line *, const char *key, bool wanted);

/* For what has a parser of its own.  `field` is one field, as "late=d"; wish: for the
 * error. */
bool line_next_is(const struct line *, const char *key); /* key= comes next */
bool line_field(struct line *, const char *field, struct value *);
bool line_word(struct line *, const char *wish, struct span *out);
bool line_end(struct line *);
bool hex_byte(const char *digits, uint8_t *out); /* two of them */

/* Appends the line: without the fields of mark -, or with those of mark ! emptied. */
void line_put(const struct line *, char mark, struct text *out);

/*
 * base64.c: appends the bytes of a line's last word, or counts them where `at` is NULL;
 * `first`: the line that says how many there are, for the error.
 */
bool line_base64(struct line *, size_t first, uint8_t *at, uint64_t *size,
                 uint64_t capacity);

/* For a line that must stand once: *first becomes its line. */
bool once(struct line *, size_t *first);
