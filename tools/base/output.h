/*
 * Writes files, and replaces none but reports in XML.
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
/* Text that is collected before it is written: `bytes` are whole after collect_end(). */
struct collected {
    FILE *file;
    char *bytes; /* to be freed */
    size_t size;
};
void collect_begin(struct collected *);
void collect_end(struct collected *);

/*
 * A file to write piece by piece, which a signal that ends the program removes.  NULL after
 * printing why.  The path stays valid until output_end().
 */
FILE *output_begin(const char *path);
/* A report in XML, with its first line written.  It replaces an earlier one and nothing
 * else. */
FILE *output_xml(const char *path);
/* Closes that file, or removes it if not `good`.  False if it could not be written. */
bool output_end(FILE *, const char *path, bool good);
