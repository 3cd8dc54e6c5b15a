/*
 * The progress bar is asked about often and drawn seldom: the clock is read a few hundred
 * times in all, and the screen is written ten times a second.
 */
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LOOKS  400       /* readings of the clock, from 0 to total */
#define WAIT   1000      /* milliseconds before it is first drawn */
#define AGAIN  100       /* milliseconds until it is drawn again */
#define BLOCKS 24        /* width of the bar */
#define STEP   (1 << 20) /* bytes between two readings, if the total is unknown */

static int64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

void progress_begin(struct progress *progress, const char *what, uint64_t total)
{
    const char *terminal = getenv("TERM");

    *progress = (struct progress){ .what = what, .total = total, .next = UINT64_MAX };
    progress->wanted =
        total > 0 && isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0);
    if (!progress->wanted)
        return;
    progress->next = 0;
    progress->begun = now();
}

static void draw(const struct progress *progress, uint64_t done)
{
    const double part =
        done < progress->total ? (double)done / (double)progress->total : 1.0;
    const int blocks = (int)(part * BLOCKS);

    if (progress->total == PROGRESS_OPEN) {
        fprintf(stderr, "\r\033[K%.40s: %llu MB", progress->what,
                (unsigned long long)(done / 1000000));
        fflush(stderr);
        return;
    }
    fprintf(stderr, "\r\033[K%.40s [%.*s%*s] %3.0f %%", progress->what, blocks,
            "########################", BLOCKS - blocks, "", 100.0 * part);
    fflush(stderr);
}

void progress_draw(struct progress *progress, uint64_t done)
{
    const int64_t time = now();

    progress->next =
        done + (progress->total == PROGRESS_OPEN ? STEP : progress->total / LOOKS + 1);
    if (time - progress->begun < WAIT || time - progress->shown < AGAIN)
        return;
    progress->shown = time;
    progress->drawn = true;
    draw(progress, done);
}

void progress_end(struct progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
    progress->wanted = progress->drawn = false;
    progress->next = UINT64_MAX;
}
