/* The clock and the terminal are the test's. */
#include <stdint.h>
#include <time.h>

static int64_t test_time; /* milliseconds */
static int test_terminal, test_looks;

static int test_clock(clockid_t id, struct timespec *out)
{
    (void)id;
    test_looks++;
    out->tv_sec = test_time / 1000;
    out->tv_nsec = test_time % 1000 * 1000000;
    return 0;
}

static int test_isatty(int file)
{
    (void)file;
    return test_terminal;
}

#include <stdio.h>
#include <unistd.h>
#define clock_gettime test_clock
#define isatty        test_isatty
#include "tools/base/progress.c"

#include "test.h"

static struct progress progress;
static FILE *heard; /* what goes to standard error meanwhile */
static int kept;

static void begin(int terminal, uint64_t total)
{
    heard = tmpfile();
    kept = dup(STDERR_FILENO);
    dup2(fileno(heard), STDERR_FILENO);
    test_terminal = terminal;
    test_time = test_looks = 0;
    setenv("TERM", "xterm", 1);
    progress_begin(&progress, "reading x.log", total);
}

static const char *end(void)
{
    static char shown[4096];
    size_t length;

    progress_end(&progress);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(heard);
    length = fread(shown, 1, sizeof(shown) - 1, heard);
    shown[length] = '\0';
    fclose(heard);
    return shown;
}

TEST(what_takes_less_than_a_second_shows_nothing)
{
    begin(1, 100);
    for (test_time = 0; test_time < 999; test_time += 9)
        progress_at(&progress, (uint64_t)test_time / 10);
    CHECK_TEXT(end(), "");
}

TEST(half_is_half_a_bar_and_the_line_is_left_empty)
{
    begin(1, 1000);
    test_time = 1500;
    progress_at(&progress, 500);
    CHECK_TEXT(end(), "\r\033[Kreading x.log [############            ]  50 %\r\033[K");
}

TEST(a_pipe_gets_nothing)
{
    begin(0, 1000);
    test_time = 5000;
    progress_at(&progress, 500);
    CHECK(test_looks == 0);
    CHECK_TEXT(end(), "");
}

TEST(a_dumb_terminal_gets_nothing)
{
    begin(1, 1000);
    setenv("TERM", "dumb", 1);
    progress_begin(&progress, "x", 1000);
    test_time = 5000;
    progress_at(&progress, 500);
    CHECK_TEXT(end(), "");
}

TEST(it_is_drawn_at_most_ten_times_a_second)
{
    size_t lines = 0;

    begin(1, 1000000);
    for (uint64_t i = 0; i < 1000000; i++) {
        test_time = 1000 + (int64_t)i / 1000; /* from 1.000 s to 2.000 s */
        progress_at(&progress, i);
    }
    for (const char *at = end(); (at = strstr(at, " %")); at++)
        lines++;
    CHECK(lines > 5 && lines <= 12);
    CHECK(test_looks > 100 && test_looks < 500);
}

TEST(more_than_all_is_all)
{
    begin(1, 10);
    test_time = 2000;
    progress_at(&progress, 99);
    CHECK_TEXT(end(), "\r\033[Kreading x.log [########################] 100 %\r\033[K");
}
