/*
 * cut N PROGRAM [WORD...]: runs the program and kills it before the N-th system call that
 * changes a file, from 1, as a power cut would.  Exits with 3 then; else with the program's
 * own status.  If N is 0, it prints a line before each of these calls, and waits for one.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLED = 3, TROUBLE = 4 };

static bool changes(const struct user_regs_struct *regs)
{
    const unsigned long long call = regs->orig_rax;

    if (call == SYS_openat)
        return regs->rdx & (O_CREAT | O_TRUNC);
    if (call == SYS_write)
        return regs->rdi > STDERR_FILENO;
    return call == SYS_mkdirat || call == SYS_unlink || call == SYS_unlinkat ||
           call == SYS_syncfs || call == SYS_sync;
}

int main(int argc, char **argv)
{
    int left = argc > 2 ? atoi(argv[1]) : 0, status;
    pid_t child = fork();

    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execv(argv[2], argv + 2);
        _exit(TROUBLE);
    }
    waitpid(child, &status, 0);
    ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    for (bool enters = true;; enters = !enters) {
        struct user_regs_struct regs;

        if (ptrace(PTRACE_SYSCALL, child, 0, 0) != 0 || waitpid(child, &status, 0) != child)
            return TROUBLE;
        if (!WIFSTOPPED(status))
            return WIFEXITED(status) ? WEXITSTATUS(status) : TROUBLE;
        if (WSTOPSIG(status) != (SIGTRAP | 0x80))
            return TROUBLE;
        if (!enters || ptrace(PTRACE_GETREGS, child, 0, &regs) != 0 || !changes(&regs))
            continue;
        if (left == 0) {
            puts("step==");
            fflush(stdout);
            getchar();
        } else if (--left == 0) {
            return KILLED; /* PTRACE_O_EXITKILL */
        }
    }
}
