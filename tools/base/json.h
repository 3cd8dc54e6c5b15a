/*
 * JSON, written as it comes: a trace has millions of records, and none is kept for it.
 *
 *      struct json json;
 *
 *      json_begin(&json, stdout, "check");
 *      json_array(&json, "logs");
 *      json_object(&json, NULL);               NULL: an element of an array
 *      json_count(&json, "records", 5);
 *      json_close(&json);                      the object
 *      json_close(&json);                      the array
 *      json_end(&json, EXIT_AS_EXPECTED);
 *
 * The names of docs/json.schema.json stay: a field is added, never renamed.  Counts are
 * numbers; what may need all of 64 bits, an address or a register, is text with 0x.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "span.h"

#define JSON_FORMAT    2 /* the first field of each document */
#define JSON_DEPTH_MAX 32

struct json {
    FILE *file;
    unsigned depth;
    char closing[JSON_DEPTH_MAX]; /* ] or }, for each level */
    bool any[JSON_DEPTH_MAX];     /* whether the level has an element */
};

/*
 * Begins a verb's document, an object with "json", "build" and "verb"; json_end() adds
 * "exit".
 */
void json_begin(struct json *, FILE *, const char *verb);
void json_end(struct json *, int exit_code);

/* Each object and array must be closed.  The key is NULL in an array, and only there. */
void json_object(struct json *, const char *key);
void json_array(struct json *, const char *key);
void json_close(struct json *);
void json_empty(struct json *, const char *key); /* an array without elements */

void json_text(struct json *, const char *key, const char *); /* NULL prints null */
void json_span(struct json *, const char *key, struct span);
void json_count(struct json *, const char *key, uint64_t);
void json_real(struct json *, const char *key, double); /* null if not finite */
void json_bool(struct json *, const char *key, bool);
void json_hex(struct json *, const char *key, uint64_t); /* as text: "0x1d9" */
void json_null(struct json *, const char *key);
