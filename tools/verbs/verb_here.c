/*
 * `here`: traces in processes of this machine, under its own Linux, and judges the log.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "exit_code.h"
#include "here.h"
#include "judge.h"
#include "output.h"
#include "read.h"
#include "report.h"
#include "verbs.h"
#include "version.h"

#define STACK_LEAST (1u << 20) /* bytes */

static bool save(FILE *file, const char *name, const struct log *log)
{
    bool good = fwrite(log->bytes, 1, log->length, file) == log->length;

    return output_end(file, name, good);
}

/* A stack may grow up to the limit of the moment, so it is raised, if that is permitted. */
static bool has_stack(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK_LEAST)
        return true;
    limit.rlim_cur = STACK_LEAST;
    if (limit.rlim_max >= STACK_LEAST && setrlimit(RLIMIT_STACK, &limit) == 0)
        return true;
    fprintf(stderr,
            "everybranch here: the stack is limited to %ju kB: `ulimit -s %u` permits "
            "enough\n",
            (uintmax_t)limit.rlim_max >> 10, STACK_LEAST >> 10);
    return false;
}

static int trace_here(const struct given *given)
{
    const struct judge_options judging = { .no_skip = false };
    const char *name = given_value(given, "output");
    /* Before the runs, which would be lost if the file cannot be written. */
    FILE *file = name ? output_begin(name) : NULL;
    size_t length;
    char *bytes;
    struct log log;
    int code;

    if (name && !file)
        return EXIT_UNUSABLE;
    bytes = here_log(EVERYBRANCH_BUILD, &length);
    log_take(&log, "here", bytes, length);
    judge(&log, &judging);
    code = !file || save(file, name, &log) ? check_exit_code(&log, 1) : EXIT_UNUSABLE;
    if (given->json)
        check_json(given->verb->name, &log, 1, code);
    else
        report_log(&log, &(struct report_options){ .bytes = false });
    log_free(&log);
    return code;
}

static int verb_here(const struct given *given)
{
    return has_stack() ? trace_here(given) : EXIT_UNUSABLE;
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
