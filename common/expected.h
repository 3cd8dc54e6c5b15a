/*
 * What really ran, as transfers: there is one expected trace of each workload.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "branch.h"
#include "pack.h"
#include "workload.h"

/* A transfer with its kind, as expected trace and decoded records have it. */
struct transfer {
    uint64_t from, to;
    enum kind kind;
};

/* Gives one transfer after the other, oldest first; false at the end. */
struct source {
    bool (*next)(struct source *, struct transfer *);
    void (*rewind)(struct source *);
};

/* The expected trace of a workload that lies at `at`, called from `call`, back at `back`.
 */
struct expected {
    struct source source;
    const struct workload *workload;
    uint64_t at, call, back;
    struct pack *unpack; /* where workload->packed: the state for unpacking it */
    uint64_t given;      /* transfers taken out of it */
    uint32_t row, done;  /* row, and how often it was given                     */
    struct {
        uint32_t row;
        uint32_t left;
    } group[ROW_DEPTH_MAX];
    uint32_t depth;
};
void expected_of(struct expected *, const struct workload *, uint64_t at, uint64_t call,
                 uint64_t back, struct pack *unpack);
