/*
 * Claims as rows: tests/unit/NAME.rows, which the program of tests/unit/NAME.c runs after
 * its tests in C.  A claim is a line with its name, and below it, indented, its rows:
 *
 *     # A comment.
 *     trace  icall C-0  jcc 5-2 x3  ret 7-C
 *
 *     depth_keeps_the_newest
 *         view lbr/4 = 5-2 5-2 5-2 7-C
 *         view lbr/1 = 7-C
 *
 * The first word of a row is a verb: a function in the .c.  It reads the words up to " = ",
 * and what it says must be the words after it, or "nothing"; without " = " it must say
 * nothing.  A row outside a claim is for all that follow.  A line that is indented by eight
 * spaces or more continues the row above it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "test.h"

struct row_verb {
    const char *name, *program;
    void (*run)(void);
    struct row_verb *next;
};

/* VERB(view) { row_say("%s", ... row_word() ...); } */
#define VERB(name)                                                                  \
    static void verb_##name(void);                                                  \
    static struct row_verb verb_##name##_row = { #name, __BASE_FILE__, verb_##name, \
                                                 NULL };                            \
    __attribute__((constructor)) static void verb_##name##_is_added(void)           \
    {                                                                               \
        rows_add_verb(&verb_##name##_row);                                          \
    }                                                                               \
    static void verb_##name(void)

void rows_add_verb(struct row_verb *);

/* Runs all claims of the program's rows, if it has verbs. */
void rows_run(void);

/*
 * What a verb reads of its row: words in order, "" after the last.  A word that no verb
 * has read, and one that it cannot read, fail the row.
 */
const char *row_word(void);
uint64_t row_number(void); /* the next word: 12, 0x1f, 010                    */
uint64_t row_hex(void);    /* the next word: 1f                               */
char *row_line(void);      /* the rest of the line, or of the next; NULL: none */
size_t row_text(char *out, size_t capacity); /* the same, without the spaces around it, and
                                              * with \n, \r, \t, \0 and \x1f as bytes */
bool row_has(const char *word); /* true if it is the next one, which is then read */
bool row_is_read(void);         /* no word is left */

/* What a verb says.  Any space is as good as another. */
__attribute__((format(printf, 1, 2))) void row_say(const char *format, ...);

/* The row is no row: says so, which no row can want. */
__attribute__((format(printf, 1, 2))) void row_fails(const char *format, ...);
