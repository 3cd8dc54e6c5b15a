/*
 * The DS area, which tells the processor where its buffer of branch records lies: what
 * `bts` and the methods that are interrupted have in common.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bts_record.h"
#include "method.h"

/* The buffer. */
struct bts_record *ds_slots(const struct buffers *);

/*
 * Points the processor at a buffer of `capacity` records, of which the next one is number
 * `index`; the record that fills it up to `threshold` asks for an interrupt.  After the
 * buffer lies one record spare.
 */
void ds_begin(const struct buffers *, size_t capacity, size_t index, size_t threshold);
void ds_end(void);

/* Where the next record goes; more than `capacity`: the index has left the buffer. */
size_t ds_index(const struct buffers *);
void ds_set_index(const struct buffers *, size_t index);

/* Is the area itself as ds_begin() left it? */
bool ds_is_as_begun(const struct buffers *);

/* Records as the rest of the project has them. */
size_t ds_copy(struct branch *out, const struct bts_record *slot, size_t count);
