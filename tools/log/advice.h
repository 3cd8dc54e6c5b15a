/*
 * What to do with a file that cannot be read as it is.
 */
#pragma once

struct log;

/* What the file is instead of a text with a log, and the command that makes it one; NULL:
 * nothing that is known. */
char *advice_form(const struct log *raw);

/* What to do where lines are lost or damaged. */
char *advice_damaged(const struct log *raw);

char *shell_word(const char *); /* as one word of a shell's command */
