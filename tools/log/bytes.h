/*
 * The bytes of a file or a pipe, in memory or mapped, and the lines in them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "span.h"

struct log;

/* Of a log that comes bit by bit; a default run's has 0.6 MB. */
#define LOG_BYTES_MAX (64u << 20)

/* Those of the log of that name; false: trouble. */
bool bytes_read(struct log *);
bool bytes_take(struct log *, FILE *); /* what a stream has up to its end */
void bytes_pass(const struct log *, size_t from, size_t to); /* they may be forgotten */
void bytes_free(struct log *);

/* The line that begins at *at, without its end; *at is then the next one.  False: none is.
 */
bool log_line(const struct log *, size_t *at, struct span *out);

/* The lines of a log that is whole, without trailers, from its first to its last one. */
struct log_lines {
    const struct log *log;
    size_t at;
};
bool log_next(struct log_lines *, struct span *body);
