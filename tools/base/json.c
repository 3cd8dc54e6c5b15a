/*
 * Writes JSON as it comes.  Libraries build the whole document in memory first, or have
 * integers of 63 bits, and writing JSON takes only commas and escape.c. Each element of
 * an array begins a line, so that the result can be searched and compared line by line.
 */
#include "json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "escape.h"
#include "text.h"
#include "version.h"

static void put_text(struct json *json, const char *text, size_t length)
{
    fputc_unlocked('"', json->file);
    escape_json(json->file, text, length);
    fputc_unlocked('"', json->file);
}

/* Writes what precedes a value: a comma, in an array a new line, in an object the key. */
static void put_before(struct json *json, const char *key)
{
    const unsigned level = json->depth - 1;
    const bool in_array = json->closing[level] == ']';

    assert(in_array == (key == NULL));
    fputs_unlocked(json->any[level] ? in_array ? ",\n" : ", "
                   : in_array       ? "\n"
                                    : "",
                   json->file);
    json->any[level] = true;
    if (key) {
        put_text(json, key, strlen(key));
        fputs_unlocked(": ", json->file);
    }
}

static void descend(struct json *json, char opening, char closing)
{
    assert(json->depth < JSON_DEPTH_MAX);
    fputc_unlocked(opening, json->file);
    json->closing[json->depth] = closing;
    json->any[json->depth] = false;
    json->depth++;
}

void json_object(struct json *json, const char *key)
{
    put_before(json, key);
    descend(json, '{', '}');
}

void json_array(struct json *json, const char *key)
{
    put_before(json, key);
    descend(json, '[', ']');
}

void json_close(struct json *json)
{
    assert(json->depth > 0);
    json->depth--;
    fputc_unlocked(json->closing[json->depth], json->file);
}

void json_empty(struct json *json, const char *key)
{
    json_array(json, key);
    json_close(json);
}

void json_text(struct json *json, const char *key, const char *text)
{
    if (text)
        json_span(json, key, (struct span){ text, strlen(text) });
    else
        json_null(json, key);
}

void json_span(struct json *json, const char *key, struct span text)
{
    put_before(json, key);
    put_text(json, text.at, text.length);
}

void json_count(struct json *json, const char *key, uint64_t count)
{
    char digits[21]; /* of 2^64 - 1, and the NUL */
    struct text text = text_into(digits, sizeof(digits));

    put_before(json, key);
    text_decimal(&text, count);
    fputs_unlocked(digits, json->file);
}

void json_real(struct json *json, const char *key, double number)
{
    put_before(json, key);
    if (isfinite(number))
        fprintf(json->file, "%.9g", number);
    else
        fputs_unlocked("null", json->file);
}

void json_bool(struct json *json, const char *key, bool yes)
{
    put_before(json, key);
    fputs_unlocked(yes ? "true" : "false", json->file);
}

void json_hex(struct json *json, const char *key, uint64_t number)
{
    put_before(json, key);
    fprintf(json->file, "\"0x%" PRIx64 "\"", number);
}

void json_null(struct json *json, const char *key)
{
    put_before(json, key);
    fputs_unlocked("null", json->file);
}

void json_begin(struct json *json, FILE *file, const char *verb)
{
    json->file = file;
    json->depth = 0;
    descend(json, '{', '}');
    json_count(json, "json", JSON_FORMAT);
    json_text(json, "build", EVERYBRANCH_BUILD);
    json_text(json, "verb", verb);
}

void json_end(struct json *json, int exit_code)
{
    json_count(json, "exit", (uint64_t)exit_code);
    json_close(json);
    assert(json->depth == 0);
    fputc_unlocked('\n', json->file);
}
