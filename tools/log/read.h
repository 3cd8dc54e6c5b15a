/*
 * A log, from its bytes to what it was parsed to; and its lines, one after the other.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "parsed.h"

void log_read(struct log *, const char *name); /* "-": standard input */
void log_take(struct log *, const char *name, char *bytes,
              size_t length); /* from malloc() */
void log_free(struct log *);

/*
 * A log that is still being written, as its bytes come.  False: it has a trouble.  What
 * ended before is in the log already; all of its bytes stay where they are.
 */
struct log_feed {
    struct log *log;
    struct log_chain chain;
    size_t at; /* after the last whole line */
    bool opened;
};
void feed_begin(struct log_feed *, struct log *, const char *name);
bool feed_more(struct log_feed *, const char *bytes, size_t count);
bool feed_end(struct log_feed *); /* no more will come: whether it was whole */
