/*
 * A line of the log, word by word: begun, filled, and sealed and sent to the serial line
 * and to RAM alike.  emit_*.c alone write lines; others say where these go.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log.h"
#include "text.h"

extern struct text put_line; /* the one that is being written */
extern struct log_map
    put_map; /* of the run that is being written, and the image at all times */

#define PUT_ROOM (LOG_LINE_MAX - 24) /* what the trailer leaves for a body */

/* Where the copy of the log is kept. */
void put_init(char *ram, size_t capacity);

/* Nothing goes on the serial line until the log is released, and then all of it at once. */
void put_hold(void);
void put_release(void);

/* All lines go there too, without their trailers; NULL: no more. */
void put_copy(struct text *);

/* The log so far; `complete`: all of it fitted. */
size_t put_size(bool *complete);

void put_apart(void); /* the firmware's console may be in the middle of a line */
void put_begin(const char *word);
void put_finish(void);

/* ` key=value`, each; the key alone, for a value that is no text or number. */
void put_key(const char *key);
void put_text(const char *key, const char *value);
void put_quoted(const char *key, const char *value);
void put_decimal(const char *key, uint64_t value);
void put_if_any(const char *key, uint64_t count); /* decimal; 0: nothing at all */
void put_hex(const char *key, uint64_t value);
void put_msr(const char *key, bool present, uint64_t value);
void put_times(uint64_t times); /* ` xN` */

/* Bytes in base64, a line of `word` for each 144 of them. */
void put_base64(const char *word, const uint8_t *bytes, size_t size);
