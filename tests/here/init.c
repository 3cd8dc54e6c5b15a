/*
 * The first process of the small system in which ./test runs `everybranch here`.
 *
 * Words of the command line, which Linux does not know, are in the environment: paranoid=N
 * and user=N are the value of kernel.perf_event_paranoid and the user to be; scenes=A,B
 * names what to do, in the rows below.  A scene prints its log with "@SCENE " before each
 * line, and whether it left an MSR changed; the last one is followed by a reset.  The log
 * goes through the kernel's messages, which wait for no interrupt: under KVM in an emulated
 * processor one of the serial port's does not always come.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/capability.h>
#include <time.h>
#include <unistd.h>

#define LOG "/tmp/here.log"

static const char *scene, *log_path = LOG;

static void write_file(const char *path, const char *text)
{
    int file = open(path, O_WRONLY);

    if (file < 0 || write(file, text, strlen(text)) < 0)
        printf("cannot write %s\n", path);
    close(file);
}

/* Each write is a message; <3> is a level that the console shows. */
static void say(const char *mark, const char *text)
{
    char message[600];
    static int messages;
    int length = snprintf(message, sizeof(message), "<3>%s%s %s", mark, scene, text);

    if (!messages)
        messages = open("/dev/kmsg", O_WRONLY);
    if (write(messages, message, (size_t)length) != length)
        printf("a line is lost\n");
}

static void print_log(void)
{
    char line[512];
    FILE *log = fopen(log_path, "r");

    while (log && fgets(line, sizeof(line), log))
        say("@", line);
    if (log)
        fclose(log);
    unlink(log_path);
}

/* ---- the MSRs that recording changes ---------------------------------------------- */

static const uint32_t msrs[] = { 0x1d9, 0x1c8, 0x14ce, 0x14cf, 0xc000010e, 0xc000010f };
#define MSRS     (sizeof msrs / sizeof msrs[0])
#define DEBUGCTL 0x1d9
#define LBR      1

static int device(void)
{
    static int open_one = -1;

    if (open_one < 0)
        open_one = open("/dev/cpu/0/msr", O_RDWR | O_CLOEXEC);
    return open_one;
}

static void read_msrs(uint64_t out[MSRS])
{
    for (size_t i = 0; i < MSRS; i++)
        if (pread(device(), &out[i], sizeof(*out), msrs[i]) != sizeof(*out))
            out[i] = 0;
}

/* How many differ; `told`: says which. */
static unsigned changed(const uint64_t before[MSRS], int told)
{
    uint64_t now[MSRS];
    unsigned count = 0;
    char text[100];

    read_msrs(now);
    for (size_t i = 0; i < MSRS; i++) {
        if (now[i] == before[i])
            continue;
        count++;
        snprintf(text, sizeof(text), "MSR %x was %llx and is %llx\n", msrs[i],
                 (unsigned long long)before[i], (unsigned long long)now[i]);
        if (told)
            say("!", text);
    }
    return count;
}

/* ---- what a scene does ------------------------------------------------------------- */

static void here(const char *processor, const char *method, const char *user)
{
    if (setuid((uid_t)atoi(user)) == 0 && freopen("/dev/null", "w", stdout))
        execl("/bin/everybranch", "everybranch", "here", processor, "-o", log_path, method,
              (char *)NULL);
    _exit(1);
}

static void perf(void)
{
    here("--cpu=0", NULL, getenv("user"));
}

static void msr(void)
{
    here("--cpu=0", "--msr", "0");
}

static void all(void)
{
    here("--cpu=all", "--msr", "0");
}

static void nobody(void)
{
    here("--cpu=0", "--msr", "65534");
}

static void bounded(void)
{
    prctl(PR_CAPBSET_DROP, CAP_SYS_RAWIO, 0, 0, 0);
    msr();
}

static void busy(void)
{
    const uint64_t on = LBR;

    if (pwrite(device(), &on, sizeof(on), DEBUGCTL) != sizeof(on))
        printf("DEBUGCTL cannot be written\n");
    msr();
}

static void readonly(void)
{
    write_file("/sys/module/msr/parameters/allow_writes", "off");
    msr();
}

static void locked(void)
{
    write_file("/sys/module/msr/parameters/allow_writes", "on");
    write_file("/sys/kernel/security/lockdown", "integrity");
    msr();
}

/* ---- kills ------------------------------------------------------------------------- */

static uint64_t unused[MSRS]; /* the values before any recording */

/* Adopts what is left behind, and waits until all of it has ended. */
static void wait_for_all(void)
{
    while (wait(NULL) > 0 || errno == EINTR) {
    }
}

static void wait_us(long us)
{
    nanosleep(&(struct timespec){ us / 1000000, us % 1000000 * 1000 }, NULL);
}

