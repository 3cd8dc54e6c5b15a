/*
 * The fonts of the screen, smallest first: for each its width and height in points, one
 * byte each, then its glyphs from the top row to the bottom row, rows of whole bytes,
 * the leftmost point in the highest bit.
 */
#pragma once

#include <stdint.h>

#define FONT_COUNT 3

/* Characters are ASCII; below the space stand the shapes.  scripts/font has the order. */
#define GLYPH_FIRST  ' '
#define GLYPH_LAST   '~'
#define GLYPH_SHAPES 6

#define CHECK_MARK "\1"
#define CROSS      "\2"
#define LINE       "\3"
#define BLOCK      "\4"
#define SHADE      "\5"
#define DOT        "\6"

extern const uint8_t fonts[] __attribute__((visibility("hidden")));
