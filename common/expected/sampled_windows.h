/*
 * Compares sampled pieces of a trace with the whole expected trace.
 *
 * A piece is a few consecutive branches.  Each piece is searched for after the one before
 * it, and the first place that fits is taken: if the pieces can be placed at all, this
 * places them.  The branches between two pieces were not sampled.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "visible.h"

#define PIECE_MAX 64

struct sampled_result {
    bool wrong;
    uint64_t index, number; /* of a record that does not fit: of all, from 0; of its piece,
                               from 1                                                */
    struct transfer got;    /* that record                                           */
    struct transfer want;   /* what comes there where most of its piece fits         */
    bool ended;             /* the expected trace ends there                         */
    bool nowhere;           /* not even its first record fits anywhere               */
    bool early;             /* or a piece is not full, though not the last          */
    bool too_long;          /* or its piece has more than a full one                 */
    uint64_t pieces, full;  /* up to there: all of them, and those that are full     */
    size_t rest;            /* records of the last one, where it is not full         */
};

/*
 * A record without ends parts two pieces.  `size` is the number of records in a full piece.
 * All before a gap are full, except as many as `may_be_short`, which may be empty, too.
 */
struct sampled_result sampled_windows_check(struct source *got, struct source *want,
                                            size_t size, uint64_t may_be_short);
