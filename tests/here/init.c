/*
 * The first process of the small system in which ./test runs `everybranch here`.
 *
 * paranoid=N and user=N of the command line are the value of kernel.perf_event_paranoid and
 * the user to be; Linux, which knows neither word, puts them into the environment.  It
 * prints the log with a "@" before each line, and ends by a reset.  The log goes through
 * the kernel's messages, which wait for no interrupt: under KVM in an emulated processor
 * one of the serial port's does not always come.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOG "/tmp/here.log"

static void write_file(const char *path, const char *text)
{
    int file = open(path, O_WRONLY);

    if (file < 0 || write(file, text, strlen(text)) < 0)
        printf("cannot write %s\n", path);
    close(file);
}

/* Each write is a message; <3> is a level that the console shows. */
static void print_log(void)
{
    char line[512], message[520];
    FILE *log = fopen(LOG, "r");
    int messages = open("/dev/kmsg", O_WRONLY);

    while (log && fgets(line, sizeof(line), log)) {
        int length = snprintf(message, sizeof(message), "<3>@%s", line);

        if (write(messages, message, (size_t)length) != length)
            printf("a line is lost\n");
    }
}

int main(void)
{
    const char *paranoid = getenv("paranoid"), *user = getenv("user");
    int status;

    mount("none", "/proc", "proc", 0, "");
    mount("none", "/sys", "sysfs", 0, "");
    mount("none", "/tmp", "tmpfs", 0, "");
    mount("none", "/dev", "devtmpfs", 0, "");
    /* An emulated processor is slow: Linux would stop events that take long. */
    write_file("/proc/sys/kernel/perf_cpu_time_max_percent", "0");
    write_file("/proc/sys/kernel/perf_event_paranoid", paranoid ? paranoid : "2");
    if (fork() == 0) {
        if (user && setuid((uid_t)atoi(user)) != 0)
            _exit(1);
        if (!freopen("/dev/null", "w", stdout))
            _exit(1);
        execl("/bin/everybranch", "everybranch", "here", "-o", LOG, (char *)NULL);
        _exit(1);
    }
    wait(&status);
    print_log();
    fflush(stdout);
    sleep(1);
    reboot(RB_AUTOBOOT);
    return 0;
}
