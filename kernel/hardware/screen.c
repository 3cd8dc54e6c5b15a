/*
 * UEFI Specification, "Graphics Output Protocol": a framebuffer's points lie left to
 * right, rows from the top, and a row may be longer in memory than on the screen.
 */
#include "screen.h"

#include "font.h"

/* Letters are as large as this many of them allow: those that 800 by 600 points have. */
#define COLUMNS_WANTED 100
#define ROWS_WANTED    37
#define SCALE_MAX      4

#define WIDEST  65536u       /* points */
#define HIGHEST (1ull << 47) /* addresses that four levels of paging map */
#define LARGEST (1ull << 28) /* bytes that are mapped: 8K and more        */

#define GLYPHS (GLYPH_LAST - GLYPH_FIRST + 1 + GLYPH_SHAPES)

/*
 * Colours that stay apart for who cannot tell red from green, from the palette of Okabe
 * and Ito, lightened for a dark ground.  What they say is said by shapes and words too.
 */
#define RGB(red, green, blue) ((uint32_t)(red) << 16 | (green) << 8 | (blue))
static const struct {
    uint32_t ink, ground;
} colours[COLOUR_COUNT] = {
    [COLOUR_TEXT] = { RGB(0xe6, 0xe6, 0xe6), RGB(0x10, 0x14, 0x1a) },
    [COLOUR_DIM] = { RGB(0x9a, 0xa4, 0xb0), RGB(0x10, 0x14, 0x1a) },
    [COLOUR_GOOD] = { RGB(0x35, 0xd0, 0xa0), RGB(0x10, 0x14, 0x1a) },
    [COLOUR_BAD] = { RGB(0xff, 0x50, 0x50), RGB(0x10, 0x14, 0x1a) },
    [COLOUR_ODD] = { RGB(0xf0, 0xe4, 0x42), RGB(0x10, 0x14, 0x1a) },
    [COLOUR_TITLE] = { RGB(0xff, 0xff, 0xff), RGB(0x1d, 0x4f, 0x80) },
};

struct font {
    const uint8_t *glyphs;
    uint32_t width, height, row_bytes; /* of a glyph, before scaling */
};

static struct framebuffer frame;
static struct cell *cells;
static struct font font;
static uint32_t scale;
static size_t columns, rows;

static struct font font_number(size_t number)
{
    const uint8_t *at = fonts;
    struct font f;
    for (;;) {
        f.width = at[0];
        f.height = at[1];
        f.glyphs = at + 2;
        f.row_bytes = (f.width + 7) / 8;
        if (number-- == 0)
            return f;
        at = f.glyphs + GLYPHS * f.row_bytes * f.height;
    }
}

static bool usable(const struct framebuffer *f)
{
    return f->size && f->address && f->address < HIGHEST && f->size < HIGHEST &&
           f->bytes >= 2 && f->bytes <= 4 && f->width && f->width <= WIDEST && f->height &&
           f->height <= WIDEST && f->pitch / f->bytes >= f->width && f->pitch <= f->size &&
           (uint64_t)f->pitch * f->height <= LARGEST;
}

/* The largest that leaves room for what is to be shown, of two the finer; else the
 * smallest. */
