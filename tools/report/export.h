/*
 * Runs in the formats of other tools.  Each format is written as the trace is walked, in
 * memory that does not grow with it.
 *
 * A trace has no clock: where a format wants one, an instruction takes one nanosecond.
 */
#pragma once

#include <stdio.h>

#include "calltree.h"
#include "options.h"
#include "symbols.h"

/* A place's name, worked out once. */
struct export_name {
    uint64_t address; /* the key */
    char *text;       /* "name+0x5", scratch_text(); NULL: empty */
    char *handler;    /* "name+0x5_(handler)", once it was asked for */
    size_t name;      /* characters before the + */
};

struct export
{
    FILE *out;
    const struct given *given;
    struct log *log;
    const struct run *run;
    const struct symbols *symbols;
    struct walk walk;
    uint64_t *clocks; /* of each processor, in instructions */
    size_t clock_count, clock_capacity;
    uint64_t insns; /* of this run so far */
    struct export_name *names;
    size_t name_count, name_capacity;
};

struct export_format {
    void (*begin)(struct export *); /* or NULL */
    void (*run)(struct export *);
    void (*end)(struct export *); /* or NULL */
    bool side_by_side; /* exports all runs that several processors made at once */
};
extern const struct export_format export_brstack; /* export_perf.c   */
extern const struct export_format export_chrome;  /* export_chrome.c */
extern const struct export_format export_folded;  /* export_folded.c */
extern const struct export_format export_pt;      /* export_pt.c     */

/* export.c: "name+0x5", or "[unknown]"; and the name alone, without the offset. */
struct export_name *export_name(struct export *, uint64_t address);
const char *export_function(struct export *, const struct call_frame *);
void export_names_free(struct export *);
