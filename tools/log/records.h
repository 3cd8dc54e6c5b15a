/*
 * The records of a run: the lines that the log has of them, and the array they stand for.
 *
 * A line of records may stand for a whole loop, so the lines are small and are kept.  The
 * array is made from them when a run is judged or shown, and is freed after that: memory
 * does not grow with what the log folds or packs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "branch.h"
#include "check.h"
#include "pt_form.h"

struct arena;
struct log;
struct run;

#define RUN_RECORDS_MAX (1u << 24) /* of one run; the longest workload makes 2^20 */

/* One line: `branch`, or the `again` records before it, `times` times. */
struct record_line {
    struct branch branch;
    uint32_t again; /* 0: the line stands for `branch` */
    uint32_t times;
    uint32_t line; /* its number in the log */
};

/* The records as logged: in lines, or packed into bytes.  A packed run that is logged as
 * `run=N` shares those of run N. */
struct run_lines {
    struct record_line *at;
    size_t count, capacity;
    size_t line;        /* number of the first line in the log       */
    uint8_t *bytes;     /* NULL: not packed                          */
    uint64_t size, got; /* bytes: that `packed` promises, and so far */

    /* The records themselves, once run_records() was called. */
    struct branch *records;
    uint64_t record_count;
    bool stops, sampled; /* of the method that they were unpacked for                 */
    bool bytes_left;     /* all were unpacked, but these were not all of the bytes    */

    bool packets;           /* the bytes are Processor Trace packets...                  */
    uint64_t unpacked_size; /* 0: they are not packed, or no longer                  */
    bool by_bits;    /* packed by the bits of TNT packets: common/branch/tnt.h       */
    uint64_t status; /* ...and this is IA32_RTIT_STATUS after them                */
    char *wrong;     /* what does not fit the code, first of all; NULL: nothing   */
    uint64_t before_wrong; /* records                                                   */
    enum {
        MISFIT_OF_CODE,     /* packets and code, or packets alone                        */
        MISFIT_OF_OVERFLOW, /* the processor lost packets, and said so                   */
        MISFIT_OF_BOUNDARY, /* there is no PSB                                           */
        MISFIT_OF_PSB_OPEN, /* there is a PSB without PSBEND                             */
        MISFIT_OF_END,      /* they end while tracing is on                              */
    } misfit;               /* what `wrong` is                                           */
    uint64_t begin, end;    /* where they begin first, and end, or BRANCH_UNKNOWN        */
    bool is_on;             /* tracing is on where they end                              */
    uint64_t without_fup;   /* software interrupts                                       */
    bool begins_elsewhere;  /* packets begin again where nothing that ended them returns */
    bool psb_astray;        /* the FUP in a PSB+ before TIP.PGE is where no code is      */
    struct pt_form form;    /* what the packets alone show                               */
};

/* The records of a run, oldest first. */
struct run_records {
    const struct branch *at;
    uint64_t count; /* fewer than run->records if they cannot all be unpacked */
};
struct run_records run_records(const struct log *, const struct run *);

/* The oldest record alone; false: there is none, or it cannot be unpacked. */
bool first_record(const struct log *, const struct run *, struct branch *);

/* packet_records.c: unpacks the bytes of packets; false: they cannot be. */
bool packets_unpack(struct arena *, struct run_lines *);
/* Decodes packets into lines->records. */
void packets_decode(const struct log *, const struct run *);

/* Frees the array, unless `next` (or NULL) shares it. */
void records_free(const struct run *, const struct run *next);
void lines_free(struct run_lines *); /* what run_records() allocated, of a run or of NULL */

/* True if all the packed records of a run can be unpacked; else the log has an error. */
bool records_hold(struct log *, const struct run *);

/* The line of the log with the record of this index, from 0. */
size_t line_of_record(const struct run *, uint64_t index);

/* The records as transfers: stops become branches by the code. */
struct source *transfers_of(struct recorded *, const struct log *, const struct run *);
