/*
 * `here`: traces in processes of this machine, under its own Linux, and judges the log.
 */
#include <stdio.h>
#include <stdlib.h>

#include "exit_code.h"
#include "here.h"
#include "judge.h"
#include "output.h"
#include "read.h"
#include "report.h"
#include "verbs.h"
#include "version.h"

static bool save(const struct given *given, const struct log *log)
{
    const char *name = given_value(given, "output");

    return !name || output_new(name, log->bytes, log->length);
}

static int verb_here(const struct given *given)
{
    const struct judge_options judging = { .no_skip = false };
    size_t length;
    char *bytes = here_log(EVERYBRANCH_BUILD, &length);
    struct log log;
    int code;

    log_take(&log, "here", bytes, length);
    judge(&log, &judging);
    code = save(given, &log) ? check_exit_code(&log, 1) : EXIT_UNUSABLE;
    if (given->json)
        check_json(given->verb->name, &log, 1, code);
    else
        report(&log, &(struct report_options){ .bytes = false });
    log_free(&log);
    return code;
}

VERB(here) = {
    .name = "here",
    .operands = "",
    .about = "trace on this machine, under its Linux, and judge it",
    .more = "Nothing is installed and nothing is changed.  The workloads that run in ring 3 "
            "are traced by what Linux offers a process: PTRACE_SINGLESTEP (step), "
            "PTRACE_SINGLEBLOCK (btf), and perf_event_open with branch stacks (lbr) and "
            "with intel_bts (bts).  For what Linux does not permit, the report names the "
            "setting.",
    .examples = "here\nhere -o here.log",
    .run = verb_here,
    .json = true,
    .options = {
        OUTPUT_OPTION("also write the log to FILE"),
    },
};
