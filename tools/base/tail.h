/*
 * The bytes of a file that is still being written, or of a pipe or a serial line.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct tail {
    int file;
    bool regular;      /* a file: more may come after its end */
    long long at;      /* bytes read so far        */
    const char *fault; /* why reading ended; NULL: at the end */
};

/*
 * "-" is standard input.  Waits for a file that is not there yet, if its folder is.  False
 * with errno.
 */
bool tail_open(struct tail *, const char *name);

/* Waits for the next bytes; 0: no more will come. */
size_t tail_read(struct tail *, char *bytes, size_t capacity);
void tail_close(struct tail *);