/* Starts a program, and returns once it has changed an MSR. */
static pid_t begun(void)
{
    const pid_t child = fork();

    if (child == 0)
        msr();
    for (int i = 0; i < 20000 && !changed(unused, 0); i++)
        wait_us(500);
    return child;
}

static int is_recording(void)
{
    uint64_t debugctl = 0;

    return pread(device(), &debugctl, sizeof(debugctl), DEBUGCTL) == sizeof(debugctl) &&
           debugctl & LBR;
}

/* Half of the kills hit a recording process; each is at another time. */
static void kills(void)
{
    const long wanted = atoi(getenv("kills"));
    unsigned dirty = 0, recording = 0, left = 0;
    char text[100];

    for (long i = 0; i < wanted; i++) {
        const pid_t child = begun();

        wait_us(i * 7919 % 60000);
        for (int k = 0; i % 2 && k < 5000 && !is_recording(); k++)
            wait_us(100);
        dirty += changed(unused, 0) != 0;
        recording += is_recording();
        kill(child, SIGKILL);
        wait_for_all();
        left += changed(unused, 1) != 0;
        unlink(LOG);
    }
    snprintf(text, sizeof(text), "%ld kills, %u dirty, %u recording, %u left so\n", wanted,
             dirty, recording, left);
    say("!", text);
}

/* The process that puts the values back leads a session.  0: there is none. */
static pid_t find_guard(void)
{
    pid_t guard = 32767;

    while (guard > 1 && getsid(guard) != guard)
        guard--;
    return guard > 1 ? guard : 0;
}

/* Without it the program puts them back itself. */
static void unguarded(void)
{
    pid_t guard;

    begun();
    guard = find_guard();
    say("!", guard && kill(guard, SIGKILL) == 0 ? "the guard is killed\n"
                                                : "there is no guard\n");
}

/* Runs a second program to its end, and prints its log as that of another scene. */
static void second(const char *name)
{
    const char *first = scene;
    const pid_t child = fork();

    log_path = "/tmp/second.log";
    if (child == 0)
        msr();
    waitpid(child, NULL, 0);
    scene = name;
    print_log();
    scene = first;
    log_path = LOG;
}

/* The second one begins while the first records, and ends before it. */
static void two(void)
{
    begun();
    second("second");
}

/* As before, but of the first one only its guard is there, which has not acted yet. */
static void orphaned(void)
{
    const pid_t child = begun(), guard = find_guard();

    kill(guard, SIGSTOP);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    unlink(LOG);
    second("after");
    kill(guard, SIGCONT);
}

static const struct scene {
    const char *name;
    void (*act)(void);
    int same_process;
} scenes[] = {
    { "perf", perf, 0 },           { "msr", msr, 0 },         { "all", all, 0 },
    { "nobody", nobody, 0 },       { "bounded", bounded, 0 }, { "busy", busy, 0 },
    { "readonly", readonly, 0 },   { "locked", locked, 0 },   { "kills", kills, 1 },
    { "unguarded", unguarded, 1 }, { "two", two, 1 },         { "orphaned", orphaned, 1 },
};

/* perf leaves its filter, and the other program of `busy` is stopped by a #DB. */
static void play(const struct scene *one)
{
    scene = one->name;
    read_msrs(unused);
    if (one->same_process)
        one->act();
    else if (fork() == 0)
        one->act();
    wait_for_all();
    print_log();
    if (one->act != perf && one->act != busy)
        changed(unused, 1);
}

static void insert(const char *module)
{
    int file = open(module, O_RDONLY | O_CLOEXEC);

    if (syscall(SYS_finit_module, file, "", 0) != 0)
        printf("%s is not inserted: %s\n", module, strerror(errno));
    close(file);
}

int main(void)
{
    const char *paranoid = getenv("paranoid");
    char *names = getenv("scenes");

    mount("none", "/proc", "proc", 0, "");
    mount("none", "/sys", "sysfs", 0, "");
    mount("none", "/sys/kernel/security", "securityfs", 0, "");
    mount("none", "/tmp", "tmpfs", 0, "");
    mount("none", "/dev", "devtmpfs", 0, "");
    insert("/msr.ko");
    chmod("/tmp", 01777);
    /* An emulated processor is slow: Linux would stop events that take long. */
    write_file("/proc/sys/kernel/perf_cpu_time_max_percent", "0");
    write_file("/proc/sys/kernel/perf_event_paranoid", paranoid ? paranoid : "2");
    for (char *name = strtok(names, ","); name; name = strtok(NULL, ","))
        for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
            if (strcmp(scenes[i].name, name) == 0)
                play(&scenes[i]);
    fflush(stdout);
    sleep(1);
    reboot(RB_AUTOBOOT);
    return 0;
}
