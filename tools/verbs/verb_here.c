/*
 * `here`: traces in processes of this machine, under its own Linux, and judges the log.
 */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "exit_code.h"
#include "heap.h"
#include "here.h"
#include "judge.h"
#include "output.h"
#include "own_machine.h"
#include "read.h"
#include "report.h"
#include "span.h"
#include "verbs.h"
#include "version.h"

/* Linux's numbers of processors. */
struct processor_list {
    int *at;
    size_t count, capacity;
};

#define STACK_LEAST (1u << 20) /* bytes */

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

/* Lists the processors that --cpu names: a number, or all; without --cpu the first one.
 * False: it has printed what is wrong. */
static bool processors_given(const struct given *given, struct processor_list *out)
{
    const char *name = given_value(given, "cpu");
    const bool all = name && strcmp(name, "all") == 0;
    uint64_t number = 0;
    int one;

    *out = (struct processor_list){ 0 };
    if (name && !all && (!read_decimal(span_of(name), &number) || number >= CPU_SETSIZE)) {
        given_wrong(given, "--cpu=%s: want the number of a processor, below %d, or all",
                    name, CPU_SETSIZE);
        return false;
    }
    one = name && !all ? (int)number : own_machine_processor(0);
    do {
        out->at = grow(out->at, &out->capacity, out->count, sizeof(*out->at));
        out->at[out->count++] = one;
    } while (all && (one = own_machine_processor(out->count)) >= 0);
    return true;
}

static bool trace_one(const struct given *given, int processor, struct log *log)
{
    const struct judge_options judging = { .no_skip = false };
    size_t length;
    char *bytes = here_log(EVERYBRANCH_BUILD, processor, given_has(given, "msr"), &length);

    if (!bytes) {
        given_wrong(given, "--cpu=%d: Linux does not let this process run there",
                    processor);
        return false;
    }
    log_take(log,
             given_has(given, "cpu") ? scratch_text("here, processor %d", processor)
                                     : "here",
             bytes, length);
    judge(log, &judging);
    return true;
}

/* One log after the other; `good`: there are all. */
static bool save(FILE *file, const char *name, const struct log *logs, size_t count,
                 bool good)
{
    for (size_t i = 0; i < count && good; i++)
        good = fwrite(logs[i].bytes, 1, logs[i].length, file) == logs[i].length;
    return output_end(file, name, good);
}

static int report_logs(const struct given *given, const struct log *logs, size_t count)
{
    const int code = check_exit_code(logs, count);

    if (given->json) {
        check_json(given->verb->name, logs, count, code);
        return code;
    }
    for (size_t i = 0; i < count; i++)
        report_log(&logs[i], &(struct report_options){ .bytes = false });
    check_last_line(logs, count);
    return code;
}

static int trace_here(const struct given *given)
{
    const char *name = given_value(given, "output");
    struct processor_list processors;
    struct log *logs;
    size_t count = 0;
    bool good = true;
    FILE *file;
    int code;

    if (!processors_given(given, &processors))
        return EXIT_UNUSABLE;
    /* Before the runs, which would be lost if the file cannot be written. */
    file = name ? output_begin(name) : NULL;
    if (name && !file)
        return EXIT_UNUSABLE;
    logs = zeroed(processors.count, sizeof(*logs));
    while (good && count < processors.count) {
        good = trace_one(given, processors.at[count], &logs[count]);
        count += good;
    }
    if (file)
        good &= save(file, name, logs, count, good);
    code = good ? report_logs(given, logs, count) : EXIT_UNUSABLE;
    for (size_t i = 0; i < count; i++)
        log_free(&logs[i]);
    free(logs);
    free(processors.at);
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
    .more = "Nothing is installed, and without --msr nothing is changed.  The workloads "
            "that run in ring 3 are traced by what Linux offers a process: "
            "PTRACE_SINGLESTEP (step), PTRACE_SINGLEBLOCK (btf), and perf_event_open with "
            "branch stacks (lbr) and with intel_bts (bts).  For what Linux does not "
            "permit, the report names the setting.  With --msr, root reads the "
            "processor's own records through /dev/cpu/N/msr (lbr, ler), and puts back all "
            "but the records.  Linux notes in its log that MSRs were written.",
    .examples = "here\nhere -o here.log\nhere --msr --cpu=all",
    .run = verb_here,
    .json = true,
    .options = {
        OUTPUT_OPTION("also write the log to FILE"),
        { "msr", .about = "read the records in the processor's registers; root only" },
        { "cpu", "N", .about = "which processor, or all: one after the other" },
    },
};
