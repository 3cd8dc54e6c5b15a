/*
 * The display shows a person, while the kernel works and when it is done, progress, and a
 * table of methods by what self_check.c found.  Only `everybranch check` judges a run.
 *
 * Where there is no screen nothing of this does anything.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu.h"
#include "emit.h"
#include "facilities.h"
#include "handoff.h"

#define SELF_CHECK_IS "records compared; `everybranch check` judges the log"

/* What became of a run, in the order of the table's columns. */
enum compared {
    RIGHT,        /* each record is as expected */
    DIFFERS,      /* one is not, or the run did not end */
    KNOWN,        /* one is not, as a rule, an SMI or a stray NMI may explain */
    NOT_COMPARED, /* packets, and records with gaps: only the host compares them */
    SKIPPED,
    COMPARED_COUNT,
};

extern const struct display_column {
    const char *word;
    size_t width; /* of the column */
} display_columns[COMPARED_COUNT];

/* A sentence on what these words leave to `everybranch check`, or NULL. */
const char *display_legend(const size_t counts[COMPARED_COUNT]);

/* In this order.  Avoided: something was not tried, since an earlier boot died of it. */
void display_machine(const struct cpu *,
                     const struct handoff *); /* clears the firmware's logo */
/* on: for each, why it is no failure on this platform; or NULL.  wrong: how many fail. */
void display_facilities(const struct facilities *, const char *const on[FACILITY_COUNT],
                        size_t wrong, size_t methods_there_are);
void display_plan(size_t runs, size_t methods);
void display_begins(const struct run_request *);
/* at: the record, from 1, at which a run that differs first does; 0: none does. */
void display_compared(const struct run_request *, enum compared, uint64_t at);
void display_end(const struct end_line *, const size_t counts[COMPARED_COUNT],
                 bool avoided);

/* Shows how a complete log ends, by which a photograph is known to belong to it. */
void display_checksum(const char *log, size_t log_size);

/* A line of boot/'s beneath it, the last four of them, and all drawn afresh. */
void display_line(const char *text, enum tone);

/* The kernel's last words. */
void display_panic(const char *why);
