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
