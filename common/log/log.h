/*
 * The log, version 3: its trailers and the words for places.  lines.h has its lines,
 * and docs/log.md describes them.
 *
 * The kernel writes lines with it and the host reads them back with it, so it is
 * written once.  No I/O here: a line is text in memory.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"
#include "workload.h"

/*
 * What the image prints on the serial line before a log.  A line that says something else
 * after it has begun to take the machine is why there is no log.
 */
#define LOG_SAYS   "everybranch: "
#define LOG_TAKING "taking the machine"
/* What it says of a log that it wrote. */
#define LOG_SAVED    "the log is saved"
#define LOG_COMPARED "records compared"

#define LOG_VERSION        3
#define LOG_VERSION_OLDEST 2 /* that is still read: its differences are in docs/log.md */
#define LOG_OPENING        "everybranch log=" /* with which its first line begins */
#define LOG_LINE_MAX       240 /* characters of a whole line, trailer included, no line end */

/*
 * The trailer of a line, " ~SEQUENCE CRC": its number from 1 in decimal, and eight
 * hex digits of the CRC-32 (that of zlib) over the eight digits of the line before
 * ("00000000" before the first) and then the line up to and including its number.
 */
struct log_chain {
    uint32_t sequence; /* of the newest line; 0 before the first */
    uint32_t crc;      /* of the newest line                     */
};

uint32_t log_crc32(uint32_t crc, const void *bytes,
                   size_t count); /* as zlib's crc32(); crc32.c */

/* Appends the trailer to a body and moves the chain on. */
void log_seal(struct log_chain *, struct text *line);

/* What is wrong with a line's trailer, as far as the line before it can tell. */
enum log_fault {
    LOG_GOOD,
    LOG_NO_TRAILER, /* not one of our lines, or cut short               */
    LOG_BAD_CRC,    /* damaged, or spliced from elsewhere               */
    LOG_LOST,       /* the number is higher than the next: lines missing */
    LOG_REPEATED,   /* the number is not higher: repeated or reordered   */
};

/*
 * Checks the trailer of line[0..length) and moves the chain on to this line, so
 * that one bad line is named once.  *body is the length without the trailer,
 * *sequence the number found, where there is a trailer.
 */
enum log_fault log_unseal(struct log_chain *, const char *line, size_t length, size_t *body,
                          uint32_t *sequence);

/* The length of a line without its trailer, which is not checked; 0: it has none. */
size_t log_body(const char *line, size_t length);

/*
 * Where the ends of branches lie in memory during one run.  With it an address
 * becomes a word of the log: caller, .label, +0xN (offset in the workload),
 * image+0xN, 0xN, or ? for BRANCH_UNKNOWN.
 */
struct log_map {
    const struct workload *workload;
    uint64_t workload_at;
    uint64_t call, back; /* the window's CALL, and the instruction after it */
    uint64_t image_at, image_size;
};

enum log_end { LOG_FROM, LOG_TO }; /* "caller" is `call` as FROM and `back` as TO */

void log_put_end(struct text *, const struct log_map *, uint64_t address, enum log_end);
