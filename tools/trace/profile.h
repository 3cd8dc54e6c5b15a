/*
 * A profile: how often each instruction of a workload ran and each edge was taken, over any
 * number of runs, by several methods, machines and logs.
 *
 * Ends are offsets in the workload, so it does not matter where it was loaded.  Memory
 * grows with the code, not with the trace.
 */
#pragma once

#include "walk.h"

#define PROFILE_CALLER    (UINT64_MAX - 2) /* the window, which calls and is returned to */
#define PROFILE_ELSEWHERE (UINT64_MAX - 3) /* neither that nor in the workload */

struct profile_edge {
    uint64_t from, to; /* FROM is the instruction that branched, or before which an event
                          struck                                                        */
    enum kind kind;
    uint64_t times;
};

struct profile {
    const struct workload *workload;
    size_t runs;
    uint64_t *ran;              /* by offset: so often the instruction there ran        */
    uint64_t *taken;            /* by offset of a Jcc that was                        */
    uint64_t *passed;           /* by offset: it went on to the next instruction; of a Jcc:
                                   was not taken                                       */
    struct profile_edge *edges; /* transfers, in order of from, then to                 */
    size_t edge_count, edge_capacity;
    uint64_t insns, transfers;
    uint64_t gaps[GAPS];        /* what is not known, so often                          */
    struct code_insn *insns_at; /* by offset, with offsets as addresses; at 0, length 0:
                                   nothing began there that ran                         */
};

void profile_begin(struct profile *, const struct workload *);
/* Adds a run of that workload, or of one with the same code. */
void profile_add(struct profile *, const struct log *, const struct run *);
void profile_end(struct profile *); /* all are added */
void profile_of(struct profile *, const struct log *, const struct run *); /* of one run */
void profile_free(struct profile *);

/* The instruction that ran at an offset, or NULL; profile_next(): the one after it. */
const struct code_insn *profile_insn(const struct profile *, uint64_t offset);
static inline uint64_t profile_next(const struct code_insn *insn)
{
    return insn->at + insn->length;
}
