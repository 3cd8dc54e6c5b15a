/*
 * Lists the code of a workload: a line has label, offset and bytes, and for a branch words.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "text.h"
#include "workload.h"

/*
 * Puts the line of the instruction at an offset, as the workload lies in memory; returns
 * its length.  Where no instruction is known the line has the bytes up to the next label.
 * Data in the code is shown as instructions.
 */
size_t listing_line(struct text *, const struct workload *, uint64_t offset);
