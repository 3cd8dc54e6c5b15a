/*
 * A test is a function named for its claim; a program of them prints a line of TAP for
 * each. The program includes the .c under test and links test.c, which has the main().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

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

/* A test registers itself: TEST(what_it_claims) { CHECK(...); } */
#define TEST(name)                                                      \
    static void name(void);                                             \
    static struct test name##_test = { #name, name, NULL };             \
    __attribute__((constructor)) static void name##_is_registered(void) \
    {                                                                   \
        test_register(&name##_test);                                    \
    }                                                                   \
    static void name(void)

struct test {
    const char *name;
    void (*run)(void);
    struct test *next;
};

void test_register(struct test *);
void test_fails(const char *file, int line, const char *what);

/* A test that is no function: between these two, test_fails() says that it failed. */
void test_begins(const char *name); /* which is not copied */
void test_ends(void);

/* Runs before the first test, in a program that defines it. */
void test_setup(void);

extern bool test_failed;      /* the one that runs */
extern char **test_arguments; /* of main(), with the program's name */

/* The same random numbers every time. */
unsigned long long test_random(unsigned long long *state);
