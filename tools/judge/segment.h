/*
 * Where a segment, the records between two gaps of a stream, fits into an expected trace.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "transfers.h"

/* True if both have these ends: FROM and TO, or TO alone. */
bool segment_same(const struct transfer *, const struct transfer *, bool by_to);

/* Finds the first place of a segment in `want`; if false, *place is the best fit. */
bool segment_find(const struct transfer_list *segment, const struct transfer_list *want,
                  bool by_to, uint64_t *place);

/* Finds the first place where all records but one fit: it has `length` branches, as many as
 * the segment, or one more or less. */
bool segment_find_but_one(const struct transfer_list *segment,
                          const struct transfer_list *want, uint64_t length,
                          uint64_t *place);
