/*
 * What to do with a file that cannot be read as it is.
 */
#pragma once

#include <stddef.h>

struct log;

/* What the file is instead of a text with a log, and the command that makes it one; NULL:
 * nothing that is known. */
char *advice_form(const struct log *raw);

/* What to do where lines are lost or damaged. */
char *advice_damaged(const struct log *raw);

/* The error of a file in which no line is proved, and what to do with it.  `trace`: the
 * line that looks like one of a log, or 0. */
void advise_without_log(struct log *, const struct log *raw, size_t trace);
size_t
unproved_opening(const struct log *raw); /* the first line that begins as a log, or 0 */

char *shell_word(const char *); /* as one word of a shell's command */
