/*
 * Text without a C library: comparing two, and building a line.
 *
 * A struct text never overruns: what does not fit sets `overflow` and is left out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *at; /* always NUL-terminated when room > 0 */
    size_t length, room;
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

struct text text_into(char *buffer, size_t room);
void text_string(struct text *, const char *);
void text_bytes(struct text *, const char *, size_t count);
void text_decimal(struct text *, uint64_t);
void text_hex(struct text *, uint64_t); /* no prefix, no leading zeros  */
void text_hex_padded(struct text *, uint64_t, int digits);
void text_base64(struct text *, const uint8_t *bytes, size_t count); /* RFC 4648, with = */
