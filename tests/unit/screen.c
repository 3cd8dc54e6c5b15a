// LINK: kernel/hardware/font.asm
#include "kernel/hardware/screen.c"

#include <stdlib.h>

#include "test.h"

#define POINTS_MAX (4u << 20) /* bytes of a made-up framebuffer, and a fence after it */
#define FENCE      4096
#define UNTOUCHED  0xa5

static uint8_t memory[POINTS_MAX + FENCE];
static struct cell cell_memory[SCREEN_CELLS_SIZE / sizeof(struct cell)];

static struct framebuffer made_up(uint32_t width, uint32_t height, uint32_t bytes,
                                  uint32_t extra)
{
    struct framebuffer f = { .address = (uint64_t)memory,
                             .width = width,
                             .height = height,
                             .bytes = bytes,
                             .pitch = width * bytes + extra,
                             .red = 0xff0000,
                             .green = 0xff00,
                             .blue = 0xff };
    f.size = (uint64_t)f.pitch * height;
    if (f.size > POINTS_MAX)
        abort();
    memset(memory, UNTOUCHED, sizeof memory);
    return f;
}

static bool start(struct framebuffer f)
{
    return screen_init(&f, cell_memory);
}

static uint32_t point(size_t x, size_t y)
{
    const uint8_t *at = memory + y * frame.pitch + x * frame.bytes;
    uint32_t value = 0;
    for (size_t i = 0; i < frame.bytes; i++)
        value |= (uint32_t)at[i] << 8 * i;
    return value;
}

/* The cell's points as letters, one for ground and one for ink, row by row. */
static const char *seen(size_t column, size_t row, uint32_t ink, uint32_t ground)
{
    static char text[64 * 65 + 1];
    size_t width = font.width * scale, height = font.height * scale, length = 0;
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) {
            uint32_t got = point(column * width + x, row * height + y);
            text[length++] = got == ink ? '#' : got == ground ? '.' : '!';
        }
        text[length++] = '\n';
    }
    text[length] = 0;
    return text;
}

/* The letter L of 8 by 16, as Terminus Font in bold has it. */
static const char letter_l[] =
    "........\n........\n##......\n##......\n##......\n##......\n"
    "##......\n##......\n##......\n##......\n##......\n#######.\n"
    "........\n........\n........\n........\n";

TEST(a_letter_is_drawn_point_by_point)
{
    CHECK(start(made_up(640, 480, 4, 0)));
    screen_clear();
    screen_text(3, 2, COLOUR_TEXT, "L");
    CHECK_TEXT(seen(3, 2, 0xe6e6e6, 0x10141a), letter_l);
    CHECK(point(2 * 8 + 7, 2 * 16 + 4) == 0x10141a); /* and nothing beside it */
    CHECK(point(4 * 8, 2 * 16 + 11) == 0x10141a);
}

TEST(a_row_may_be_longer_in_memory)
{
    CHECK(start(made_up(640, 480, 4, 52)));
    screen_clear();
    screen_text(79, 29, COLOUR_TEXT, "L");
    CHECK_TEXT(seen(79, 29, 0xe6e6e6, 0x10141a), letter_l);
    for (size_t y = 0; y < 480; y++)
        for (size_t i = 0; i < 52; i++)
            CHECK(memory[y * frame.pitch + 640 * 4 + i] == UNTOUCHED);
}

TEST(points_of_3_and_2_bytes_are_drawn_too)
{
    CHECK(start(made_up(640, 480, 3, 0)));
    screen_clear();
    screen_text(0, 0, COLOUR_TEXT, "L");
    CHECK_TEXT(seen(0, 0, 0xe6e6e6, 0x10141a), letter_l);

    struct framebuffer f = made_up(640, 480, 2, 4);
    f.red = 0xf800; /* 5, 6 and 5 bits */
    f.green = 0x07e0;
    f.blue = 0x001f;
    CHECK(start(f));
    screen_clear();
    screen_text(0, 0, COLOUR_TEXT, "L");
    CHECK_TEXT(seen(0, 0, 0xe73c, 0x10a3), letter_l);
}

