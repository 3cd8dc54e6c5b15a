/*
 * The words for where a branch begins and ends.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "log.h"

struct line;
struct log;
struct placed;
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

struct log_map map_of(const struct log *, const struct placed *);
bool place_read(struct line *, const struct log_map *, enum log_end, const char *wish,
                uint64_t *out);
char *place_text(const struct log_map *, uint64_t address, enum log_end);
char *transfer_text(const struct log_map *, const struct transfer *);
