/*
 * Portable branches, whose ends do not depend on where the image is loaded.  Packed records
 * are portable, so that two machines give the same bytes and an expected trace recorded on
 * the build machine is valid in the guest.
 */
#pragma once

#include <stdbool.h>

#include "branch.h"
#include "log.h"

/*
 * An end in the workload, at the window's call or return, or in the image becomes a
 * tagged offset; any other address stays.  Returns false if an address looks
 * like a tagged offset, which no processor should record.
 */
bool portable_from(const struct log_map *, const struct branch *, struct branch *out);

/* Converts a portable branch back to addresses. */
void portable_to(const struct log_map *, const struct branch *, struct branch *out);
