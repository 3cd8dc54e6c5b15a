#include "kernel/qr.c"

#include "test.h"

static struct qr symbol;

/* A row from the top as text, dark modules as #. */
static const char *row_text(size_t row, size_t from, size_t count)
{
    static char text[QR_SIZE + 1];
    for (size_t i = 0; i < count; i++)
        text[i] = symbol.dark[row][from + i] ? '#' : '.';
    text[count] = 0;
    return text;
}

TEST(the_fixed_patterns_are_where_a_reader_looks_for_them)
{
    static const char *const finder[] = { "#######.", "#.....#.", "#.###.#.", "#.###.#.",
                                          "#.###.#.", "#.....#.", "#######.", "........" };
    static const char *const alignment[] = { "#####", "#...#", "#.#.#", "#...#", "#####" };
    CHECK(qr_make(&symbol, "everybranch"));
    for (size_t i = 0; i < 8; i++)
        CHECK_TEXT(row_text(i, 0, 8), finder[i]);
    for (size_t i = 0; i < 7; i++) {
        CHECK_TEXT(row_text(i, QR_SIZE - 7, 7), row_text(i, 0, 7));
        CHECK_TEXT(row_text(QR_SIZE - 7 + i, 0, 7), row_text(i, 0, 7));
    }
    for (size_t i = 0; i < 5; i++)
        CHECK_TEXT(row_text(28 + i, 28, 5), alignment[i]);
    CHECK_TEXT(row_text(6, 8, 21), "#.#.#.#.#.#.#.#.#.#.#");
    CHECK(symbol.dark[29][8]);
}

/* ISO/IEC 18004, the table of format information: level L with masks 0 to 7. */
TEST(both_copies_of_the_format_say_level_l_and_the_same_mask)
{
    static const unsigned formats[] = { 0x77c4, 0x72f3, 0x7daa, 0x789d,
                                        0x662f, 0x6318, 0x6c41, 0x6976 };
    unsigned first = 0, second = 0;
    bool known = false;
    CHECK(qr_make(&symbol, "everybranch"));
    for (size_t i = 0; i < 15; i++) {
        size_t down = i < 6 ? i : i + 1, across = i < 8 ? 0 : i == 8 ? 7 : 14 - i;
        first |= (unsigned)(i < 8 ? symbol.dark[down][8] : symbol.dark[8][across]) << i;
        second |= (unsigned)(i < 8 ? symbol.dark[8][36 - i] : symbol.dark[22 + i][8]) << i;
    }
    for (size_t i = 0; i < 8; i++)
        known |= first == formats[i];
    CHECK(known);
    CHECK(first == second);
}

/* ISO/IEC 18004, "Error correction": as a polynomial, the codewords are divisible by the
 * generator, so each root of that is one of theirs. */
TEST(the_codewords_have_the_roots_of_the_generator)
{
    uint8_t words[WORDS] = { 0 };
    put_text(words, "everybranch", 11);
    CHECK(words[0] == 0x40 && words[1] == 0xb6 && words[2] == 0x57); /* 4, 11, 'e', 'v' */
    CHECK(words[12] == 0x80 && words[13] == 0xec && words[14] == 0x11);
    put_error_correction(words);
    uint8_t root = 1;
    for (size_t i = 0; i < CHECKS; i++, root = multiplied(root, 2)) {
        uint8_t value = 0;
        for (size_t j = 0; j < WORDS; j++)
            value = multiplied(value, root) ^ words[j];
        CHECK(value == 0);
    }
    CHECK(multiplied(0x80, 2) == 0x1d);
}

TEST(a_text_that_is_too_long_is_refused)
{
    char text[QR_TEXT_MAX + 2];
    memset(text, 'x', sizeof text);
    text[QR_TEXT_MAX + 1] = 0;
    CHECK(!qr_make(&symbol, text));
    text[QR_TEXT_MAX] = 0;
    CHECK(qr_make(&symbol, text));
}
