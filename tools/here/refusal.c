/* refusal.h.  perf_event_open(2), "ERRORS"; ptrace(2), "Ptrace access mode checking". */
#include "refusal.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define UNKNOWN (-100) /* no such file, or not to be read */

static int number_in(const char *file)
{
    FILE *from = fopen(file, "r");
    int number = UNKNOWN;

    if (!from)
        return UNKNOWN;
    if (fscanf(from, "%d", &number) != 1)
        number = UNKNOWN;
    fclose(from);
    return number;
}

/* True if a line of the file has this text. */
static bool has_line(const char *file, const char *text)
{
    FILE *from = fopen(file, "r");
    char line[512];
    bool found = false;

    while (from && !found && fgets(line, sizeof(line), from))
        found = strstr(line, text);
    if (from)
        fclose(from);
    return found;
}

static bool is_filtered(void)
{
    return has_line("/proc/self/status", "Seccomp:\t2");
}

static void say_denied_perf(const struct attempt *attempt, int paranoid, char *sentence)
{
    const int now = number_in("/proc/sys/kernel/perf_event_paranoid");

    const char *other = is_filtered() ? "the seccomp filter of a container"
                                      : "something else, such as a security module";

    if (now == UNKNOWN)
        snprintf(sentence, REFUSAL_SIZE,
                 "%s: %s: kernel.perf_event_paranoid cannot be read here; %d or less, or "
                 "CAP_PERFMON, may permit it",
                 attempt->refused, strerror(attempt->error), paranoid);
    else if (now > paranoid)
        snprintf(sentence, REFUSAL_SIZE,
                 "%s: %s: kernel.perf_event_paranoid is %d; %d or less permits it, or "
                 "CAP_PERFMON",
                 attempt->refused, strerror(attempt->error), now, paranoid);
    else
        snprintf(sentence, REFUSAL_SIZE,
                 "%s: %s, though kernel.perf_event_paranoid is %d: %s; CAP_PERFMON may "
                 "permit it",
                 attempt->refused, strerror(attempt->error), now, other);
}

static void say_denied_ptrace(const struct attempt *attempt, char *sentence)
{
    const int scope = number_in("/proc/sys/kernel/yama/ptrace_scope");

    if (scope == 3)
        snprintf(sentence, REFUSAL_SIZE,
                 "%s: %s: kernel.yama.ptrace_scope is 3; 2 or less permits it",
                 attempt->refused, strerror(attempt->error));
    else
        snprintf(sentence, REFUSAL_SIZE, "%s: %s: %s; CAP_SYS_PTRACE may permit it",
                 attempt->refused, strerror(attempt->error),
                 is_filtered() ? "the seccomp filter of a container" : "a security module");
}

static const char *why_no_bts(void)
{
    return has_line("/sys/devices/system/cpu/vulnerabilities/meltdown", "PTI")
               ? "Linux has no PMU intel_bts: it has none with page-table isolation "
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

enum probe_result refusal_of(const struct attempt *attempt, enum facility facility,
                             int paranoid, char sentence[REFUSAL_SIZE])
{
    const bool by_ptrace = facility == FACILITY_STEP || facility == FACILITY_BTF;
    const char *absent = why_absent(attempt, facility);

    if (attempt->error == EPERM || attempt->error == EACCES ||
        (attempt->error == ENOSYS && is_filtered())) {
        if (by_ptrace)
            say_denied_ptrace(attempt, sentence);
        else
            say_denied_perf(attempt, paranoid, sentence);
        return DENIED;
    }
    if (absent)
        snprintf(sentence, REFUSAL_SIZE, "%s", absent);
    else
        snprintf(sentence, REFUSAL_SIZE, "%s: %s", attempt->refused,
                 strerror(attempt->error));
    return ABSENT;
}
