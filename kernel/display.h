/*
 * The display shows a person, while the kernel works and when it is done, progress, and a
 * table of methods by verdicts.  The verdicts are the kernel's own, from self_check.c, and
 * have words of their own.
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
#include "verdict.h"

#define SELF_CHECK_IS "records compared; `everybranch check` judges the log"

/* The columns of the table of verdicts; the kernel finds no ERROR. */
#define DISPLAY_VERDICTS 4
extern const enum verdict display_verdicts[DISPLAY_VERDICTS];

/* In this order.  Avoided: something was not tried, since an earlier boot died of it. */
void display_machine(const struct cpu *,
                     const struct handoff *); /* clears the firmware's logo */
/* on: for each, why it is no failure on this platform; or NULL.  wrong: how many fail. */
void display_facilities(const struct facilities *, const char *const on[FACILITY_COUNT],
                        size_t wrong, size_t methods_there_are);
void display_plan(size_t runs, size_t methods);
void display_begins(const struct run *);
/* at: the record, from 1, at which a failing run first differs; 0: none does. */
void display_verdict(const struct run *, enum verdict, uint64_t at);
/* open: runs that the records alone do not decide. */
void display_end(const struct totals *, size_t failures, size_t open, bool avoided);

/* Shows how a complete log ends, by which a photograph is known to belong to it. */
void display_checksum(const char *log, size_t log_size);

/* A line of boot/'s beneath it, the last four of them, and all drawn afresh. */
void display_line(const char *text, enum tone);

/* The kernel's last words. */
void display_panic(const char *why);
