/*
 * Reads a command line by the row of its verb.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* An option of a verb. */
struct option_row {
    const char *name;    /* without its two dashes; NULL ends the rows         */
    const char *value;   /* what its value is called; NULL: it has no value    */
    const char *about;   /* one line of help                                   */
    char letter;         /* -o; 0: none                                        */
    bool repeats;        /* may be given several times: given_nth()            */
    const char *choices; /* the only values it takes, separated by spaces: the
                            first is the default; NULL: any value              */
};
#define OPTIONS_MAX    16
#define CHOICES_LENGTH 64 /* at most */

/* A word that a verb took once. */
struct gone_word {
    const char *option; /* without its two dashes; NULL ends the words */
    const char *value;  /* NULL: any                                   */
    const char *instead;
};

struct given;
struct verb {
    const char *name;
    const char *operands; /* as the usage prints them: "LOG...", "A B"; "" for none */
    const char *about;    /* one line of help, at most 62 characters                */
    const char *more;     /* further sentences, or NULL                             */
    const char *examples; /* lines without the program's name, or NULL              */
    int (*run)(const struct given *); /* returns the exit code                      */
    unsigned least, most; /* how many operands; most 0 with least: no upper limit   */
    bool json;            /* takes --json                                           */
    const struct gone_word *gone; /* or NULL                                        */
    struct option_row options[OPTIONS_MAX + 1];
};

/* A command line that was read. */
struct given {
    const struct verb *verb;
    char **operands; /* ends with NULL */
    size_t count;
    bool json, help;
    struct given_option {
        const struct option_row *row;
        const char *value;
    } * options; /* in the order of the command line */
    size_t option_count;
};

/* words[0] is the verb.  False if the words do not fit; standard error says why. */
bool given_read(struct given *, const struct verb *, int count, char **words);
void given_free(struct given *);

/* The option's value: "" if it takes none; NULL if the option is not given. */
const char *given_value(const struct given *, const char *name);
bool given_has(const struct given *, const char *name);
/* The n-th value of an option that repeats, from 0; NULL after the last one. */
const char *given_nth(const struct given *, const char *name, size_t n);
/* Which of its choices the option's value is; 0 if the option is not given. */
size_t given_choice(const struct given *, const char *name);
/* The option's value as a number, or `otherwise`.  False if it is none; that was said. */
bool given_number(const struct given *, const char *name, size_t otherwise, size_t *out);

/* Prints "everybranch VERB: " and the sentence on standard error; returns EXIT_UNUSABLE. */
int given_wrong(const struct given *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
