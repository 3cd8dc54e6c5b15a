/*
 * Runs in the formats of other tools.  Each format is written as the trace is walked, in
 * memory that does not grow with it.
 *
 * A trace has no clock: where a format wants one, an instruction takes one nanosecond.
 */
#pragma once

#include <stdio.h>

#include "calltree.h"
#include "symbols.h"
#include "options.h"

/* A place's name, worked out once. */
struct export_name {
    uint64_t address; /* the key */
    char *text;       /* "name+0x5"; NULL: empty */
    size_t name;      /* characters before the + */
};

struct export
{
    FILE *out;
    const struct given *given;
    struct log *log;
    const struct run *run;
    const struct symbols *symbols;
    struct code code;
    struct walk walk;
    uint64_t clock;   /* instructions of all runs before this one          */
    uint64_t *clocks; /* ...and of each processor, where runs are side by side */
    size_t clock_count;
    size_t number; /* number of this run among the exported ones, from 0 */
    struct export_name *names;
    size_t name_count, name_capacity;
};

struct export_format {
    const char *name;
    void (*begin)(struct export *);
    bool (*run)(struct export *); /* false: out of memory */
    void (*end)(struct export *);
    bool side_by_side; /* exports all runs that several processors made at once */
};
extern const struct export_format export_brstack; /* export_perf.c   */
extern const struct export_format export_chrome;  /* export_chrome.c */
extern const struct export_format export_folded;  /* export_folded.c */
extern const struct export_format export_pt;      /* export_pt.c     */

/* export.c: "name+0x5", or "[unknown]"; and the name alone, without the offset. */
const struct export_name *export_name(struct export *, uint64_t address);
const char *export_function(struct export *, const struct call_frame *, char *buffer,
                            size_t capacity);
void export_names_free(struct export *);
