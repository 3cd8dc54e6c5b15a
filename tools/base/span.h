/*
 * Spans (text.h) compared, and numbers in the only form in which a log writes them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

bool span_is(struct span, const char *);
bool span_same(struct span, struct span);
bool span_begins(struct span, const char *with);
size_t span_printable(struct span); /* how many of its first bytes are printable ASCII */

bool read_decimal(struct span, uint64_t *out);
bool read_hex(struct span, uint64_t *out); /* wants 0x */
