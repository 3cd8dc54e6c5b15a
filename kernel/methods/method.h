/*
 * The contract of a tracing method.  A method is one file, which knows nothing of other
 * methods or of any workload: its row of facts (common/facts/method_facts.h) and its
 * driver.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "branch.h"
#include "cpu.h"
#include "filter.h"
#include "handoff.h"
#include "info.h"
#include "lines.h"
#include "skip_code.h"
#include "facilities.h"
#include "method_facts.h"
#include "window.h"

/* Memory that a method may use while armed. */
struct buffers {
    struct branch *records; /* where stops go, and what drain() fills    */
    size_t record_capacity;
    uint8_t *ds_area;    /* one page                                   */
    struct branch *bts;  /* the DS buffer; a record is 24 bytes, as ours */
    size_t bts_capacity; /* records in it, one spare after them          */
    size_t bts_size;     /* its bytes, two pages at least: those that PT uses */

    /* The options; 0: as each method has it. */
    size_t buffer, threshold; /* buffer: then it is bts_capacity */
    enum delivery delivery;

    struct info *infos;        /* room for INFO_RECORDS_MAX */
    bool info;                 /* asked for                 */
    uint32_t filter;           /* of this run: common/facts/filter.h */
    struct event_choice event; /* of a counter */
    uint64_t period;

    const struct facilities *found; /* of this processor, as far as it was tried */
};

/*
 * The source of a method's interrupts: a buffer whenever it is filled up to the threshold,
 * or a counter after each period of an event.
 */
struct interrupt_config {
    size_t buffer, threshold; /* records */
    uint64_t period;          /* events; 0: it is the buffer */
    uint32_t event, umask;
    bool nmi;                 /* the interrupt is delivered as NMI */
    bool freezes;             /* the LBR stack is frozen from the overflow on */
    struct skip_reason lacks; /* why what is asked for cannot be */
};

/* The result of drain(), about the `count` records that now lie in buffers->records. */
struct trace {
    size_t count;
    struct ran_line ran;      /* the method's part of the line `ran` */
    const struct info *infos; /* as many as records, or NULL */
    const uint8_t *packets;   /* of a method that has them instead of records */
    size_t packet_bytes;
    uint64_t packet_status; /* IA32_RTIT_STATUS after them */
};

/* A method's driver.  Functions that are NULL: the method has nothing to say there. */
struct method {
    const struct method_facts *facts;
    /* Sets up all that recording needs, and returns what turns it on. */
    struct enable (*arm)(const struct cpu *, const struct buffers *);
    /* Leaves the records in buffers->records, oldest first; disarm() may clear their
     * source. */
    struct trace (*drain)(const struct cpu *, const struct buffers *);
    /* Puts back what arm() set. */
    void (*disarm)(const struct cpu *);
    /* How it will be interrupted; NULL: by nothing. */
    struct interrupt_config (*interrupt_config)(const struct cpu *, const struct buffers *);
    /* Bytes of its buffer, of a method that has packets instead of records. */
    uint64_t (*packet_buffer)(const struct cpu *, const struct buffers *);
    /* How many words it has about each record beside FROM and TO; NULL: none. */
    uint32_t (*info)(const struct cpu *, const struct buffers *);
};

/* The linker makes the array of them, in the order that the Makefile gives. */
#define METHOD(id) \
    __attribute__((section("drivers"), used, aligned(8))) const struct method method_##id
extern const struct method methods[], methods_end[] __attribute__((visibility("hidden")));

static inline size_t method_count(void)
{
    return (size_t)(methods_end - methods);
}

/* The methods that the probes use. */
extern const struct method method_step, method_btf, method_lbr, method_bts, method_bts_pmi,
    method_tr, method_pmi, method_brs, method_pt;
