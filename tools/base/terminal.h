/*
 * What is known of where standard output goes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A terminal that is not dumb, and NO_COLOR is empty: https://no-color.org. */
bool terminal_takes_colour(void);

/* How wide a line may be: the terminal's width, else what COLUMNS says; 0: as it comes. */
size_t terminal_columns(void);
