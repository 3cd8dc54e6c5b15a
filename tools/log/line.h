/*
 * A line without its trailer, taken apart from left to right.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "span.h"

struct log;

struct line {
    struct log *log;
    struct span rest, word; /* what is left, and the line's first word */
};
struct value {
    struct span text;
    uint64_t number;
    bool absent;
};
bool line_begin(struct line *, struct log *, struct span body);
/*
 * Takes the fields of a form, as "name=w about=q at=x": w a word, q text in quotes,
 * x a hex number, d a decimal one, a a hex number or `absent`, b 0 or 1.
 */
bool line_fields(struct line *, const char *form, struct value *out);
bool line_next_is(const struct line *, const char *key); /* whether key= comes next     */
bool line_word(struct line *, const char *wish, struct span *out); /* wish: for the error */
bool line_end(struct line *);

/*
 * base64.c: appends the bytes of a line's last word, or counts them where `at` is NULL;
 * `first`: the line that says how many there are, for the error.
 */
bool line_base64(struct line *, size_t first, uint8_t *at, uint64_t *size,
                 uint64_t capacity);

/* For a line that must stand once: *first becomes its line. */
bool once(struct line *, size_t *first);
