/*
 * Results of judging a log: the text report, and TAP and JUnit.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "causes.h"
#include "parsed.h"
#include "text.h"

/* Where the facts and a method's counts begin, after their names. */
#define REPORT_COLUMN 14

struct report_options {
    bool bytes, table; /* tables of the bytes on the wire; of the verdicts */
};
void report_boots(const struct log *, size_t count); /* those of one file, in a list */
void report_log(const struct log *, const struct report_options *);

/*
 * "as expected on tcg: ...", and what else there is to say; NULL: nothing.  Both are
 * scratch text.
 */
const char *facility_remark(const struct cpu_part *, enum facility);
const char *avoided_text(const struct avoid_line *); /* "btf loop filter=jcc" */

/* machine.c */
void tap(const struct log *logs, size_t count);
void junit(FILE *, const struct log *logs, size_t count); /* after output_xml() */

/*
 * verb_check.c: reports as `check` does without options, for the exit code; the exit code of
 * these logs, the worst; the last line, if they are several; and the logs as JSON.
 */
int check_file(const char *name);
int check_exit_code(const struct log *, size_t count);
void check_last_line(const struct log *, size_t count);
void check_json(const char *verb, const struct log *, size_t count, int code);

/* report_table.c */
void print_tables(const struct log *, const struct report_options *);
/* Prints a verdict's word in a column of this width; 0: the last column. */
void print_verdict(enum verdict, int width);

/* report_methods.c */
void print_methods(const struct log *);

/* report_causes.c */
void print_causes(const struct log *, const struct causes *);
void print_log_error(const struct log *);
/* "loop.asm:13", where a workload has its EXPECT; NULL: not known.  scratch_text(). */
const char *expect_place(const struct loaded *);

/* report_known.c */
void report_known(const struct log *);

/* report_processors.c */
void print_processors(const struct log *);
/*
 * "processors 1 to 3, 7": those whose runs are like this one; false if an earlier run is.
 */
bool processors_like(const struct log *, size_t run, struct text *);
