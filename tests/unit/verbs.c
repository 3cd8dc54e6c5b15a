// LINK: workloads everybranch
#include "tools/verbs/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "test.h"
#include "tools/base/exit_code.h"

static int never(const struct given *given)
{
    (void)given;
    return EXIT_UNUSABLE;
}

static const struct verb sample = {
    .name = "sample",
    .operands = "A B",
    .run = never,
    .least = 1,
    .most = 2,
    .json = true,
    .options = {
        { .letter = 'o', .name = "output", .value = "FILE" },
        { .name = "size", .value = "N" },
        { .name = "flag" },
        { .name = "kind", .value = "KIND", .choices = "one two,three four" },
        { .letter = 's', .name = "symbol", .value = "TEXT", .repeats = true },
    },
};

static struct given given;
static char said[1024];

/* Reads words with a space between; what is said on standard error goes to `said`. */
static bool reads(const struct verb *verb, const char *line)
{
    static char words[256], *at[32];
    int count = 0, kept = dup(STDERR_FILENO), pipes[2];
    ssize_t got;
    bool good;

    free(given.options);
    snprintf(words, sizeof(words), "%s", line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        at[count++] = word;
    at[count] = NULL;
    if (pipe(pipes) != 0 || dup2(pipes[1], STDERR_FILENO) < 0)
        return false;
    good = given_read(&given, verb, count, at);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(pipes[1]);
    got = read(pipes[0], said, sizeof(said) - 1);
    close(pipes[0]);
    said[got > 0 ? got : 0] = '\0';
    return good;
}

TEST(options_may_stand_anywhere)
{
    CHECK(reads(&sample, "sample a --flag b -o x"));
    CHECK(given.count == 2);
    CHECK_TEXT(given.operands[0], "a");
    CHECK_TEXT(given.operands[1], "b");
    CHECK_TEXT(given_value(&given, "output"), "x");
    CHECK_TEXT(given_value(&given, "flag"), "");
    CHECK(!given_has(&given, "symbol") && !given.json && !given.help);
}

TEST(after_two_dashes_there_are_no_options)
{
    CHECK(reads(&sample, "sample -- --flag -"));
    CHECK(given.count == 2 && !given_has(&given, "flag"));
    CHECK_TEXT(given.operands[0], "--flag");
    CHECK_TEXT(given.operands[1], "-");
}

TEST(a_value_may_come_after_an_equals_sign_or_a_letter)
{
    CHECK(reads(&sample, "sample a --output=x"));
    CHECK_TEXT(given_value(&given, "output"), "x");
    CHECK(reads(&sample, "sample a -ox"));
    CHECK_TEXT(given_value(&given, "output"), "x");
}

TEST(an_option_that_repeats_keeps_all_its_values)
{
    CHECK(reads(&sample, "sample -s 1 a -s 2 --symbol 3"));
    CHECK_TEXT(given_nth(&given, "symbol", 0), "1");
    CHECK_TEXT(given_nth(&given, "symbol", 1), "2");
    CHECK_TEXT(given_nth(&given, "symbol", 2), "3");
    CHECK(given_nth(&given, "symbol", 3) == NULL);
}

TEST(every_mistake_has_its_sentence)
{
    CHECK(!reads(&sample, "sample a -o"));
    CHECK_TEXT(said,
               "everybranch sample: -o needs a value: FILE; `everybranch help sample` "
               "says more\n");
    CHECK(!reads(&sample, "sample a --nothing"));
    CHECK(strstr(said, "there is no option --nothing, or it is short for several;"));
    CHECK(!reads(&sample, "sample a --s 1"));
    CHECK(strstr(said, "there is no option --s, or it is short for several;"));
    CHECK(!reads(&sample, "sample a -fz"));
    CHECK(strstr(said, "there is no option -f;"));
    CHECK(!reads(&sample, "sample a --flag=1"));
    CHECK(strstr(said, "--flag takes no value, but got --flag=1;"));
    CHECK(!reads(&sample, "sample a -o 1 --output 2"));
    CHECK(strstr(said, "--output is given twice;"));
    CHECK(!reads(&sample, "sample"));
    CHECK(strstr(said, "want A B;"));
    CHECK(!reads(&sample, "sample a b c"));
    CHECK(strstr(said, "c is too much: want A B;"));
}

TEST(json_is_there_where_the_verb_has_it)
{
    struct verb without = sample;

    without.json = false;
    CHECK(reads(&sample, "sample a --json") && given.json);
    CHECK(!reads(&without, "sample a --json"));
    CHECK(strstr(said, "this verb has no JSON form"));
}

TEST(a_value_is_one_of_its_choices)
{
    CHECK(reads(&sample, "sample a") && given_choice(&given, "kind") == 0);
    CHECK(reads(&sample, "sample a --kind one") && given_choice(&given, "kind") == 0);
    CHECK(reads(&sample, "sample a --kind two,three") && given_choice(&given, "kind") == 1);
    CHECK(reads(&sample, "sample a --kind=four") && given_choice(&given, "kind") == 2);
    for (const char *const *bad = (const char *const[]){ "on", "two", "five", "", NULL };
         *bad; bad++) {
        char line[64];

        snprintf(line, sizeof(line), "sample a --kind=%s", *bad);
        CHECK(!reads(&sample, line));
        CHECK(strstr(said, ": want one, two,three or four;"));
    }
}

TEST(verbs_are_listed_by_name)
{
    for (const struct verb *verb = verbs + 1; verb < verbs_end; verb++)
        CHECK(strcmp(verb[-1].name, verb->name) < 0);
}

TEST(who_asks_for_help_need_give_nothing_else)
{
    CHECK(reads(&sample, "sample --help") && given.help);
    CHECK(reads(&sample, "sample -h") && given.help);
}

TEST(a_number_is_decimal)
{
    size_t n = 0;

    CHECK(reads(&sample, "sample a --size 70") && given_number(&given, "size", 5, &n));
    CHECK(n == 70);
    CHECK(reads(&sample, "sample a") && given_number(&given, "size", 5, &n) && n == 5);
    for (const char *const *bad = (const char *const[]){ "7x", "-7", "0x7", "", NULL };
         *bad; bad++) {
        char line[64];

        snprintf(line, sizeof(line), "sample a --size=%s", *bad);
        CHECK(reads(&sample, line) && !given_number(&given, "size", 5, &n));
    }
}

/* The table itself. */

TEST(every_verb_tells_what_it_needs)
{
    for (const struct verb *verb = verbs; verb < verbs_end; verb++) {
        CHECK(verb->name && verb->operands && verb->about && verb->run);
        CHECK(verb_named(verb->name) == verb);
        CHECK(strlen(verb->name) <= 12 && strlen(verb->about) <= 62);
        CHECK((*verb->operands != '\0' && *verb->operands != '[') == (verb->least > 0));
        CHECK(verb->most == 0 || verb->most >= verb->least);
        for (const struct option_row *row = verb->options; row->name; row++)
            CHECK(row->about && row < verb->options + OPTIONS_MAX &&
                  strcmp(row->name, "json") != 0 && strcmp(row->name, "help") != 0 &&
                  row->letter != 'h' &&
                  (!row->choices || strlen(row->choices) <= CHOICES_LENGTH));
    }
}

TEST(no_option_stands_twice_in_a_verb)
{
    for (const struct verb *verb = verbs; verb < verbs_end; verb++)
        for (const struct option_row *a = verb->options; a->name; a++)
            for (const struct option_row *b = a + 1; b->name; b++)
                CHECK(strcmp(a->name, b->name) != 0 &&
                      (!a->letter || a->letter != b->letter));
}
