/*
 * Reads a command line by the row of its verb.  getopt_long() does the rest: options
 * before, between and after the operands, --name=value, --, and abbreviated names.
 */
#include "options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "span.h"
#include "exit_code.h"
#include "words.h"

#define FIRST_OPTION 256 /* above every letter */

/* Options of every verb; --json of those whose row says so. */
static const struct option_row common[] = {
    { .name = "help" },
    { .name = "json" },
};
enum { COMMON_HELP, COMMON_JSON, COMMON_COUNT };

int given_wrong(const struct given *given, const char *format, ...)
{
    va_list list;

    fprintf(stderr, "everybranch %s: ", given->verb->name);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "; `everybranch help %s` says more\n", given->verb->name);
    return EXIT_UNUSABLE;
}

static size_t row_count(const struct verb *verb)
{
    size_t count = 0;

    while (verb->options[count].name)
        count++;
    return count;
}

/* The rows in getopt_long()'s form. */
static void long_options(const struct verb *verb, struct option *out)
{
    for (size_t i = 0; i < COMMON_COUNT; i++)
        if (i != COMMON_JSON || verb->json)
            *out++ =
                (struct option){ common[i].name, no_argument, NULL, FIRST_OPTION + (int)i };
    for (size_t i = 0; i < row_count(verb); i++)
        *out++ = (struct option){ verb->options[i].name,
                                  verb->options[i].value ? required_argument : no_argument,
                                  NULL, FIRST_OPTION + COMMON_COUNT + (int)i };
    *out = (struct option){ 0 };
}

/* The leading colon makes getopt_long() tell a missing value from an unknown option. */
static void short_options(const struct verb *verb, char *out)
{
    *out++ = ':';
    *out++ = 'h';
    for (size_t i = 0; i < row_count(verb); i++) {
        if (!verb->options[i].letter)
            continue;
        *out++ = verb->options[i].letter;
        if (verb->options[i].value)
            *out++ = ':';
    }
    *out = '\0';
}

static const struct option_row *row_of(const struct verb *verb, int code)
{
    if (code >= FIRST_OPTION + COMMON_COUNT)
        return &verb->options[code - FIRST_OPTION - COMMON_COUNT];
    if (code >= FIRST_OPTION)
        return &common[code - FIRST_OPTION];
    if (code == 'h')
        return &common[COMMON_HELP];
    for (size_t i = 0; i < row_count(verb); i++)
        if (code && verb->options[i].letter == code)
            return &verb->options[i];
    return NULL;
}

/* Says what to type instead of a word that the verb took once; false: it never took it. */
static bool is_gone(const struct given *given, struct span name, const char *value)
{
    for (const struct gone_word *gone = given->verb->gone; gone && gone->option; gone++) {
        if (!span_is(name, gone->option) ||
            (gone->value && strcmp(gone->value, value) != 0))
            continue;
        given_wrong(given, "--%s%s%s is gone: %s", gone->option, gone->value ? "=" : "",
                    gone->value ? gone->value : "", gone->instead);
        return true;
    }
    return false;
}

/* The word is as typed, with its dashes and perhaps a value. */
static void no_option(const struct given *given, const char *word)
{
    const char *name = word + strspn(word, "-");
    const struct span typed = { name, strcspn(name, "=") };
    struct nearest nearest = nearest_to(typed.at, typed.length);
    char *meant;

    if (is_gone(given, typed, ""))
        return;
    for (size_t i = 0; i < COMMON_COUNT; i++)
        if (i != COMMON_JSON || given->verb->json)
            nearest_try(&nearest, common[i].name);
    for (size_t i = 0; i < row_count(given->verb); i++)
        nearest_try(&nearest, given->verb->options[i].name);
    meant = did_you_mean(&nearest, "--");
    given_wrong(given, "there is no option %s, or it is short for several%s", word, meant);
    free(meant);
}

static bool wrong_option(const struct given *given, int problem, int code, const char *word)
{
    const struct option_row *row = row_of(given->verb, code);

    if (problem == ':' && row)
        given_wrong(given, "%s needs a value: %s", word, row->value);
    else if (row)
        given_wrong(given, "--%s takes no value, but got %s", row->name, word);
    else if (code && code < FIRST_OPTION)
        given_wrong(given, "there is no option -%c", code);
    else if (strcmp(word, "--json") == 0)
        given_wrong(given, "this verb has no JSON form");
    else
        no_option(given, word);
    return false;
}

/* The n-th choice, from 0; of length 0 after the last one. */
static struct span choice(const struct option_row *row, size_t n)
{
    struct span one = { row->choices, strcspn(row->choices, " ") };

    while (n-- > 0 && one.length) {
        one.at += one.length;
        one.at += *one.at == ' ';
        one.length = strcspn(one.at, " ");
    }
    return one;
}

