/*
 * A log that is still being written, as `show --follow` reads it.
 */
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "boots.h"
#include "bytes.h"
#include "parse.h"
#include "read.h"

void feed_begin(struct log_feed *feed, struct log *log, const char *name)
{
    *log = (struct log){ .name = name };
    log->bytes = malloc(LOG_BYTES_MAX + 1); /* no byte of it may move later */
    if (!log->bytes)
        out_of_memory();
    *feed = (struct log_feed){ .log = log, .finder = finder_new(), .line = 1 };
}

/* Another log began, or lines are lost. */
static bool feed_broken(struct log *log, const struct stretch *before,
                        const struct stretch *next)
{
    const struct hole *hole = &next->hole;

    if (next->first > 1)
        return say_lost(log, before->next.chain.sequence + 1, hole->bad_checksum,
                        hole->line ? hole->line : next->begins, next->first);
    log->line = before->ends;
    return say_started_again(log, before, next);
}

/* Keeps what comes before a log, for what is said if none comes. */
static void keep_raw(struct log *log, const char *bytes, size_t count)
{
    if (count > LOG_BYTES_MAX - log->length)
        return;
    memcpy(log->bytes + log->length, bytes, count);
    log->length += count;
}

bool feed_more(struct log_feed *feed, const char *bytes, size_t count)
{
    const struct found *found = finder_found(feed->finder);
    const struct stretch *stretch;
    struct log *log = feed->log;

    if (!feed->opened)
        keep_raw(log, bytes, count);
    finder_take(feed->finder, bytes, count, feed->line);
    for (size_t i = 0; i < count; i++)
        feed->line += bytes[i] == '\n';
    while (!feed->opened && feed->stretch < found->count) {
        feed->opened = found->stretches[feed->stretch].first == 1;
        feed->stretch += !feed->opened;
        if (feed->opened)
            log->length = 0;
    }
    if (!feed->opened)
        return true;
    stretch = &found->stretches[feed->stretch];
    if (stretch->length > LOG_BYTES_MAX)
        return log_error(
            log, 0,
            "longer than %u MiB: save all of it as a file, and show that without --follow",
            LOG_BYTES_MAX >> 20);
    if (!stretch_read(log, stretch, &feed->read))
        return false;
    return log->ended || feed->stretch + 1 == found->count ||
           feed_broken(log, stretch, stretch + 1);
}

bool feed_end(struct log_feed *feed)
{
    struct log *log = feed->log;

    if (!log->log_error && !log->ended)
        feed_more(feed, "\n", 1); /* what came last has no end of its line */
    if (!feed->opened)
        advise_without_log(log, log, finder_found(feed->finder)->trace);
    finder_free(feed->finder);
    feed->finder = NULL;
    return !log->log_error && parse_finished(log);
}
