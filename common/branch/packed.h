/*
 * The packed records that the runs of a workload left so far.  Methods that see all of it
 * leave the same bytes, and the log holds them once.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "workload.h"

/* Once: where they are kept. */
void packed_init(uint8_t *at, size_t capacity);

/*
 * The number of an earlier run of this workload that left just these bytes for as many
 * records, or 0; they are kept then, under `number`, if there is room.
 */
size_t packed_earlier(const struct workload *, size_t number, size_t records,
                      const uint8_t *bytes, size_t size);
