/*
 * A screen of cells on a linear framebuffer: each a character in a colour.
 *
 * Cells that stay what they are are not drawn again, and the framebuffer is never read:
 * that can take a microsecond for each point.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "handoff.h"

enum colour {
    COLOUR_TEXT,
    COLOUR_DIM,
    COLOUR_GOOD,
    COLOUR_BAD,
    COLOUR_ODD,
    COLOUR_TITLE, /* on a bar of its own */
    COLOUR_COUNT,
};

struct cell {
    char glyph;
    uint8_t colour;
};

/* Bytes of cells that every screen can do with; a larger one leaves its edge empty. */
#define SCREEN_COLUMNS_MAX 256
#define SCREEN_ROWS_MAX    128
#define SCREEN_CELLS_SIZE  (SCREEN_COLUMNS_MAX * SCREEN_ROWS_MAX * sizeof(struct cell))

/*
 * Chooses the size of the letters and draws nothing yet.  false: there is no such
 * framebuffer, and all that follows does nothing.
 */
bool screen_init(const struct framebuffer *, struct cell *cells);

/* 0: there is no screen. */
size_t screen_columns(void);
size_t screen_rows(void);

/* The memory that has to be mapped; 0: none. */
uint64_t screen_memory(uint64_t *end);

/* Paints all of it, whatever was there. */
void screen_clear(void);

/* Paints all of it with what it showed, after somebody else has drawn there. */
void screen_repaint(void);

/* Text from a cell on; what does not fit the row is left out.  Returns the column after.
 */
size_t screen_text(size_t column, size_t row, enum colour, const char *text);

/* Blanks from a cell to the end of its row. */
void screen_blank(size_t column, size_t row);
