/*
 * On a terminal, long output goes to a pager, as git's does, and has colours.
 */
#pragma once

#include "options.h"

#define PAGER_OPTIONS                                                        \
    { .name = "color",                                                       \
      .choices = "auto always never",                                        \
      .value = "WHEN",                                                       \
      .about = "always, never, or auto (the default): only on a terminal" }, \
    {                                                                        \
        .name = "no-pager", .about = "do not use a pager"                    \
    }

/*
 * Sends standard output through EVERYBRANCH_PAGER, or PAGER, or `less` (with LESS=FRX,
 * unless LESS is set), if it is a terminal.  A pager of "" or cat means none.
 */
void pager_begin(const struct given *);

void pager_none(const struct given *); /* decides about colour only */

/* Waits until the reader has quit the pager.  Call it before the program exits. */
void pager_end(void);

/*
 * True if output has colours: by --color, or else if standard output was a terminal, TERM
 * is not dumb and NO_COLOR is empty.  Call it after one of the first two above.
 */
bool pager_colours(void);
