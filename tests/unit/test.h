/*
 * A test is a function named for its claim; a program of them prints one line each.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool test_failed;
static int tests_failed;

/* In a test: notes the first thing that does not hold; the test goes on. */
#define CHECK(condition)                                \
    do {                                                \
        if (!(condition))                               \
            test_fails(__FILE__, __LINE__, #condition); \
    } while (0)

#define CHECK_TEXT(got, want)                                \
    do {                                                     \
        if (strcmp(got, want) != 0) {                        \
            test_fails(__FILE__, __LINE__, #got);            \
            printf("    got  %s\n    want %s\n", got, want); \
        }                                                    \
    } while (0)

#define RUN(test) test_run(#test, test)

static const char *test_name;

static inline void test_fails(const char *file, int line, const char *what)
{
    if (!test_failed)
        printf("not ok %s - %s:%d: %s\n", test_name, file, line, what);
    test_failed = true;
}

static inline void test_run(const char *name, void (*test)(void))
{
    test_name = name;
    test_failed = false;
    test();
    if (!test_failed)
        printf("ok %s\n", name);
    tests_failed += test_failed;
}

/* The same random numbers every time: xorshift64*. */
static inline unsigned long long test_random(unsigned long long *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1dull;
}
