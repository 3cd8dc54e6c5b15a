/*
 * Coverage: how much of a workload's code ran, and both edges of each conditional branch.
 *
 * 100 % is the code that can be reached from the workload's beginning, its handlers and all
 * that ran, by direct branches and by running on.  Data between the code does not count,
 * nor does code that only an indirect branch could reach and none did.
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
    uint64_t insns, insns_ran, blocks_ran, edges, edges_ran; /* edges: two of each Jcc */
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
