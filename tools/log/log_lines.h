/*
 * The lines of a log, one after the other.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "parsed.h"

/* The line that begins at *at, without its end; *at is then the next one.  False: none is.
 */
bool log_line(const struct log *, size_t *at, struct span *out);

/* The lines of a log that is whole, without trailers, from its first to its last one. */
struct log_lines {
    const struct log *log;
    size_t at;
};
bool log_next(struct log_lines *, struct span *body);
