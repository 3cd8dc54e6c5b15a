/*
 * A command line, taken apart by the rows of its verb.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * What a word stands for, in operands and values: LOG, FILE and FOLDER are files; MODEL,
 * METHOD, WORKLOAD and VERB are completed by what there is, METHODS and WORKLOADS as lists
 * with commas; any other is anything.
 */
struct option_row {
    const char *name;    /* without its two dashes; NULL ends the rows  */
    const char *value;   /* what it takes, NULL: nothing                */
    const char *about;   /* in one line                                 */
    char letter;         /* -o; 0: none                                 */
    bool repeats;        /* may be given several times: see given_nth   */
    const char *choices; /* what it takes, with spaces between; NULL: anything */
};
#define OPTIONS_MAX 16

struct given;
struct verb {
    const char *name;
    const char *operands; /* as in the usage: "LOG...", "A B"; "" for none   */
    const char *about;    /* in one line, at most 54 characters              */
    const char *more;     /* further sentences, or NULL                      */
    const char *examples; /* "command  what it does" lines, or NULL          */
    int (*run)(const struct given *);
    unsigned least, most; /* operands; most 0 with least: any number         */
    bool json;            /* takes --json                                    */
    struct option_row options[OPTIONS_MAX + 1];
};

/* What stands on it. */
struct given {
    const struct verb *verb;
    char **operands; /* count of them, NULL behind the last */
    size_t count;
    bool json, help;
    struct given_option {
        const struct option_row *row;
        const char *value;
    } * options; /* in the order in which they stand */
    size_t option_count;
};

/* words[0] is the verb.  False: it does not fit, and why is said on standard error. */
bool given_read(struct given *, const struct verb *, int count, char **words);
void given_free(struct given *);

/* The option of that name: NULL where it is not given, else its value, "" if it has none.
 */
const char *given_value(const struct given *, const char *name);
bool given_has(const struct given *, const char *name);
/* The n-th value of an option that repeats, from 0; NULL behind the last one. */
const char *given_nth(const struct given *, const char *name, size_t n);
/* Its value as a decimal number, `otherwise` if it is not given; false: said why not. */
bool given_number(const struct given *, const char *name, size_t otherwise, size_t *out);

/* A sentence on standard error, behind "everybranch VERB: "; EXIT_UNUSABLE. */
int given_wrong(const struct given *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
