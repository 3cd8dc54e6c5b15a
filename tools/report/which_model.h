/*
 * The rows of the model table that somebody may mean: by a row's name, by a signature, or
 * by the brand that is on the box and in /proc/cpuinfo.
 */
#pragma once

#include "model.h"

#define WHICH_MAX        8
#define WHICH_SIGNATURES 8

struct which_models {
    const struct model *rows[WHICH_MAX]; /* several where a brand does not say which */
    size_t count;                        /* 0: unknown                               */
    const char *brands, *source;         /* what is known of such a brand, or NULL   */
    /* Those that are meant, DisplayFamily << 8 | DisplayModel, up to a 0: none is known. */
    uint32_t signatures[WHICH_SIGNATURES];
};

struct which_models which_models(const char *what);

/* Returns the text of the nth group of brands that may have this row, or NULL after the
 * last. */
const char *which_brands(const struct model *, size_t n);

/* Prints, on standard error, how to find the row of a processor whose name is unknown. */
void which_model_unknown(const char *what);
