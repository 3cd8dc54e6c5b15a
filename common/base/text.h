/*
 * Text without a C library: comparing two, and building a line.
 *
 * A struct text never overruns: what does not fit sets `overflow` and is left out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of text inside another one, without a zero at its end. */
struct span {
    const char *at;
    size_t length;
};
#define SPAN(span) (int)(span).length, (span).at /* for "%.*s" */

struct text {
    char *at; /* always NUL-terminated when capacity > 0 */
    size_t length, capacity;
    bool overflow;
};

static inline bool text_same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static inline bool text_begins(const char *text, const char *with)
{
    while (*with && *text == *with)
        text++, with++;
    return !*with;
}

static inline size_t text_length(const char *text)
{
    size_t length = 0;

    while (text[length])
        length++;
    return length;
}

static inline bool text_ends(const char *text, const char *with)
{
    const size_t length = text_length(text), end = text_length(with);

    return length >= end && text_same(text + length - end, with);
}

static inline struct span span_of(const char *text)
{
    return (struct span){ text, text_length(text) };
}

static inline void text_bytes(struct text *text, const char *bytes, size_t count)
{
    size_t capacity = text->capacity ? text->capacity - 1 - text->length : 0;

    if (count > capacity) {
        text->overflow = true;
        count = capacity;
    }
    if (text->capacity == 0)
        return;
    __builtin_memcpy(text->at + text->length, bytes, count);
    text->length += count;
    text->at[text->length] = '\0';
}

/* Appends at most TEXT_SHORT bytes in fewer steps; TEXT_SHORT bytes must be readable. */
#define TEXT_SHORT 16
static inline void text_short(struct text *text, const char *bytes, size_t count)
{
    if (text->length + TEXT_SHORT >= text->capacity) {
        text_bytes(text, bytes, count);
        return;
    }
    __builtin_memcpy(text->at + text->length, bytes, TEXT_SHORT);
    text->length += count;
    text->at[text->length] = '\0';
}

struct text text_into(char *buffer, size_t capacity);
void text_string(struct text *, const char *);
/* Appends each of these. */
#define text_join(text, ...) text_strings(text, (const char *const[]){ __VA_ARGS__, NULL })
void text_strings(struct text *, const char *const *);
static inline void text_span(struct text *text, struct span span)
{
    text_bytes(text, span.at, span.length);
}
void text_decimal(struct text *, uint64_t);
void text_hex(struct text *, uint64_t); /* no prefix, no leading zeros  */
void text_hex_padded(struct text *, uint64_t, int digits);
void text_base64(struct text *, const uint8_t *bytes, size_t count); /* RFC 4648, with = */
