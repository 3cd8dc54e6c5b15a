/*
 * Steps through a child by ptrace: after each instruction (PTRACE_SINGLESTEP, RFLAGS.TF)
 * or after each taken branch (PTRACE_SINGLEBLOCK, TF with DEBUGCTL.BTF).
 *
 * Linux takes the #DB and stops the child with SIGTRAP before the next instruction; it sets
 * TF and BTF anew each time that the child goes on (Linux, arch/x86/kernel/step.c).  On a
 * processor or under a hypervisor that drops BTF, PTRACE_SINGLEBLOCK stops after each
 * instruction.
 *
 * The child stops itself by the first system call of its gate.  The stops before the CALL
 * are not its workload's.
 */
#include "attempt.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "call.h"
#include "decode.h"

#define SINGLEBLOCK 33 /* PTRACE_SINGLEBLOCK of asm/ptrace-abi.h */

static void be_traced(struct attempt *attempt, const struct traced_code *code)
{
    struct call_gate gate = { .open = { SYS_kill, (uint64_t)getpid(), SIGSTOP },
                              .close = { SYS_getpid } };

    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
        attempt_refuse(attempt, "ptrace(PTRACE_TRACEME)");
        _exit(0);
    }
    call_traced(code->at, attempt_env(), &gate);
    attempt->result = gate.result;
    _exit(0);
}

/* Decides from the registers if a conditional branch to the next instruction is taken. */
static uint64_t is_taken(const struct traced_code *code,
                         const struct user_regs_struct *registers)
{
    const uint64_t at = registers->rip, offset = at - (uintptr_t)code->at;
    static const struct part all = { .flags = 0 }; /* 64-bit code */
    struct insn insn;

    if (offset >= code->size ||
        !decode_in(&all, code->at + offset, code->size - offset, at, &insn) ||
        insn.kind != KIND_JCC || insn.target != at + insn.length)
        return 0;
    return decode_taken(&insn, registers->eflags, registers->rcx) ? STOP_TAKEN
                                                                  : STOP_NOT_TAKEN;
}

/* Waits until the child stops; false if it has ended. */
static bool stopped(pid_t child, int *signal, struct user_regs_struct *registers)
{
    const int status = attempt_wait(child);

    *signal = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
    return *signal && ptrace(PTRACE_GETREGS, child, NULL, registers) == 0;
}

/* Notes one stop; false if it was the last one. */
static bool note(struct attempt *attempt, const struct traced_code *code, int signal,
                 const struct user_regs_struct *registers, bool each)
{
    const uint64_t at = registers->rip;

    if (signal == SIGALRM)
        return false;
    if (signal != SIGTRAP) {
        attempt_crash(attempt, signal, at);
        return false;
    }
    if (call_is_before(at))
        return true;
    if (attempt->count == ATTEMPT_RECORDS) {
        attempt->outcome = BUDGET;
        return false;
    }
    attempt->records[attempt->count++] = (struct branch){
        .from = BRANCH_UNKNOWN, .to = at, .info = each ? is_taken(code, registers) : 0
    };
    if (at != (uintptr_t)call_back)
        return true;
    attempt->outcome = ENDED;
    return false;
}

static void follow(pid_t child, struct attempt *attempt, const struct traced_code *code,
                   int request)
{
    struct user_regs_struct registers;
    const uint64_t begin = __rdtsc();
    bool goes_on;
    int signal;

    if (!stopped(child, &signal, &registers))
        return;
    do {
        if (ptrace((enum __ptrace_request)request, child, NULL, NULL) != 0) {
            attempt_refuse(attempt, request == SINGLEBLOCK ? "ptrace(PTRACE_SINGLEBLOCK)"
                                                           : "ptrace(PTRACE_SINGLESTEP)");
            break;
        }
        goes_on = stopped(child, &signal, &registers) &&
                  note(attempt, code, signal, &registers, request != SINGLEBLOCK);
    } while (goes_on);
    attempt->ticks = __rdtsc() - begin;
}

/* Lets a child that came to its end go there, and kills any other. */
static void finish(pid_t child, bool ended)
{
    if (!ended || ptrace(PTRACE_CONT, child, NULL, NULL) != 0)
        kill(child, SIGKILL);
    attempt_wait(child);
}

static void trace(struct attempt *attempt, const struct traced_code *code, int request)
{
    const pid_t child = attempt_fork(attempt);

    if (child < 0)
        return;
    if (child == 0)
        be_traced(attempt, code);
    follow(child, attempt, code, request);
    finish(child, attempt->outcome == ENDED);
}

void steps_insns(struct attempt *attempt, const struct traced_code *code)
{
    trace(attempt, code, PTRACE_SINGLESTEP);
}

void steps_branches(struct attempt *attempt, const struct traced_code *code)
{
    trace(attempt, code, SINGLEBLOCK);
}
