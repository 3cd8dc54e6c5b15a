/*
 * Escapes text for JSON, HTML and XML.  A log may be forged, so its text passes through
 * here before it becomes part of a page or of a document that a program reads.
 */
#include "escape.h"

#include <stdbool.h>
#include <stdint.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD in UTF-8 */

static bool continues(char byte)
{
    return ((uint8_t)byte & 0xc0) == 0x80;
}

/*
 * Returns the length of the UTF-8 character that begins here, or 0.  Overlong forms,
 * surrogates and anything above U+10FFFF are none (RFC 3629, "Syntax of UTF-8").
 */
static size_t character(const char *at, size_t capacity)
{
    const uint8_t first = (uint8_t)at[0], second = capacity > 1 ? (uint8_t)at[1] : 0;
    size_t size = first < 0x80   ? 1
                  : first < 0xc2 ? 0
                  : first < 0xe0 ? 2
                  : first < 0xf0 ? 3
                                 : 4;

    if (first > 0xf4 || size > capacity)
        return 0;
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
        return 0;
    for (size_t i = 1; i < size; i++)
        if (!continues(at[i]))
            return 0;
    return size;
}

static bool is_control(const char *at)
{
    return (uint8_t)*at < ' ' || *at == 0x7f;
}

/* Returns how many bytes from here on need no escape. */
static size_t plain_json(const char *at, size_t capacity)
{
    size_t count = 0;

    while (count < capacity && at[count] >= ' ' && at[count] < 0x7f && at[count] != '"' &&
           at[count] != '\\')
        count++;
    return count;
}

void escape_json(FILE *file, const char *text, size_t length)
{
    for (size_t i = 0, size; i < length; i += size ? size : 1) {
        size = plain_json(text + i, length - i);
        if (size) {
            fwrite_unlocked(text + i, 1, size, file);
            continue;
        }
        size = character(text + i, length - i);
        if (size == 0)
            fputs("\\ufffd", file);
        else if (text[i] == '"' || text[i] == '\\')
            fprintf(file, "\\%c", text[i]);
        else if (is_control(text + i))
            fprintf(file, "\\u%04x", (unsigned)(uint8_t)text[i]);
        else
            fwrite(text + i, 1, size, file);
    }
}

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void escape_html(FILE *file, const char *text, size_t length)
{
    for (size_t i = 0, size; i < length; i += size ? size : 1) {
        size = character(text + i, length - i);
        if (size == 0 || (is_control(text + i) && text[i] != '\n' && text[i] != '\t'))
            fputs(REPLACEMENT, file);
        else if (entity(text[i]))
            fputs(entity(text[i]), file);
        else
            fwrite(text + i, 1, size, file);
    }
}
