/*
 * Branches whose ends mean the same wherever the image lies: what is packed, so
 * that two machines give the same bytes, and so that a expected trace recorded on the build
 * machine holds in the guest.
 */
#pragma once

#include <stdbool.h>

#include "branch.h"
#include "log.h"

/*
 * An end in the workload, at the window's call or return, or in the image becomes a
 * tagged offset; any other address stays.  False where an address looks like one
 * that is tagged, which no processor should make: it cannot be told apart later.
 */
bool portable_from(const struct log_map *, const struct branch *, struct branch *out);

/* The way back. */
void portable_to(const struct log_map *, const struct branch *, struct branch *out);
