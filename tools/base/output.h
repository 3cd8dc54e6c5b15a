/*
 * A file that is written: never over another one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One that was not there before, or that has just these bytes already; false: said why. */
bool output_new(const char *path, const void *bytes, size_t size);
FILE *output_begin(const char *path); /* for what is written as it comes; NULL: said why */
/* Of that file: it is whole, or not good and goes.  False: it could not be written. */
bool output_end(FILE *, const char *path, bool good);
