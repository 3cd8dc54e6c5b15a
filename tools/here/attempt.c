/* attempt.h */
#include "attempt.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "call.h"
#include "heap.h"

#define PATIENCE 60 /* seconds until a workload is taken for endless */

static void *memory(size_t size, int flags)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

    if (at == MAP_FAILED)
        out_of_memory();
    return at;
}

struct attempt *attempt_memory(void)
{
    return memory(sizeof(struct attempt), MAP_SHARED);
}

const struct workload_env *attempt_env(void)
{
    static struct workload_env env;

    if (!env.memory) {
        env.memory = (uintptr_t)memory(ENV_MEMORY_SIZE, MAP_PRIVATE);
        env.user_stack = (uintptr_t)memory(ENV_STACK_SIZE, MAP_PRIVATE) + ENV_STACK_SIZE;
    }
    return &env;
}

void attempt_refuse(struct attempt *attempt, const char *call)
{
    attempt->error = errno;
    attempt->refused = call;
}

/* SDM vol. 3A, "Exception and Interrupt Reference", and signal(7). */
void attempt_crash(struct attempt *attempt, int signal, uint64_t at)
{
    attempt->outcome = CRASHED;
    attempt->at = at;
    attempt->vector = signal == SIGFPE    ? 0
                      : signal == SIGTRAP ? 3
                      : signal == SIGILL  ? 6
                      : signal == SIGBUS  ? 17
                                          : 13; /* SIGSEGV is #GP or #PF */
}

static struct attempt *own;

/* True if the gate asked for this exception; then what follows the window goes on. */
static bool is_of_gate(int signal, greg_t *registers)
{
    const uint8_t *at = (const uint8_t *)(uintptr_t)registers[REG_RIP];

    if (signal == SIGTRAP && at == call_end)
        registers[REG_EFL] &= ~(greg_t)CALL_TF;
    else if (signal == SIGSEGV && at == call_touch)
        registers[REG_RIP] = (greg_t)(uintptr_t)call_touched;
    else
        return false;
    return true;
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
    ucontext_t *at = context;

    (void)info;
    if (is_of_gate(signal, at->uc_mcontext.gregs))
        return;
    attempt_crash(own, signal, (uint64_t)at->uc_mcontext.gregs[REG_RIP]);
    _exit(0);
}

static void catch_crashes(void)
{
    static const int signals[] = { SIGFPE, SIGTRAP, SIGILL, SIGBUS, SIGSEGV };
    struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };

    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
}

/*
 * The child is to end when its parent does.  A child that stopped itself would stay for
 * ever, and its parent may be gone before prctl() is called.
 */
static void end_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
}

pid_t attempt_fork(struct attempt *attempt)
{
    const pid_t parent = getpid();
    pid_t child;

    attempt_env();              /* parent and child have it at one address */
    attempt->outcome = TIMEOUT; /* of a child that is killed */
    attempt->error = 0;
    attempt->count = 0;
    attempt->ran = (struct ran_line){ 0 };
    attempt->interrupted = false;
    attempt->left_on = false;
    attempt->info_words = 0;
    child = fork();
    if (child < 0)
        attempt_refuse(attempt, "fork");
    if (child == 0) {
        end_with(parent);
        alarm(PATIENCE);
    }
    return child;
}

void attempt_in_child(struct attempt *attempt, const struct traced_code *code,
                      void (*record)(struct attempt *, const struct traced_code *))
{
    const pid_t child = attempt_fork(attempt);

    if (child < 0)
        return;
    if (child == 0) {
        own = attempt;
        catch_crashes();
        record(attempt, code);
        _exit(0);
    }
    attempt_wait(child);
}

int attempt_wait(pid_t child)
{
    int status = 0;

    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/* Addresses with the highest bit set are Linux's. */
static bool is_of_linux(uint64_t address)
{
    return address >> 63;
}

/*
 * The window begins with its CALL, or where that has no record or a wrong one, after the
 * return of the system call before it.
 */
static size_t window_of(const struct branch *records, size_t count)
{
    for (size_t i = count; i-- > 0;)
        if (records[i].from == (uintptr_t)call_call)
            return i;
    for (size_t i = count; i-- > 0;)
        if (records[i].to == (uintptr_t)call_open)
            return i + 1;
    return 0;
}

void attempt_cut(struct attempt *attempt)
{
    struct branch *records = attempt->records;
    const size_t first = window_of(records, attempt->count);

    attempt->count -= first;
    for (size_t i = 0; i < attempt->count; i++) {
        records[i] = records[i + first];
        if (attempt->info_words)
            attempt->infos[i] = attempt->infos[i + first];
        attempt->interrupted |= is_of_linux(records[i].from) || is_of_linux(records[i].to);
    }
}
