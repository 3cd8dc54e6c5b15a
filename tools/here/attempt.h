/* One attempt to trace a piece of code in a process of its own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include "branch.h"
#include "info.h"
#include "lines.h"
#include "model.h"
#include "workload.h"

#define ATTEMPT_RECORDS 65536

/* The result; the traced child writes it into memory that it shares with its parent. */
struct attempt {
    enum outcome outcome;
    uint64_t vector, at; /* of CRASHED */
    uint64_t ticks, result;
    struct ran_line ran; /* what else a method counted, as in that line of the log */
    int error;           /* errno of what Linux refused, or 0      */
    const char *refused; /* the call that it refused: a literal, at one address in both
                            processes */
    bool interrupted;    /* Linux ran something else meanwhile: the records are not used */
    uint32_t info_words; /* beside each record, in `infos`; 0: none */
    struct info infos[INFO_RECORDS_MAX];
    bool left_on; /* the #DB at the end of the window did not turn recording off */
    size_t count;
    struct branch records[ATTEMPT_RECORDS]; /* oldest first */
};

/* The code to trace: a workload's, or call_try. */
struct traced_code {
    const uint8_t *at;
    size_t size;
};

/* Memory for an attempt, and for a workload; both live as long as the program. */
struct attempt *attempt_memory(void);
const struct workload_env *attempt_env(void);

/* Notes what Linux refused, with errno. */
void attempt_refuse(struct attempt *, const char *call);

/* Forks a child that is killed if it does not end, and begins the attempt anew. */
pid_t attempt_fork(struct attempt *);
int attempt_wait(pid_t); /* until the child stops or ends; its status, or 0 */

/* Runs `record` in a child, and returns after that has ended. */
void attempt_in_child(struct attempt *, const struct traced_code *,
                      void (*record)(struct attempt *, const struct traced_code *));

/* Sets the outcome by the signal that ended the workload at `at`. */
void attempt_crash(struct attempt *, int signal, uint64_t at);

/*
 * Drops the records before the window, with what is beside them, and finds whether any
 * other leads into Linux or out of it.
 */
void attempt_cut(struct attempt *);

/* steps.c: PTRACE_SINGLESTEP and PTRACE_SINGLEBLOCK. */
void steps_insns(struct attempt *, const struct traced_code *);
void steps_branches(struct attempt *, const struct traced_code *);

/* branch_stack.c: perf_event_open() with PERF_SAMPLE_BRANCH_STACK. */
void branch_stack_sample(struct attempt *, const struct traced_code *);
/* Accounts for the entries of a stack that deep of which Linux gave nothing. */
void branch_stack_fill(struct attempt *, const struct model *, uint64_t depth);

/* msr_lbr.c: the registers of the processor, after msr_lbr_begin(). */
void msr_lbr_stack(struct attempt *, const struct traced_code *);
void msr_lbr_exception(struct attempt *, const struct traced_code *);

/* intel_bts.c: perf_event_open() of intel_bts. */
#define INTEL_BTS_RECORDS 2048 /* that it keeps */
void intel_bts_record(struct attempt *, const struct traced_code *);
