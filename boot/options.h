/*
 * Options, from a file on the boot volume and from the load options: key=value or
 * a word a line (or, in the load options, between spaces).  # begins a comment.
 * `do COMMAND` is one for the monitor, as far as ; or the end of the line.
 */
#pragma once

#include "handoff.h"

struct options options_default(void);

/*
 * Applies all options in the text (NUL-terminated).  Returns the first word that is
 * none, NUL-terminated in place, or NULL.
 */
const char *options_parse(struct options *, char *text);