TEST(colours_go_where_the_masks_say)
{
    struct framebuffer f = made_up(640, 480, 4, 0);
    f.red = 0xff; /* RGB */
    f.blue = 0xff0000;
    CHECK(start(f));
    screen_clear();
    screen_text(0, 0, COLOUR_BAD, "L");
    CHECK_TEXT(seen(0, 0, 0x5050ff, 0x1a1410), letter_l);

    f = made_up(640, 480, 4, 0);
    f.red = 0x3ff00000; /* 10 bits each */
    f.green = 0xffc00;
    f.blue = 0x3ff;
    CHECK(start(f));
    screen_clear();
    screen_text(0, 0, COLOUR_BAD, "L");
    CHECK_TEXT(seen(0, 0, 0xffu << 22 | 0x50 << 12 | 0x50 << 2,
                    0x10u << 22 | 0x14 << 12 | 0x1a << 2),
               letter_l);
}

TEST(letters_are_as_large_as_100_by_37_of_them_allow)
{
    static const struct {
        uint32_t width, height, letter_width, letter_height;
    } cases[] = {
        { 640, 480, 8, 16 },    { 800, 600, 8, 16 },    { 1024, 768, 8, 16 },
        { 1280, 800, 8, 16 },   { 1366, 768, 8, 16 },   { 1920, 1080, 12, 24 },
        { 2560, 1440, 16, 32 }, { 3840, 2160, 24, 48 }, { 7680, 4320, 48, 96 },
        { 320, 200, 8, 16 },    { 600, 1024, 8, 16 },   { 3440, 1440, 16, 32 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct framebuffer f = made_up(8, 16, 4, 0);
        f.width = cases[i].width;
        f.height = cases[i].height;
        f.pitch = f.width * 4;
        f.size = (uint64_t)f.pitch * f.height;
        CHECK(start(f)); /* nothing is drawn yet */
        CHECK(font.width * scale == cases[i].letter_width);
        CHECK(font.height * scale == cases[i].letter_height);
    }
}

TEST(of_two_that_are_as_large_the_finer_is_taken)
{
    struct framebuffer f = made_up(8, 16, 4, 0);
    f.width = 3840;
    f.height = 2160;
    f.pitch = f.width * 4;
    f.size = (uint64_t)f.pitch * f.height;
    CHECK(start(f));
    CHECK(font.width == 12 && scale == 2); /* and not 8 by 16, three times as large */
}

TEST(a_large_letter_is_a_small_one_with_larger_points)
{
    CHECK(start(made_up(640, 480, 4, 0)));
    font = font_number(0);
    scale = 2;
    columns = 40;
    rows = 15;
    screen_clear();
    screen_text(1, 1, COLOUR_TEXT, "L");
    const char *got = seen(1, 1, 0xe6e6e6, 0x10141a);
    for (size_t y = 0; y < 32; y++)
        for (size_t x = 0; x < 16; x++)
            CHECK(got[y * 17 + x] == letter_l[y / 2 * 9 + x / 2]);
}

TEST(only_cells_that_change_are_drawn)
{
    CHECK(start(made_up(640, 480, 4, 0)));
    screen_clear();
    screen_text(0, 0, COLOUR_TEXT, "LL");
    memset(memory, UNTOUCHED, frame.size);
    screen_text(0, 0, COLOUR_TEXT, "LX");
    CHECK(point(0, 2) == 0xa5a5a5a5);
    CHECK(point(8, 0) == 0x10141a);
    screen_text(0, 0, COLOUR_BAD, "L"); /* another colour is a change */
    CHECK(point(0, 2) == 0xff5050);
}

TEST(all_is_drawn_afresh_after_somebody_else_drew)
{
    CHECK(start(made_up(640, 480, 4, 0)));
    screen_clear();
    screen_text(5, 5, COLOUR_TEXT, "L");
    memset(memory, UNTOUCHED, frame.size);
    screen_repaint();
    CHECK_TEXT(seen(5, 5, 0xe6e6e6, 0x10141a), letter_l);
    CHECK(point(639, 479) == 0x10141a && point(0, 0) == 0x10141a);
}

TEST(what_does_not_fit_is_left_out)
{
    CHECK(start(made_up(640, 480, 4, 0)));
    screen_clear();
    CHECK(screen_text(78, 0, COLOUR_TEXT, "LLLL") == 80);
    CHECK(point(0, 16 + 2) == 0x10141a); /* not in the row below */
    CHECK(screen_text(0, 30, COLOUR_TEXT, "L") == 0);
    CHECK(screen_text(100, 0, COLOUR_TEXT, "L") == 100);
    screen_blank(79, 29);
    screen_blank(0, 30);
    CHECK(memory[frame.size] == UNTOUCHED);
}

TEST(the_last_cell_of_a_row_reaches_the_edge)
{
    CHECK(start(made_up(645, 485, 4, 0)));
    screen_clear();
    screen_text(79, 0, COLOUR_TITLE, " ");
    CHECK(point(632, 0) == 0x1d4f80 && point(644, 15) == 0x1d4f80);
    CHECK(point(644, 16) == 0x10141a && point(644, 484) == 0x10141a);
    CHECK(memory[frame.size] == UNTOUCHED);
}

TEST(shapes_and_strange_characters_have_glyphs)
{
    CHECK(start(made_up(640, 480, 4, 0)));
    screen_clear();
    screen_text(0, 0, COLOUR_TEXT, CHECK_MARK CROSS BLOCK "\7\x80\xff?");
    CHECK_TEXT(seen(0, 0, 0xe6e6e6, 0x10141a),
               "........\n........\n......##\n......##\n.....##.\n.....##.\n##..##..\n"
               "##..##..\n.####...\n.####...\n..##....\n..##....\n........\n........\n"
               "........\n........\n");
    CHECK_TEXT(seen(1, 0, 0xe6e6e6, 0x10141a),
               "........\n........\n....##..\n##..##..\n.####...\n..###...\n..###...\n"
               "..####..\n.##..##.\n.##.....\n##......\n##......\n........\n........\n"
               "........\n........\n");
    CHECK(point(2 * 8, 0) == 0xe6e6e6 && point(2 * 8 + 7, 15) == 0xe6e6e6);
    char want[64 * 65 + 1];
    strcpy(want, seen(6, 0, 0xe6e6e6, 0x10141a));
    for (size_t column = 3; column < 6; column++)
        CHECK_TEXT(seen(column, 0, 0xe6e6e6, 0x10141a), want);
}

TEST(a_framebuffer_that_cannot_be_is_refused)
{
    struct framebuffer f = made_up(640, 480, 4, 0);
    CHECK(start(f));
    struct framebuffer bad[13];
    for (size_t i = 0; i < 13; i++)
        bad[i] = f;
    bad[0].size = 0;
    bad[1].address = 0;
    bad[2].address = 1ull << 47;
    bad[3].bytes = 1;
    bad[4].bytes = 8;
    bad[5].width = 0;
    bad[6].height = 0;
    bad[7].pitch = 639 * 4;
    bad[8].width = 70000;
    bad[9].size = 639 * 4; /* not even one row */
    bad[10].size = ~0ull;
    bad[11].width = 7;      /* no letter fits */
    bad[12].pitch = 600000; /* 288 million bytes to map */
    bad[12].size = 1ull << 40;
    for (size_t i = 0; i < 13; i++) {
        uint64_t end;
        CHECK(!start(bad[i]));
        CHECK(screen_columns() == 0 && screen_rows() == 0 && screen_memory(&end) == 0);
        screen_clear();
        screen_repaint();
        screen_text(0, 0, COLOUR_TEXT, "L");
        screen_blank(0, 0);
        CHECK(memory[0] == UNTOUCHED);
    }
}

TEST(a_framebuffer_that_is_too_short_loses_rows)
{
    struct framebuffer f = made_up(640, 480, 4, 0);
    f.size = 640 * 4 * 100 + 17;
    CHECK(start(f));
    uint64_t end;
    CHECK(screen_rows() == 6);
    CHECK(screen_memory(&end) == f.address && end == f.address + 640 * 4 * 100);
    screen_clear();
    CHECK(memory[640 * 4 * 100] == UNTOUCHED);
}
