/*
 * Options, from a file on the boot volume and from the load options: key=value or
 * a word a line (or, in the load options, between spaces).  # begins a comment.
 * `do COMMAND` is one for the monitor, as far as ; or the end of the line.
 */
#pragma once

#include "handoff.h"

struct options options_default(void);

/*
 * Apply all options of a text: the file, of `size` bytes and then a NUL, or the load
 * options, which end with a NUL.  Returns NULL, or a sentence about the first option that
 * is wrong; the options before it are applied.
 */
const char *options_of_file(struct options *, char *text, size_t size);
const char *options_of_words(struct options *, char *text);
