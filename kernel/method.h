/*
 * A tracing method: one file, no knowledge of other methods or of any workload.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "branch.h"
#include "cpu.h"
#include "probe.h"
#include "window.h"

/* Memory that a method may use while armed. */
struct buffers {
    struct branch *records; /* where stops go, and what drain() fills    */
    size_t record_room;
    uint8_t *ds_area;   /* one page                                   */
    struct branch *bts; /* the DS buffer; a record is 24 bytes, as ours */
    size_t bts_room;    /* records in it, one spare after them          */
};

/* What was drained. */
struct trace {
    size_t count;
    uint64_t events; /* debug exceptions taken        */
    uint64_t lost;   /* records known not to be there */
};

struct method {
    const char *name; /* as written in the log */
    const char *(*lacks)(const struct cpu *, const struct facilities *); /* or NULL */
    size_t (*room)(const struct cpu *, const struct buffers *); /* records kept; 0: all */
    struct enable (*arm)(const struct cpu *,
                         const struct buffers *); /* all but turning on */
    struct trace (*drain)(const struct cpu *, const struct buffers *); /* oldest first */
    void (*disarm)(const struct cpu *); /* puts back what arm() set */
};

extern const struct method method_step, method_btf, method_btf_lbr, method_lbr, method_bts;

/* All of them, in the order of the plan, and room for them in tables. */
#define METHODS_MAX 16
extern const struct method *const methods[];
extern const size_t method_count;
