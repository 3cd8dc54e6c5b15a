/*
 * Compares the methods with each other: each run of a workload with all its other runs on
 * one processor.
 */
#pragma once

#include <stddef.h>

#include "events.h"
#include "parsed.h"
#include "paths.h"

struct crossed {
    const struct run *run;
    struct path path;
};

/* The runs of one workload, as far as they are read. */
struct crossing {
    struct log *log;
    const struct loaded *workload; /* NULL: of none yet */
    size_t round;
    struct events events;
    struct edges edges;
    struct crossed *runs;
    size_t count, capacity;
};
void cross_begin(struct crossing *, struct log *);
/* Takes the judged runs of one processor in the order of the log. */
void cross_add(struct crossing *, const struct run *);
void cross_end(struct crossing *);
