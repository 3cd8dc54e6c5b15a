/*
 * The words for where a branch begins and ends.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "log.h"
#include "span.h"

struct line;
struct log;
struct loaded;
struct transfer;

/*
 * Words for places that were read before: a trace goes to the same few again and again.
 * Only of the map that was asked last.
 */
#define PLACES_KNOWN 256
#define PLACE_LENGTH 14
struct places {
    struct log_map map;
    struct {
        char word[PLACE_LENGTH];
        uint8_t length, end; /* length 0: none */
        uint64_t at;
    } known[PLACES_KNOWN];
};

struct log_map map_of(const struct log *, const struct loaded *);
bool place_read(struct line *, const struct log_map *, enum log_end, const char *wish,
                uint64_t *out);
char *place_text(const struct log_map *, uint64_t address, enum log_end);
char *transfer_text(const struct log_map *, const struct transfer *);

/* The same words, kept, for a trace that goes to the same few places again and again. */
#define PLACES_SAID 512 /* for each end; code lies in one piece */
struct place_words {
    struct log_map map;
    struct {
        uint64_t at;
        uint8_t length; /* 0: none */
        char word[TEXT_SHORT];
    } said[2][PLACES_SAID];
    char other[2][LOG_LINE_MAX]; /* the newest one that is too long for that */
};
void place_words_of(struct place_words *, const struct log_map *);
/* Lives until the next one at this end; TEXT_SHORT bytes can be read of each. */
struct span place_word(struct place_words *, uint64_t address, enum log_end);
