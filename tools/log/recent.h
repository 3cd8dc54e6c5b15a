/*
 * The packed run that was unpacked last, for who goes through its records once more: a
 * verb judges a run and then walks through it, some twice, and unpacking is most of it.
 *
 * Two bytes a record, of RECENT_MAX at most: of a run that has more nothing is kept.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "branch.h"
#include "log_run.h"
#include "pack.h"

#define RECENT_MAX (1u << 23)

struct recent {
    size_t at;           /* where its line `packed` is in the log, which other runs share */
    bool stops, sampled; /* of its method, which says what a record may be                */
    uint64_t turn;       /* which one it is: a reader of the one before reads no further  */
    bool whole;
    uint64_t count, capacity;
    uint16_t *numbers;        /* of the records, as they came              */
    struct branch *by_number; /* with addresses: room for PACK_KNOWN_MAX   */
    uint32_t known;
};

/* Whether the records of this run are there. */
bool recent_has(const struct recent *, const struct run *);

/* They come now, one after the other; the turn that says that they are still these. */
uint64_t recent_begin(struct recent *, const struct run *);
/* The next one of that turn, by its number among those that the unpacker remembers. */
void recent_add(struct recent *, uint64_t turn, uint32_t number, const struct branch *);
void recent_end(struct recent *, uint64_t turn); /* that was the last one */

/* The record of that number, if it came before in this turn; else NULL. */
static inline const struct branch *recent_known(const struct recent *recent, uint64_t turn,
                                                uint32_t number)
{
    return recent && recent->turn == turn && number < recent->known
               ? &recent->by_number[number]
               : NULL;
}

void recent_free(struct recent *);
