/*
 * The expected trace of a workload: every transfer that it must make, the same on every
 * processor.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "branch.h"
#include "pack.h"
#include "workload.h"

/* A transfer with its kind, in an expected trace or decoded from a record. */
struct transfer {
    uint64_t from, to;
    enum kind kind;
};

/* Gives transfers one at a time, oldest first; returns false at the end. */
struct source {
    bool (*next)(struct source *, struct transfer *);
    void (*rewind)(struct source *);
};

/* Of a workload loaded at `at` that `call` calls and that returns to `back`. */
struct expected {
    struct source source;
    const struct workload *workload;
    uint64_t at, call, back;
    struct pack *unpack; /* the state for unpacking, if workload->packed       */
    uint64_t given;      /* transfers taken out of it */
    uint32_t row, done;  /* row, and how often it was given                     */
    struct {
        uint32_t row;
        uint32_t left;
    } group[ROW_DEPTH_MAX];
    uint32_t depth;
    bool tf_before;       /* set it afterwards: see struct platform; marks then come so */
    struct transfer mark; /* the next transfer then, unless it has no kind */
};
void expected_of(struct expected *, const struct workload *, uint64_t at, uint64_t call,
                 uint64_t back, struct pack *unpack);
