/*
 * The bytes of a file or a pipe, in memory or mapped.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct log;

/* Of a log that comes bit by bit; a default run's has 0.6 MB. */
#define LOG_BYTES_MAX (64u << 20)

/* Those of the log of that name; false: trouble. */
bool bytes_read(struct log *);
void bytes_pass(const struct log *, size_t from, size_t to); /* they may be forgotten */
void bytes_free(struct log *);
