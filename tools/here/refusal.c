/*
 * Why Linux refuses to trace, and which setting permits it: perf_event_open(2), "ERRORS";
 * ptrace(2), "Ptrace access mode checking".
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "heap.h"
#include "linux_file.h"
#include "msr_device.h"
#include "tracer.h"

#define UNKNOWN (-100) /* no such file, or not to be read */

static bool has_text(const char *path, const char *wanted)
{
    const char *text = linux_file(path);

    return text && strstr(text, wanted);
}

static bool is_filtered(void)
{
    return has_text("/proc/self/status", "Seccomp:\t2");
}

static void say_denied_perf(const struct attempt *attempt, int paranoid, char *sentence)
{
    const int now = linux_number("/proc/sys/kernel/perf_event_paranoid", UNKNOWN);
    const char *other = is_filtered() ? "the seccomp filter of a container"
                                      : "something else, such as a security module";

    if (now == UNKNOWN)
        snprintf(sentence, EVIDENCE_SIZE,
                 "%s: %s: kernel.perf_event_paranoid cannot be read here; %d or less, or "
                 "CAP_PERFMON, may permit it",
                 attempt->refused, strerror(attempt->error), paranoid);
    else if (now > paranoid)
        snprintf(sentence, EVIDENCE_SIZE,
                 "%s: %s: kernel.perf_event_paranoid is %d; %d or less permits it, or "
                 "CAP_PERFMON",
                 attempt->refused, strerror(attempt->error), now, paranoid);
    else
        snprintf(sentence, EVIDENCE_SIZE,
                 "%s: %s, though kernel.perf_event_paranoid is %d: %s; CAP_PERFMON may "
                 "permit it",
                 attempt->refused, strerror(attempt->error), now, other);
}

static void say_denied_ptrace(const struct attempt *attempt, char *sentence)
{
    const int scope = linux_number("/proc/sys/kernel/yama/ptrace_scope", UNKNOWN);

    if (scope == 3)
        snprintf(sentence, EVIDENCE_SIZE,
                 "%s: %s: kernel.yama.ptrace_scope is 3; 2 or less permits it",
                 attempt->refused, strerror(attempt->error));
    else
        snprintf(sentence, EVIDENCE_SIZE, "%s: %s: %s; CAP_SYS_PTRACE may permit it",
                 attempt->refused, strerror(attempt->error),
                 is_filtered() ? "the seccomp filter of a container" : "a security module");
}

/*
 * Linux, arch/x86/kernel/msr.c: to open the device takes CAP_SYS_RAWIO; a write is refused
 * if Linux is locked down, or by a parameter of the module.
 */
static void say_denied_msr(const struct attempt *attempt, const struct own_machine *own,
                           char *sentence)
{
    const char *lockdown = linux_file("/sys/kernel/security/lockdown");
    const char *what = "CAP_SYS_RAWIO, which root has, permits it, unless Linux is locked "
                       "down";

    if (attempt->error == MSR_DEVICE_TAKEN)
        what = scratch_text("another everybranch has the MSRs of processor %d",
                            own->processor);
    else if (attempt->error == EBUSY)
        what = "recording is on already: perf or another program uses it";
    else if (lockdown && !strstr(lockdown, "[none]"))
        what = "Linux is locked down, as it is with Secure Boot";
    else if (has_text("/sys/module/msr/parameters/allow_writes", "off"))
        what = "allow_writes of the module msr is off; on permits it";
    snprintf(sentence, EVIDENCE_SIZE, "%s: %s: %s", attempt->refused,
             strerror(attempt->error), what);
}

static void say_absent_msr(const struct attempt *attempt, const struct own_machine *own,
                           char *sentence)
{
    if (attempt->error == ENOENT)
        snprintf(sentence, EVIDENCE_SIZE,
                 "%s: Linux has no such device: `modprobe msr` brings it, where there is "
                 "that module",
                 attempt->refused);
    else
        snprintf(sentence, EVIDENCE_SIZE, "%s: %s: the %s does not have it",
                 attempt->refused, strerror(attempt->error),
                 own->id.has_hypervisor ? "hypervisor" : "processor");
}

/*
 * True if the error can mean that the hardware or its driver is missing: perf_event_open(2)
 * and ptrace(2), "ERRORS".  Any other says that Linux has too little of something, or that
 * somebody else has it.
 */
static bool is_of_hardware(int error)
{
    return error == ENOENT || error == ENODEV || error == ENXIO || error == EOPNOTSUPP ||
           error == EINVAL || error == EIO || error == ENOSYS;
}

static const char *why_no_bts(void)
{
    return has_text("/sys/devices/system/cpu/vulnerabilities/meltdown", "PTI")
               ? "Linux has no PMU intel_bts: page-table isolation hides it "
                 "(nopti permits it)"
               : "Linux has no PMU intel_bts: no BTS, or a hypervisor hides it";
}

static const char *why_absent(const struct attempt *attempt, enum facility facility)
{
    if (facility == FACILITY_BTS && attempt->error == ENOENT)
        return why_no_bts();
    switch (attempt->error) {
    case EOPNOTSUPP:
        return "Linux has no branch stack here: no driver for it, or a hypervisor hides it";
    case ENOENT:
        return "Linux counts no instructions here: no driver for the PMU, or a hypervisor "
               "hides it";
    case EIO:
        return "Linux does not step from branch to branch here";
    default:
        return NULL;
    }
}

void tracer_refused(const struct tracer *tracer, const struct attempt *attempt,
                    const struct own_machine *own, struct tried *tried)
{
    const bool by_ptrace =
        tracer->facility == FACILITY_STEP || tracer->facility == FACILITY_BTF;
    const char *absent = why_absent(attempt, tracer->facility);
    const int error = attempt->error;

    tried->result = ABSENT;
    tried->deviations = 0;
    if (tracer->by_msr) {
        tried->result = error == EIO            ? FAULTS /* #GP */
                        : is_of_hardware(error) ? ABSENT
                                                : DENIED;
        if (tried->result == DENIED)
            say_denied_msr(attempt, own, tried->evidence);
        else
            say_absent_msr(attempt, own, tried->evidence);
    } else if (error == EPERM || error == EACCES || (error == ENOSYS && is_filtered())) {
        tried->result = DENIED;
        if (by_ptrace)
            say_denied_ptrace(attempt, tried->evidence);
        else
            say_denied_perf(attempt, tracer->paranoid, tried->evidence);
    } else if (absent) {
        snprintf(tried->evidence, EVIDENCE_SIZE, "%s", absent);
    } else {
        tried->result = is_of_hardware(error) ? ABSENT : DENIED;
        snprintf(tried->evidence, EVIDENCE_SIZE, "%s: %s", attempt->refused,
                 strerror(error));
    }
}
