/*
 * The logs of a file in which the finder found stretches of proved lines.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "find.h"
#include "parsed.h"

/* Why a log could not be read where it lies, once its first line was found. */
struct fault {
    const char *sentence; /* NULL: it is none of its own lines */
    size_t line;
    uint32_t sequence; /* of the last line that was proved */
    bool at_end;       /* nothing except blanks follows it    */
    bool moved;        /* its line is there, further on    */
};

/* A file, and what was found in it. */
struct input {
    struct log raw; /* its bytes, and what of them could be read where they lie */
    struct fault fault;
    struct finder *finder;
    struct found *found;
    size_t boots;     /* how many logs it has */
    const char *view; /* in which they were found, or NULL: as it is */
};

/*
 * boots.c: gives each stretch its log, and returns how many logs there are.  A log is one
 * stretch, or several with lost lines between them.
 */
size_t boots_sort(struct found *);
const struct stretch *boot_first(const struct found *, size_t boot);           /* from 1 */
const struct stretch *boot_next(const struct found *, const struct stretch *); /* or NULL */
bool boots_whole(const struct found *); /* there are logs, and nothing is lost of any */

/* What was skipped of a log, as a sentence that begins with the view; NULL: nothing. */
char *boot_skipped(const struct found *, const struct stretch *first, const char *view);

/* read_boot.c: reads the log from what was found. */
void boot_read(struct log *, const struct input *, size_t boot);

/* How much of a stretch was read. */
struct stretch_taken {
    size_t bytes, lines;
};
/*
 * Adds the lines of a stretch that were not read yet to the log's bytes, which must have
 * space for them, and parses them.  False: the log has an error.
 */
bool stretch_read(struct log *, const struct stretch *, struct stretch_taken *);

/*
 * The errors of a log in which line `want` is not the next one, and of one after which
 * another begins.  Both return false.
 */
bool say_lost(struct log *, uint32_t want, bool bad_checksum, size_t line, uint32_t number);
bool say_started_again(struct log *, const struct stretch *first,
                       const struct stretch *next);
