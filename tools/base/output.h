/*
 * Writes files, and never replaces one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Writes a new file, or accepts one that holds exactly these bytes.  False after printing
 * why.
 */
bool output_new(const char *path, const void *bytes, size_t size);
FILE *output_begin(
    const char *path); /* a file to write piece by piece; NULL after printing why */
/* Closes that file, or removes it if not `good`.  False if it could not be written. */
bool output_end(FILE *, const char *path, bool good);
