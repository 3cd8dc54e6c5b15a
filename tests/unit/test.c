/*
 * Runs the tests of a program in the order in which they stand in it.
 */
#include "test.h"

#include "rows.h"

static struct test *first, **last = &first;
static const char *name; /* of the test that runs */
static int count, failures;

bool test_failed;
char **test_arguments;

void test_register(struct test *test)
{
    *last = test;
    last = &test->next;
}

void test_fails(const char *file, int line, const char *what)
{
    if (!test_failed)
        printf("not ok %s - %s:%d: %s\n", name, file, line, what);
    test_failed = true;
}

void test_begins(const char *its_name)
{
    name = its_name;
    test_failed = false;
}

void test_ends(void)
{
    if (!test_failed)
        printf("ok %s\n", name);
    failures += test_failed;
    count++;
}

/* xorshift64* */
unsigned long long test_random(unsigned long long *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1dull;
}

__attribute__((weak)) void test_setup(void)
{
}

int main(int argc, char **argv)
{
    (void)argc;
    test_arguments = argv;
    /* A test that crashes takes no lines of others along. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    test_setup();
    for (const struct test *test = first; test; test = test->next) {
        test_begins(test->name);
        test->run();
        test_ends();
    }
    rows_run();
    printf("1..%d\n", count);
    return failures != 0;
}