static void choose_font(void)
{
    font = font_number(0);
    scale = 1;
    for (size_t i = 0; i < FONT_COUNT; i++)
        for (uint32_t by = 1; by <= SCALE_MAX; by++) {
            struct font f = font_number(i);
            if (frame.width / (f.width * by) >= COLUMNS_WANTED &&
                frame.height / (f.height * by) >= ROWS_WANTED &&
                f.height * by >= font.height * scale) {
                font = f;
                scale = by;
            }
        }
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

bool screen_init(const struct framebuffer *given, struct cell *memory)
{
    columns = rows = 0;
    if (!usable(given))
        return false;
    frame = *given;
    if (frame.size / frame.pitch < frame.height)
        frame.height = (uint32_t)(frame.size / frame.pitch); /* no row beyond its end */
    cells = memory;
    choose_font();
    columns = least(frame.width / (font.width * scale), SCREEN_COLUMNS_MAX);
    rows = least(frame.height / (font.height * scale), SCREEN_ROWS_MAX);
    if (!columns || !rows)
        columns = rows = 0;
    return columns != 0;
}

size_t screen_columns(void)
{
    return columns;
}

size_t screen_rows(void)
{
    return rows;
}

uint64_t screen_memory(uint64_t *end)
{
    if (!columns)
        return 0;
    *end = frame.address + (uint64_t)frame.pitch * frame.height;
    return frame.address;
}

/* 8 bits of a colour at the place of the mask. */
static uint32_t loaded(uint32_t value, uint32_t mask)
{
    if (!mask)
        return 0;
    unsigned low = (unsigned)__builtin_ctz(mask);
    unsigned bits = 32 - (unsigned)__builtin_clz(mask) - low;
    return (bits >= 8 ? value << (bits - 8) : value >> (8 - bits)) << low & mask;
}

static uint32_t point_of(uint32_t rgb)
{
    return loaded(rgb >> 16 & 0xff, frame.red) | loaded(rgb >> 8 & 0xff, frame.green) |
           loaded(rgb & 0xff, frame.blue);
}

static void put_points(volatile uint8_t *at, uint32_t point, size_t count)
{
    for (; count; count--, at += frame.bytes) {
        if (frame.bytes == 4)
            *(volatile uint32_t *)at = point;
        else
            for (uint32_t i = 0; i < frame.bytes; i++)
                at[i] = (uint8_t)(point >> 8 * i);
    }
}

/* Points [left, right) of a row. */
static void put_row(size_t y, size_t left, size_t right, uint32_t point)
{
    uint8_t *at = (uint8_t *)frame.address + y * frame.pitch + left * frame.bytes;
    put_points(at, point, right - left);
}

static const uint8_t *glyph_of(char c)
{
    size_t shape = (size_t)(unsigned char)c - 1;
    size_t number = c >= GLYPH_FIRST && c <= GLYPH_LAST ? (size_t)(c - GLYPH_FIRST)
                    : shape < GLYPH_SHAPES ? GLYPH_LAST - GLYPH_FIRST + 1 + shape
                                           : '?' - GLYPH_FIRST;
    return font.glyphs + number * font.row_bytes * font.height;
}

/* Is there ink at this point of a cell, before scaling? */
static bool is_ink(struct cell cell, size_t x, size_t y)
{
    return glyph_of(cell.glyph)[y * font.row_bytes + x / 8] >> (7 - x % 8) & 1;
}

static void draw(size_t column, size_t row, struct cell cell)
{
    uint32_t ink = point_of(colours[cell.colour].ink);
    uint32_t ground = point_of(colours[cell.colour].ground);
    size_t x = column * font.width * scale, y = row * font.height * scale;
    for (size_t line = 0; line < font.height * scale; line++) {
        for (size_t i = 0; i < font.width; i++)
            put_row(y + line, x + i * scale, x + (i + 1) * scale,
                    is_ink(cell, i, line / scale) ? ink : ground);
        if (column + 1 == columns) /* and the part of a letter that the row ends in */
            put_row(y + line, x + font.width * scale, frame.width, ground);
    }
}

static struct cell *cell_at(size_t column, size_t row)
{
    return &cells[row * columns + column];
}

static const struct cell blank = { ' ', COLOUR_TEXT };

static bool same(struct cell a, struct cell b)
{
    return a.glyph == b.glyph && a.colour == b.colour;
}

static void paint_ground(void)
{
    for (size_t y = 0; y < frame.height; y++)
        put_row(y, 0, frame.width, point_of(colours[COLOUR_TEXT].ground));
}

void screen_clear(void)
{
    if (!columns)
        return;
    for (size_t i = 0; i < columns * rows; i++)
        cells[i] = blank;
    paint_ground();
}

void screen_repaint(void)
{
    if (!columns)
        return;
    paint_ground();
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++)
            if (!same(*cell_at(column, row), blank))
                draw(column, row, *cell_at(column, row));
}

static void put_cell(size_t column, size_t row, struct cell new)
{
    if (row >= rows || column >= columns || same(*cell_at(column, row), new))
        return;
    *cell_at(column, row) = new;
    draw(column, row, new);
}

size_t screen_text(size_t column, size_t row, enum colour colour, const char *text)
{
    for (; *text && row < rows && column < columns; text++, column++)
        put_cell(column, row, (struct cell){ *text, (uint8_t)colour });
    return column;
}

void screen_blank(size_t column, size_t row)
{
    while (row < rows && column < columns)
        column = screen_text(column, row, COLOUR_TEXT, " ");
}
