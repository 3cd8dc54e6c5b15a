/*
 * A bar for who waits: on standard error, if that is a terminal, and only for what takes
 * longer than a second.
 *
 *      struct progress progress;
 *
 *      progress_begin(&progress, "reading a.log", size);
 *      while (...)
 *          progress_at(&progress, done);       cheap: the clock is asked now and then
 *      progress_end(&progress);                nothing of it stays on the screen
 *
 * If the total is unknown, as for a pipe, it shows the bytes read instead of a bar.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
    const char *what;
    uint64_t total, next; /* next: when to read the clock again */
    int64_t begun, shown; /* milliseconds                        */
    bool wanted, drawn;
};
#define PROGRESS_OPEN UINT64_MAX /* the total is unknown, and progress is in bytes */
void progress_begin(struct progress *, const char *what, uint64_t total);
void progress_draw(struct progress *, uint64_t done);
void progress_end(struct progress *);

static inline void progress_at(struct progress *progress, uint64_t done)
{
    if (done >= progress->next)
        progress_draw(progress, done);
}
