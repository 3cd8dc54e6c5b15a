/*
 * Workloads: those of this program, those that a log brings along, and where one lay.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "span.h"
#include "check.h"
#include "workload.h"

/* A workload that the log brings along: it was loaded from the stick. */
struct bundled {
    struct workload workload; /* points into bytes, once they are whole */
    uint8_t *bytes;
    size_t size, capacity, line;
    struct span file, wrong; /* wrong: why the kernel did not load it, else empty */
};

/*
 * A workload as it lay in the machine's memory.  It never moves: runs point to it, and a
 * later command can add workloads to the log.
 *
 * A program in C has other code where another compiler built the image.  Then `own` is
 * `other`, which has the code of the log and no expected trace: no row, nothing packed.
 */
struct loaded {
    const struct workload *own; /* this program's copy, or what the log brought */
    struct workload other;
    uint8_t *other_code; /* of a program in C; NULL once it is found to be this program's */
    bool is_bundled;
    size_t number; /* its index in the log's workloads */
    uint64_t at;
    struct decoded *decoded;   /* by offset: each place is decoded once */
    size_t line, code, labels; /* bytes and labels that the log has given so far */
};

static inline bool is_other_build(const struct loaded *loaded)
{
    return loaded->own == &loaded->other;
}

/* parse_workload.c */
const struct workload *own_workload(struct span name);
size_t own_workload_count(void);

/* place.c */
int64_t label_offset(const struct workload *, struct span label); /* -1: none */
size_t label_count(const struct workload *);
