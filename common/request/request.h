/*
 * What a line typed at the monitor asks for.  Pure: a line becomes a request, or a
 * sentence that says what is wrong with it.  The host program reads those of `do` so,
 * before a machine is booted with them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "setting.h"
#include "trace_msr.h"

enum request_word {
    REQUEST_HELP,
    REQUEST_CPU,
    REQUEST_PROBE,
    REQUEST_METHODS,
    REQUEST_WORKLOADS,
    REQUEST_MSRS,
    REQUEST_MSR_READ,
    REQUEST_MSR_WRITE,
    REQUEST_RUN,
    REQUEST_LOG,
    REQUEST_SAVE,
    REQUEST_REBOOT,
    REQUEST_EXIT,
    REQUEST_COUNT,
};

/* The table of commands, for `help`. */
struct request_form {
    const char *word;      /* or two, one space between           */
    const char *arguments; /* as they are shown; "" where none is */
    size_t least, most;    /* arguments                           */
    const char *about;
};
extern const struct request_form request_forms[REQUEST_COUNT];

#define REQUEST_LINE_MAX  160   /* characters of a line                 */
#define REQUEST_TIMES_MAX 10000 /* each run takes some lines of the log */
#define REQUEST_LINES_MAX 60    /* that `log` shows                     */

struct request {
    enum request_word what;
    struct trace_msr msr; /* of msr: its name is empty where it is none of the known ones */
    uint64_t value;
    const char *methods,
        *workloads;         /* of run: "a,b"; empty: all; live until the next one */
    uint32_t count;         /* run: how often, log: lines */
    struct options options; /* run: filter=, event=, period= and delivery= */
};

/* Which names there are on this machine, in this image. */
struct request_names {
    struct trace_msr_set msrs;
    bool (*method)(const char *name);
    bool (*workload)(const char *name);
};

/* NULL, or what is wrong, in a sentence that lives until the next call. */
const char *request_read(struct request *, const char *line, const struct request_names *);
