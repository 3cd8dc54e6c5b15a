// LINK: tools/base/heap.c
/* A child process writes the file and gets the signal, or has no space. */
#include <sys/resource.h>
#include <sys/wait.h>

#include "tools/base/output.c"

#include "test.h"

static char path[] = "/tmp/everybranch-output-XXXXXX";

/* A name that nobody has. */
void test_setup(void)
{
    close(mkstemp(path));
    remove(path);
}

/* Returns the wait status of a child that got this signal while it wrote a new file. */
static int interrupted(int number, void (*disposition)(int))
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        signal(number, disposition);
        FILE *file = output_begin(path);
        fputs("a part", file);
        fflush(file);
        raise(number);
        _exit(output_end(file, path, true) ? 0 : 1);
    }
    waitpid(child, &status, 0);
    return status;
}

static bool exists(void)
{
    return access(path, F_OK) == 0;
}

TEST(a_signal_that_ends_the_program_leaves_no_part_of_a_file)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };

    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        int status = interrupted(numbers[i], SIG_DFL);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i]);
        CHECK(!exists());
    }
}

TEST(a_signal_that_is_ignored_as_by_nohup_ends_nothing)
{
    int status = interrupted(SIGHUP, SIG_IGN);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(exists());
    remove(path);
}

#define SPACE 4096 /* bytes that a file can have, as on a disk that becomes full */

/* Returns what a child whose files cannot grow beyond SPACE does: its exit code. */
static int without_space(int (*write)(void))
{
    const struct rlimit limit = { SPACE, SPACE };
    int status;
    pid_t child = fork();

    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        _exit(write());
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char much[16 * SPACE];

static int write_new(void)
{
    return output_new(path, much, sizeof(much)) ? 0 : 2;
}

static int write_pieces(void)
{
    FILE *file = output_begin(path);

    fwrite(much, 1, sizeof(much), file);
    return output_end(file, path, true) ? 0 : 2;
}

static int write_xml(void)
{
    FILE *file = output_xml(path);

    fwrite(much, 1, sizeof(much), file);
    return output_end(file, path, true) ? 0 : 2;
}

TEST(a_full_disk_leaves_no_part_of_a_file)
{
    static int (*const writes[])(void) = { write_new, write_pieces, write_xml };

    for (size_t i = 0; i < sizeof(writes) / sizeof(*writes); i++) {
        CHECK(without_space(writes[i]) == 2);
        CHECK(!exists());
        remove(path);
    }
}
