/*
 * Finds the lines of logs in a text, whatever surrounds them.
 *
 * The checksum of a line depends on the digits of the line before it, so given these
 * digits a line is proved, wherever it begins and ends.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log.h"

/* A line that is looked for: the one after this. */
#define NEEDLE_MAX 16
struct target {
    struct log_chain chain;
    size_t stretch;          /* that it continues, or NO_STRETCH: a new one begins */
    unsigned tries;          /* candidates for it          */
    char needle[NEEDLE_MAX]; /* its trailer begins so: " ~2 " */
    size_t needle_length;
};
#define NO_STRETCH ((size_t)-1)

/* The number of a line -> where it was in the input.  Lines at equal distances are one row.
 */
struct line_map {
    struct line_map_row {
        size_t line, input, step;
    } * rows;
    size_t count, capacity;
};
size_t line_map_find(const struct line_map *, size_t line); /* from 1 */

/* What was between and around the lines. */
struct skipped {
    size_t lines, prefixed, least, most; /* bytes before a line, on its line      */
    size_t joined;                       /* lines that were in several pieces     */
    size_t foreign, repeated;            /* lines between them                    */
    size_t escaped;                      /* lines with bytes that are not text     */
};

/* What was seen since the newest line that was proved. */
struct hole {
    size_t line;       /* of the input: the first trace of a line that is not proved */
    uint32_t first;    /* its number                                */
    uint32_t newest;   /* the highest number that was seen          */
    uint32_t numbers;  /* how many numbers were seen in their order  */
    uint32_t lower;    /* how many were no higher than the last one that is proved */
    bool bad_checksum; /* the next line was there, and is not proved */
    bool restart;      /* something that only a machine that starts again writes */
};

/* Lines that follow each other, each proved by the one before it. */
struct stretch {
    char *text; /* with a line feed after each line */
    size_t length, capacity, lines;
    uint32_t *checksums; /* of each line */
    size_t checksum_capacity;
    uint32_t first;     /* the number of its first line; 1: the log begins here   */
    uint32_t before;    /* the checksum that this line was proved by              */
    struct target next; /* its chain is that of the newest line                   */
    struct line_map map;
    struct skipped skipped;
    size_t begins, ends; /* lines of the input                                     */
    size_t after;     /* the stretch that the newest line was of when it began, or NONE */
    size_t advanced;  /* which of all proved lines its newest one is            */
    size_t began;     /* the same of its first one                              */
    struct hole hole; /* between these two                                      */
    bool is_fork;     /* its first line is not the one that another stretch has there */
    bool ended;       /* by the line "end"                                      */
    size_t boot;      /* boots.c: which log of the input it is of, from 1; 0: of none */
    size_t goes_on;   /* boots.c: the stretch with which that log goes on, or NO_STRETCH */
};

/* What was found so far. */
struct found {
    struct stretch *stretches; /* in the order of their first lines */
    size_t count, capacity;
    size_t newest; /* the one that advanced last              */
    size_t proved; /* lines                                   */
    size_t trace;  /* the first line of the input that looks like one of a log; 0: none */
    struct hole hole; /* after the newest line                   */
    bool full;        /* there are more stretches than it keeps  */
};

struct finder;
struct finder *finder_new(void);
void finder_free(struct finder *);

/* More of the input.  A line of the input may come in pieces, all with its number. */
void finder_take(struct finder *, const char *bytes, size_t count, size_t line);
void finder_end_piece(struct finder *); /* as the end of a line does */
struct found *finder_found(struct finder *);
