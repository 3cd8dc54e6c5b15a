/*
 * Runs a workload in this process, one instruction at a time, and says what each
 * one did to the flow.
 *
 * Nothing of common/ takes part, nor anything of the kernel: the processor of the
 * build machine runs the code, and Zydis tells what the instructions are.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <Zydis/Zydis.h>

#include "workload.h"

/* Equal transfers in a row. */
struct step_run {
    uint64_t from, to; /* addresses; the window's are step_call and step_back */
    enum kind kind;    /* KIND_NONE: the flow jumped where no branch stands   */
    uint64_t times;
};

struct step_trace {
    struct step_run *runs; /* oldest first; free() them                         */
    size_t count, capacity;
    uint64_t instructions; /* those of the workload that completed              */
    uint64_t by_hand;      /* ...of which this process only imitated so many    */
    uint64_t interrupts;   /* of an imitated APIC                               */
    uint64_t result;       /* RAX at the return: what a program in C returned   */
    const char *trouble;   /* NULL, or why it did not come to its end           */
    uint64_t trouble_at;
    int trouble_vector; /* of the exception, or -1                           */
};

extern const uint8_t step_call[], step_back[]; /* the CALL, and the instruction after it */

/* A workload that runs more instructions than the budget is in trouble. */
struct step_trace step(const struct workload *workload, uint64_t budget);

/* For another tracer of a process: tests/expected/breakpoints.c. */

typedef void step_handler(int number, siginfo_t *info, void *context);

/*
 * Calls the workload with these flags set, until it returns or the handler of its signals
 * goes on at step_back.  Returns its RAX.
 */
uint64_t step_run(const struct workload *workload, uint64_t flags, step_handler *handler,
                  bool *same_stack);

/* Adds a transfer to the trace. */
void step_record(struct step_trace *trace, uint64_t from, uint64_t to, enum kind kind);

enum kind step_kind(const ZydisDecodedInstruction *insn);

/* Is this conditional branch taken with these registers? */
bool step_taken(const ZydisDecodedInstruction *insn, uint64_t flags, uint64_t rcx);
