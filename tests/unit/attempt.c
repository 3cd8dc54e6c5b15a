// LINK: tools/base/heap.c tools/here/call.asm
/* attempt_cut() keeps the records of the traced call; a child ends with its parent. */
#include "tools/here/attempt.c"

#include <poll.h>

#include "test.h"

#define CALL ((uintptr_t)call_call)
#define BACK ((uintptr_t)call_back)

static struct attempt *with(const struct branch *records, size_t count)
{
    static struct attempt attempt;

    attempt.interrupted = false;
    attempt.count = count;
    for (size_t i = 0; i < count; i++)
        attempt.records[i] = records[i];
    attempt_cut(&attempt);
    return &attempt;
}

TEST(what_comes_before_the_newest_call_is_cut)
{
    const struct branch records[] = {
        { .from = CALL, .to = 0x10 },         { .from = 0x14, .to = BACK },
        { .from = UINT64_MAX, .to = 0x5000 }, { .from = CALL, .to = 0x20 },
        { .from = 0x24, .to = BACK },
    };
    const struct attempt *attempt = with(records, 5);

    CHECK(attempt->count == 2);
    CHECK(attempt->records[0].from == CALL && attempt->records[0].to == 0x20);
    CHECK(attempt->records[1].to == BACK);
    CHECK(!attempt->interrupted);
}

TEST(records_that_begin_with_the_call_are_all_kept)
{
    const struct branch records[] = { { .from = CALL, .to = 0x10 },
                                      { .from = 0x14, .to = BACK } };

    CHECK(with(records, 2)->count == 2);
}

/* The call has given way to newer records. */
TEST(without_a_call_all_are_kept)
{
    const struct branch records[] = { { .from = 0x12, .to = 0x10 },
                                      { .from = 0x14, .to = BACK } };

    CHECK(with(records, 2)->count == 2);
    CHECK(with(records, 0)->count == 0);
}

/* The record of the call is missing or wrong. */
TEST(without_a_call_what_follows_the_system_call_is_kept)
{
    const struct branch records[] = { { .from = 0xffffffff81000000,
                                        .to = (uintptr_t)call_open },
                                      { .from = CALL + 1, .to = 0x10 },
                                      { .from = 0x14, .to = BACK } };
    const struct attempt *attempt = with(records, 3);

    CHECK(attempt->count == 2 && attempt->records[0].to == 0x10);
    CHECK(!attempt->interrupted);
}

TEST(a_record_into_linux_or_out_of_it_means_an_interruption)
{
    const struct branch out[] = { { .from = CALL, .to = 0x10 },
                                  { .from = 0xffffffff81000000, .to = 0x12 },
                                  { .from = 0x14, .to = BACK } };
    const struct branch into[] = { { .from = CALL, .to = 0x10 },
                                   { .from = 0x12, .to = 0xffffffff81000000 } };

    CHECK(with(out, 3)->interrupted);
    CHECK(with(into, 2)->interrupted);
}

#define PATIENCE_MS 10000

/* A parent that is killed while its child is stopped, as be_traced() stops it. */
static void be_killed(int alive)
{
    static struct attempt attempt;

    if (attempt_fork(&attempt) == 0) {
        (void)!write(alive, "", 1);
        raise(SIGSTOP);
        _exit(0);
    }
    pause();
}

/* The end of the pipe comes when nobody is left who could write to it. */
TEST(a_stopped_child_ends_with_its_parent)
{
    struct pollfd ends = { .events = POLLIN };
    int alive[2];
    pid_t parent;
    char byte;

    CHECK(pipe(alive) == 0);
    parent = fork();
    if (parent == 0)
        be_killed(alive[1]);
    close(alive[1]);
    CHECK(read(alive[0], &byte, 1) == 1);
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    ends.fd = alive[0];
    CHECK(poll(&ends, 1, PATIENCE_MS) == 1);
    close(alive[0]);
}

TEST(a_child_whose_parent_is_gone_already_ends)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        end_with(getpid()); /* which is not its parent */
        _exit(7);
    }
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
