/*
 * A run that a verb shows, and what all such verbs do around it: they select the runs by
 * their options, judge each, read its symbols, and frame the document of --json.
 */
#pragma once

#include <stdio.h>

#include "json.h"
#include "options.h"
#include "output.h"
#include "parsed.h"
#include "symbols.h"

struct shown {
    const struct given *given;
    struct log *log;
    const struct run *run;
    const struct symbols *symbols;
    FILE *out;
    struct json *json;    /* NULL: print text */
    size_t number, count; /* of this run among those that are shown, from 0; how many */
    void *own;            /* the verb's own */
};
typedef bool run_shower(const struct shown *); /* false after printing why */

/*
 * Shows the runs that the options select; returns the exit code.  The first prints to
 * standard output, with a pager; the second writes all or nothing, by show_output().
 */
int show_runs(const struct given *, run_shower *, void *own);
int show_runs_whole(const struct given *, run_shower *, void *own);

/* Shows `shown->run`, which is usable, with its symbols. */
bool show_one(struct shown *, run_shower *);

/* Writes the text to the file of OUTPUT_OPTION, or to standard output. */
bool show_output(const struct given *, const struct collected *);
