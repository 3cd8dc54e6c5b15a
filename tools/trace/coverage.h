/*
 * What of a workload's code ran, and both ways of each conditional branch.
 *
 * The whole that it is measured by is what can be reached from its beginning, its handlers
 * and all that ran, by direct branches and by running on: data between the code is none of
 * it, and where only an indirect branch leads and none did, nobody knows of it.
 */
#pragma once

#include "profile.h"

struct cover_jcc {
    uint64_t at, taken, passed;
};

struct cover_block {
    uint64_t begin, end; /* offsets */
    bool ran;
};

struct cover {
    struct profile profile;
    const struct log *log; /* the first one it is in, and the first run */
    const struct run *run;
    const struct loaded *loaded;
    uint64_t insns, insns_ran, blocks_ran, ways, ways_ran; /* ways: two of each Jcc */
    struct cover_block *blocks; /* in order; those that ran have no hole */
    size_t block_count, block_capacity;
    struct cover_jcc *jccs;
    size_t jcc_count, jcc_capacity;
};

/* Runs of one workload, each added as it comes; then what they cover together. */
void cover_begin(struct cover *, const struct log *, const struct loaded *);
void cover_add(struct cover *, const struct log *, const struct run *);
void cover_end(struct cover *);
void cover_free(struct cover *);
