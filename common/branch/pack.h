/*
 * Packing: a long trace in few bits, without loss.
 *
 * A program does what it did before: after the same few records the same one mostly
 * comes again.  Each record is guessed from those before it, and only how good the
 * guess was is written, by an adaptive binary range coder (G. N. N. Martin, "Range
 * encoding: an algorithm for removing redundancy from a digitised message").
 *
 * Both directions keep the same state and run in memory that does not grow with
 * the trace.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "branch.h"

#define PACK_CODER      3    /* changes with what the packed bytes are */
#define PACK_KNOWN_MAX  8192 /* different records that are remembered */
#define PACK_KNOWN_HASH 16384
#define PACK_CONTEXTS   16384
#define PACK_GUESSES    2  /* what came after a context            */
#define PACK_HISTORY    16 /* the newest records, a power of two   */

/* The guesses for what follows some records: numbers + 1, or 0 for none. */
struct pack_context {
    uint16_t guess[PACK_GUESSES];
    uint16_t right[PACK_GUESSES]; /* probabilities */
};

/* The state at one point of the trace.  It is too large for a stack. */
struct pack {
    /* The coder. */
    uint8_t *bytes;
    size_t at, capacity;
    uint64_t range;
    uint64_t low;  /* packing: where the range begins                              */
    uint64_t code; /* unpacking: how far above that the bytes lie                  */
    bool overflow; /* packing: no room; unpacking: the bytes ended too early */

    /* The model. */
    uint32_t known_count;
    uint16_t history[PACK_HISTORY]; /* numbers + 1 of the newest records, a ring */
    uint32_t newest;                /* where in it the newest one is             */
    uint32_t longest;               /* sum_of() the longest context              */
    struct branch last;             /* the newest record that was written out    */
    struct branch known[PACK_KNOWN_MAX];
    uint32_t hash[PACK_KNOWN_HASH]; /* number + 1 of a record, 0: none */
    struct pack_context context[PACK_CONTEXTS];
    uint16_t is_known, number_bits[16], byte_bits[3][9][256];
};

/* Packs into bytes[0..capacity). */
void pack_begin(struct pack *, uint8_t *bytes, size_t capacity);
void pack_add(struct pack *, const struct branch *);

/* Returns the packed size in bytes, or 0 if it did not fit. */
size_t pack_end(struct pack *);

/*
 * Unpacks what pack_end left, as often as pack_add was called.  False where the
 * bytes end too early or are not from here; any bytes are safe to give.
 */
void unpack_begin(struct pack *, const uint8_t *bytes, size_t size);
bool unpack_next(struct pack *, struct branch *);

bool unpack_ended(struct pack *); /* true if all bytes were used */

/*
 * The index of the newest record in the dictionary (order of first appearance, below
 * PACK_KNOWN_MAX), or PACK_UNKNOWN if the record is not in it.
 */
#define PACK_UNKNOWN UINT32_MAX
static inline uint32_t pack_number(const struct pack *p)
{
    uint16_t newest = p->history[p->newest % PACK_HISTORY];

    return newest ? newest - 1u : PACK_UNKNOWN;
}
