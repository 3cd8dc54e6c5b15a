/*
 * Options, from a file on the boot volume and from the load options: key=value or
 * a word a line (or, in the load options, between spaces).  # begins a comment.
 * `do COMMAND` is one for the monitor, as far as ; or the end of the line.
 */
#pragma once

#include "handoff.h"
#include "text.h"

struct options options_default(void);

/*
 * Apply all options of the file, which has `size` bytes and then a NUL, or of the load
 * options, which is UTF-16 or whatever firmware passes there.  Return NULL, or a sentence
 * about the first option that is wrong; the options before it are applied.
 *
 * Of the load options words that are not even near to an option of ours are ignored: they
 * are for a Linux, say.  So are data that are no text.  *ignored: says so, or NULL. `words`
 * is empty, with room for the text.
 */
const char *options_of_file(struct options *, char *text, size_t size);
const char *options_of_load(struct options *, const void *data, size_t bytes,
                            struct text words, const char **ignored);
