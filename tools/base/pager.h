/*
 * Where long output goes: a pager, as git has it, and colour, on a terminal only.
 */
#pragma once

#include "options.h"

#define PAGER_OPTIONS                                               \
    { .name = "color",                                              \
      .choices = "always never auto",                               \
      .value = "WHEN",                                              \
      .about = "always, never, or auto: on a terminal" },           \
    {                                                               \
        .name = "no-pager", .about = "no pager, also on a terminal" \
    }

/*
 * From here on standard output goes through EVERYBRANCH_PAGER, or PAGER, or `less` (as
 * LESS=FRX, unless LESS says otherwise), if it is a terminal; "" and cat: none.  False: an
 * option is wrong, and that was said.
 */
bool pager_begin(const struct given *);

bool pager_none(const struct given *); /* the same without a pager, colour alone */

/* Waits until the reader has seen enough.  Before the program's exit code is known. */
void pager_end(void);

/*
 * Whether to colour: --color, else whether standard output was a terminal, TERM is not
 * dumb and NO_COLOR is empty.  Known once one of the two above was called.
 */
bool pager_colours(void);
