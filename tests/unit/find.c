// LINK: workloads everybranch
#include "tools/log/find_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "progress.h"
#include "test.h"
#include "tools/log/views.h"

/* A log of so many lines, each as the kernel writes it. */
#define LINES 6
static char lines[LINES][LOG_LINE_MAX + 1];
static const char *const bodies[LINES] = { "everybranch log=2 build=x",
                                           "model name=core2",
                                           "branch .back .top x3",
                                           "stop .top taken",
                                           "note text=\"run and stop and data \"",
                                           "end runs=0 ran=0 skipped=0 records=0" };

static struct finder *finder;

void test_setup(void)
{
    struct log_chain chain = { 0, 0 };

    for (size_t i = 0; i < LINES; i++) {
        struct text text = text_into(lines[i], sizeof(lines[i]));

        text_string(&text, bodies[i]);
        log_seal(&chain, &text);
    }
}

static void begin(void)
{
    if (finder)
        finder_free(finder);
    finder = finder_new();
}

static void take(const char *text, size_t line)
{
    finder_take(finder, text, strlen(text), line);
}

static const struct stretch *stretch(size_t i)
{
    const struct found *found = finder_found(finder);

    return i < found->count ? &found->stretches[i] : NULL;
}

static size_t proved(size_t i)
{
    return stretch(i) ? stretch(i)->lines : 0;
}

TEST(a_line_is_proved_wherever_it_begins_and_ends)
{
    static const char *const around[][2] = {
        { "", "\n" },
        { "12:00 ", " |\r\n" },
        { "run stop ", "\r\r\n" },
        { "", "" },
        { "\033[1m", "\n\n" },
        { "everybranch log=3 ", "~1 \n" },
        { "a ~1 00000000 ", "\n" },
    };

    for (size_t k = 0; k < sizeof(around) / sizeof(around[0]); k++) {
        begin();
        for (size_t i = 0; i < LINES; i++) {
            take(around[k][0], i + 1);
            take(lines[i], i + 1);
            take(around[k][1], i + 1);
        }
        finder_end_piece(finder);
        CHECK(proved(0) == LINES && stretch(0)->ended && !stretch(1));
    }
}

TEST(each_line_has_its_place_in_the_input)
{
    static const size_t at[LINES] = { 3, 5, 7, 9, 20, 21 };

    begin();
    for (size_t i = 0; i < LINES; i++) {
        take(lines[i], at[i]);
        take("\n", at[i]);
    }
    for (size_t i = 0; i < LINES; i++)
        CHECK(line_map_find(&stretch(0)->map, i + 1) == at[i]);
}

TEST(a_line_in_pieces_is_put_together)
{
    for (size_t cut = 1; cut < strlen(lines[2]); cut++) {
        char text[5 * LOG_LINE_MAX];

        begin();
        snprintf(text, sizeof(text), "%s\n%s\n%.*s\n%s\n%s\n", lines[0], lines[1], (int)cut,
                 lines[2], lines[2] + cut, lines[3]);
        take(text, 1);
        CHECK(proved(0) == 4);
    }
}

TEST(what_follows_a_lost_line_is_a_stretch_of_its_own)
{
    begin();
    for (size_t i = 0; i < LINES; i++)
        if (i != 1) {
            take(lines[i], i + 1);
            take("\n", i + 1);
        }
    CHECK(proved(0) == 1 && proved(1) == 3);
    CHECK(stretch(1)->first == 4 && stretch(1)->hole.numbers == 1);
}

TEST(a_second_line_for_a_number_is_of_another_log)
{
    struct log_chain chain = { 0, 0 };
    char first[LOG_LINE_MAX], other[LOG_LINE_MAX];
    struct text text = text_into(first, sizeof(first));

    text_string(&text, bodies[0]);
    log_seal(&chain, &text);
    text = text_into(other, sizeof(other));
    text_string(&text, "model name=skylake");
    log_seal(&chain, &text);
    begin();
    for (size_t i = 0; i < LINES; i++) {
        take(lines[i], i + 1);
        take("\n", i + 1);
    }
    take(other, 9);
    take("\n", 9);
    CHECK(proved(0) == LINES && proved(1) == 1 && stretch(1)->is_fork);
}

TEST(a_line_that_is_there_twice_is_taken_once)
{
    begin();
    for (size_t i = 0; i < LINES; i++)
        for (size_t twice = 0; twice < 2; twice++) {
            take(lines[i], 2 * i + twice + 1);
            take("\n", 2 * i + twice + 1);
        }
    CHECK(proved(0) == LINES && !stretch(1));
}

/* Nothing after it can be read. */
static char *at_the_end_of_memory(const char *text)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages =
        mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0);
    return memcpy(pages + page - strlen(text), text, strlen(text));
}

/* As of a program that goes back over what it wrote, and on again. */
TEST(a_cursor_that_moves_on_erases_nothing)
{
    begin();
    take(lines[0], 1);
    take("\n", 1);
    finder_take(finder, lines[1], strlen("model"), 2);
    take("\b\b\b\x1b[4C", 2); /* three that are there, and the space */
    take(lines[1] + strlen("model "), 2);
    take("\n", 2);
    CHECK(proved(0) == 2);
}

TEST(no_view_reads_beyond_a_file_that_ends_in_an_escape)
{
    static const char *const ends[] = {
        "\"a\\", "\"a\\u", "\"a\\u00", "'a\\x", "\"a\\0", "=",
        "=3",    "&",      "&#",       "<",     "\033[",
    };
    struct progress progress;

    progress_begin(&progress, "reading", 1);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        for (size_t k = 0; k < view_count; k++) {
            begin();
            view_take(&views[k], finder, at_the_end_of_memory(ends[i]), strlen(ends[i]),
                      &progress);
        }
    progress_end(&progress);
}

/* So chance proves no line: after so many candidates that fail, none is tried. */
TEST(a_line_has_no_more_than_256_candidates)
{
    for (size_t wrong = 2; wrong <= CANDIDATES_MAX; wrong += CANDIDATES_MAX - 2) {
        begin();
        take(lines[0], 1);
        take("\n", 1);
        for (size_t i = 0; i < wrong; i++)
            take("model name=core2 ~2 00000000\n", i + 2);
        take(lines[1], wrong + 2);
        take("\n", wrong + 2);
        CHECK(proved(0) == (wrong < CANDIDATES_MAX ? 2 : 1));
    }
    finder_free(finder);
    finder = NULL;
}