/* Which choice the value is; how many choices there are, if it is none. */
static size_t choice_of(const struct option_row *row, const char *value)
{
    size_t n = 0;

    while (choice(row, n).length && !span_is(choice(row, n), value))
        n++;
    return n;
}

static bool wrong_choice(const struct given *given, const struct option_row *row,
                         const char *value)
{
    char list[2 * CHOICES_LENGTH];
    int used = 0;

    if (is_gone(given, (struct span){ row->name, strlen(row->name) }, value))
        return false;
    for (size_t n = 0; choice(row, n).length; n++)
        used += snprintf(list + used, sizeof(list) - (size_t)used, "%s%.*s",
                         n == 0                      ? ""
                         : choice(row, n + 1).length ? ", "
                                                     : " or ",
                         SPAN(choice(row, n)));
    given_wrong(given, "--%s=%s: want %s", row->name, value, list);
    return false;
}

/* No option takes - for standard input or output. */
static bool names_no_file(const struct option_row *row, const char *value)
{
    return row->value && strcmp(row->value, "FILE") == 0 &&
           (!*value || strcmp(value, "-") == 0);
}

static bool take(struct given *given, const struct option_row *row, const char *value)
{
    if (row == &common[COMMON_HELP]) {
        given->help = true;
    } else if (row == &common[COMMON_JSON]) {
        given->json = true;
    } else if (!row->repeats && given_has(given, row->name)) {
        given_wrong(given, "--%s is given twice", row->name);
        return false;
    } else if (row->choices && !choice(row, choice_of(row, value)).length) {
        return wrong_choice(given, row, value);
    } else if (names_no_file(row, value)) {
        given_wrong(given, "--%s=%s: want the name of a file", row->name, value);
        return false;
    } else {
        given->options[given->option_count++] =
            (struct given_option){ row, value ? value : "" };
    }
    return true;
}

static bool take_options(struct given *given, int count, char **words)
{
    struct option names[OPTIONS_MAX + COMMON_COUNT + 1];
    char letters[2 * OPTIONS_MAX + 3];
    int code;

    long_options(given->verb, names);
    short_options(given->verb, letters);
    optind = 0; /* makes getopt_long() start again */
    opterr = 0; /* wrong_option() prints the errors */
    while ((code = getopt_long(count, words, letters, names, NULL)) != -1) {
        if (code == '?' || code == ':')
            return wrong_option(given, code, optopt, words[optind - 1]);
        if (!take(given, row_of(given->verb, code), optarg))
            return false;
    }
    return true;
}

static bool counts_fit(const struct given *given)
{
    const struct verb *verb = given->verb;
    const bool any = verb->most == 0 && verb->least > 0;

    if (given->count < verb->least)
        given_wrong(given, "want %s", verb->operands);
    else if (given->count > verb->most && !any)
        given_wrong(given, "%s is too much: want %s", given->operands[verb->most],
                    *verb->operands ? verb->operands : "nothing there");
    else
        return true;
    return false;
}

bool given_read(struct given *given, const struct verb *verb, int count, char **words)
{
    *given = (struct given){ .verb = verb };
    given->options = calloc((size_t)count, sizeof(*given->options));
    if (!given->options) {
        given_wrong(given, "out of memory");
        return false;
    }
    if (!take_options(given, count, words))
        return false;
    given->operands = words + optind; /* getopt_long() moves operands to the end */
    given->count = (size_t)(count - optind);
    return given->help || counts_fit(given);
}

void given_free(struct given *given)
{
    free(given->options);
}

const char *given_nth(const struct given *given, const char *name, size_t n)
{
    for (size_t i = 0; i < given->option_count; i++)
        if (strcmp(given->options[i].row->name, name) == 0 && n-- == 0)
            return given->options[i].value;
    return NULL;
}

const char *given_value(const struct given *given, const char *name)
{
    return given_nth(given, name, 0);
}

bool given_has(const struct given *given, const char *name)
{
    return given_value(given, name) != NULL;
}

size_t given_choice(const struct given *given, const char *name)
{
    for (size_t i = 0; i < given->option_count; i++)
        if (strcmp(given->options[i].row->name, name) == 0)
            return choice_of(given->options[i].row, given->options[i].value);
    return 0;
}

bool given_number(const struct given *given, const char *name, size_t otherwise,
                  size_t *out)
{
    const char *value = given_value(given, name);
    uint64_t number;

    *out = otherwise;
    if (!value)
        return true;
    if (!read_decimal((struct span){ value, strlen(value) }, &number)) {
        given_wrong(given, "--%s %s: want a decimal number", name, value);
        return false;
    }
    *out = number;
    return true;
}
