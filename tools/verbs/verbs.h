/*
 * The verbs of the program.  Each is one file, verb_NAME.c, which ends with its row.
 * options.c reads a command line by that row, and the help and the manual page are made
 * from it.
 */
#pragma once

#include "options.h"

/*
 * A verb's row, registered: the linker makes an array of all rows, in the order in which
 * the files are linked, which is alphabetical.  More alignment than the type's would leave
 * holes in the array.
 */
#define VERB(name)                         \
    __attribute__((section("verbs"), used, \
                   aligned(8))) static const struct verb row_of_##name

typedef const struct verb verb_table[];
extern verb_table verbs __asm__("__start_verbs") __attribute__((visibility("hidden")));
extern verb_table verbs_end __asm__("__stop_verbs") __attribute__((visibility("hidden")));

const struct verb *verb_named(const char *name); /* or NULL */

/* The option of a verb that writes a file instead of standard output. */
#define OUTPUT_OPTION(about_it)                                \
    {                                                          \
        .letter = 'o', .name = "output", .value = "FILE",      \
        .about = about_it "; an existing file is not replaced" \
    }

/* The option of a verb that reads logs: main.c hands it to the reader. */
#define BOOT_OPTION                                                             \
    {                                                                           \
        .name = "boot", .value = "N",                                           \
        .about = "of several logs in a file, as of several boots, read the Nth" \
    }

/*
 * verb_options.c: false, and a sentence on standard error, at the first operand that is no
 * option of a boot.
 */
bool options_right(const struct given *);

/* help.c: the help. */
void help_all(void);
void help_verb(const struct verb *);
void help_lines(const char *text, void (*print)(const char *line, int length));

/* manual.c: everybranch.1, in mdoc(7). */
void help_manual(void);
