/*
 * The first process of the small system in which ./test tries branch-trace
 * hardware; on this machine, the source of the expected trace.
 *
 * As "init" it runs the trial that the kernel's command line names in "try=..." (one of
 * Processor Trace as often as "times=..." says), prints lines that begin with a "@", and
 * ends by a reset.  As "steps PROGRAM" it prints where each single step of PROGRAM stops.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PTRACE_SINGLEBLOCK
#define PTRACE_SINGLEBLOCK 33
#endif

/* Runs PROGRAM in steps of a kind, and prints where each of them stops. */
static int step(const char *program, int request, const char *mark)
{
    struct user_regs_struct regs;
    int status;
    pid_t child = fork();

    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execl(program, program, (char *)NULL);
        _exit(126);
    }
    waitpid(child, &status, 0);
    if (!WIFSTOPPED(status)) {
        printf("%serror: cannot run %s\n", mark, program);
        return 1;
    }
    while (WIFSTOPPED(status)) {
        ptrace(PTRACE_GETREGS, child, 0, &regs);
        printf("%s%llx\n", mark, regs.rip);
        if (ptrace(request, child, 0, 0) < 0) {
            printf("%serror: ptrace: %s\n", mark, strerror(errno));
            kill(child, 9);
            return 1;
        }
        waitpid(child, &status, 0);
    }
    printf("%send %d\n", mark, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return 0;
}

/* Runs a command of perf, and prints what it says with a mark. */
static void perf(const char *command)
{
    char line[4096];
    FILE *out = popen(command, "r");

    while (out && fgets(line, sizeof(line), out)) {
        printf("@%s", line);
    }
    printf("@end %d\n", out ? pclose(out) : -1);
}

static void write_file(const char *path, const char *text)
{
    int file = open(path, O_WRONLY);

    if (file < 0 || write(file, text, strlen(text)) < 0) {
        printf("@error: cannot write %s\n", path);
    }
    close(file);
}

static void try(const char *what, int times)
{
    /* An emulated processor is slow: Linux would stop events that take long. */
    write_file("/proc/sys/kernel/perf_cpu_time_max_percent", "0");
    write_file("/proc/sys/kernel/perf_event_max_sample_rate", "1000000");
    if (!strcmp(what, "singlestep")) {
        step("/target", PTRACE_SINGLESTEP, "@");
    } else if (!strcmp(what, "singleblock")) {
        step("/target", PTRACE_SINGLEBLOCK, "@");
    } else if (!strcmp(what, "bts")) {
        perf("exec 2>&1; cd /tmp; perf record -q -o data --per-thread -e intel_bts//u -- /target &&"
             " perf script -i data -F ip,addr --itrace=b");
    } else if (!strcmp(what, "pt")) {
        while (times--) {
            perf("exec 2>&1; cd /tmp; perf record -q -o data -e intel_pt//u -- /target &&"
                 " perf script -i data -F ip,addr --itrace=b");
        }
    } else if (!strcmp(what, "lbr")) {
        perf("exec 2>&1; cd /tmp; perf record -q -o data -b -e branches:u -c 50"
             " -- /target && perf script -i data -F brstack");
    } else {
        printf("@error: nothing to do for %s\n", what);
    }
}

int main(int argc, char **argv)
{
    char line[4096] = "";
    char *what, *times;
    int file;

    if (argc == 3 && !strcmp(argv[1], "steps")) {
        return step(argv[2], PTRACE_SINGLESTEP, "");
    }
    mount("none", "/proc", "proc", 0, "");
    mount("none", "/sys", "sysfs", 0, "");
    mount("none", "/dev", "devtmpfs", 0, "");
    mount("none", "/tmp", "tmpfs", 0, "");
    setenv("PATH", "/bin", 1);
    setenv("HOME", "/tmp", 1);
    file = open("/proc/cmdline", O_RDONLY);
    if (read(file, line, sizeof(line) - 1) > 0 && (what = strstr(line, "try=")) &&
        (times = strstr(line, "times="))) {
        try(strtok(what + 4, " \n"), atoi(times + 6));
    }
    fflush(stdout);
    sync();
    sleep(1);
    reboot(RB_AUTOBOOT);
    return 0;
}
