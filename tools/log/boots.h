/*
 * Stretches of proved lines -> the logs of an input.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "find.h"

/* A log, in one stretch, or in several with lost lines between them. */
struct boot {
    size_t *stretches, count, capacity;
    bool headless; /* its first line is lost */
};
struct boots {
    struct boot *at;
    size_t count, capacity;
};
void boots_of(struct boots *, const struct finder *);
void boots_free(struct boots *);
bool boots_whole(const struct boots *, const struct finder *); /* nothing is lost of any */

/* What was skipped, as a sentence, or NULL if that is nothing. */
char *boot_skipped(const struct boot *, const struct finder *);
