/*
 * A log, from its bytes to what it was parsed to; and its lines, one after the other.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "boots.h"
#include "parsed.h"

/* "-": standard input.  Where the file has several logs, it is an error not to choose one.
 */
void log_read(struct log *, const char *name);
void log_take(struct log *, const char *name, char *bytes,
              size_t length); /* from malloc() */
void log_free(struct log *);

/* All logs of a file, or the one that was chosen: an array for the caller to free. */
struct log *logs_read(const char *name, size_t *count);
void logs_choose(size_t boot); /* of each file that is read from now on; from 1, 0: none */

/*
 * A log that is still being written, as its bytes come.  False: it has an error.  What
 * ended before is in the log already; all of its bytes stay where they are.
 */
struct log_feed {
    struct log *log;
    struct finder *finder;
    size_t stretch, line;      /* of what the finder found; of the input */
    struct stretch_taken read; /* of that stretch */
    bool opened;
};
void feed_begin(struct log_feed *, struct log *, const char *name);
bool feed_more(struct log_feed *, const char *bytes, size_t count);
bool feed_end(struct log_feed *); /* no more will come: whether it was whole */
