/* msr_device.h */
#include "msr_device.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attempt.h"

static int device = -1;

bool msr_device_open(int processor, struct attempt *attempt)
{
    char path[32];

    snprintf(path, sizeof(path), "/dev/cpu/%d/msr", processor);
    device = open(path, O_RDWR | O_CLOEXEC);
    if (device >= 0 && flock(device, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (errno == EWOULDBLOCK)
        errno = MSR_DEVICE_TAKEN;
    attempt_refuse(attempt,
                   device < 0 ? "open of /dev/cpu/N/msr" : "lock of /dev/cpu/N/msr");
    return false;
}

void msr_device_close(void)
{
    close(device);
    device = -1;
}

bool msr_device_read(uint32_t msr, uint64_t *value)
{
    return pread(device, value, sizeof(*value), msr) == sizeof(*value);
}

bool msr_device_write(uint32_t msr, uint64_t value)
{
    return pwrite(device, &value, sizeof(value), msr) == sizeof(value);
}

/* A write does not move the position (Linux, arch/x86/kernel/msr.c). */
int msr_device_at(uint32_t msr)
{
    lseek(device, msr, SEEK_SET);
    return device;
}

static struct {
    struct {
        uint32_t msr;
        uint64_t value;
    } at[MSR_GUARDED_MAX];
    size_t count;
    pid_t process;
    int held; /* the end of a pipe that only this program and its children have */
} guard;

/* A value that is there already is not written: writing IA32_LBR_DEPTH clears records. */
static void write_back(void)
{
    uint64_t now;

    for (size_t i = 0; i < guard.count; i++)
        if (!msr_device_read(guard.at[i].msr, &now) || now != guard.at[i].value)
            msr_device_write(guard.at[i].msr, guard.at[i].value);
}

static void wait_and_write_back(int end)
{
    sigset_t all;
    char byte;

    setsid();
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    close(guard.held);
    while (read(end, &byte, 1) < 0 && errno == EINTR) {
    }
    write_back();
    _exit(0);
}

bool msr_guard_begin(const uint32_t *msrs, size_t count, struct attempt *attempt)
{
    int ends[2];

    for (guard.count = 0; guard.count < count; guard.count++) {
        guard.at[guard.count].msr = msrs[guard.count];
        if (!msr_device_read(msrs[guard.count], &guard.at[guard.count].value)) {
            attempt_refuse(attempt, "RDMSR");
            return false;
        }
    }
    if (pipe2(ends, O_CLOEXEC) != 0) {
        attempt_refuse(attempt, "pipe");
        return false;
    }
    guard.held = ends[1];
    guard.process = fork();
    if (guard.process == 0)
        wait_and_write_back(ends[0]);
    close(ends[0]);
    if (guard.process < 0) {
        attempt_refuse(attempt, "fork");
        close(guard.held);
    }
    return guard.process > 0;
}

uint64_t msr_guard_value(uint32_t msr)
{
    for (size_t i = 0; i < guard.count; i++)
        if (guard.at[i].msr == msr)
            return guard.at[i].value;
    return 0;
}

void msr_guard_end(void)
{
    close(guard.held);
    if (attempt_wait(guard.process) != 0)
        write_back();
}
