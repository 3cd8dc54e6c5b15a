/*
 * Properties of standard output.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* True for a terminal that is not dumb, if NO_COLOR is empty: https://no-color.org. */
bool terminal_takes_colour(void);

/* The terminal's width, or else what COLUMNS says; 0: lines are not limited. */
size_t terminal_columns(void);

/*
 * Prints a text of which `used` columns of the line are used already, and splits it at
 * spaces so that no line is wider than the terminal.  Further lines are indented.  In a
 * file, which somebody may search, a text is never split.
 */
void terminal_wrap(size_t used, size_t indent, const char *text);
/* The same with that many columns, wherever it is printed; 0: any number. */
void wrap_at(size_t columns, size_t used, size_t indent, const char *text);
