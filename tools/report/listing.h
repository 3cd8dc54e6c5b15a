/*
 * A run as annotated disassembly: block by block as it ran, loops folded.
 */
#pragma once

#include "shown.h"

/*
 * Prints the whole run on standard output, or as the array "trace" of its JSON.  Loops are
 * unfolded if `--unfold` is given.
 */
void listing_show(const struct shown *);
