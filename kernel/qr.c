/*
 * qr.h.  The text becomes codewords, and error correction codewords follow.  Their
 * bits fill the symbol around its fixed patterns.  Of the eight masks the one with the
 * lowest penalty is applied: it has the fewest shapes that a reader could mistake.
 */
#include "qr.h"

#include "text.h"

#define DATA    108 /* codewords; with two of the mode and the length, 106 bytes */
#define CHECKS  26  /* codewords for error correction                           */
#define WORDS   (DATA + CHECKS)
#define MASKS   8
#define TIMING  6  /* the row and the column of the timing patterns */
#define ALIGNED 30 /* both coordinates of the alignment pattern     */
#define FINDER  8  /* modules of a finder pattern with its separator */
#define FORMATS 15 /* bits of the format information                */
#define BYTES   4  /* the mode, in 4 bits                           */
#define LEVEL_L 1  /* in the format information                     */

/* Appends bits to codewords that are zero so far, the highest first. */
static void put_bits(uint8_t *words, size_t *at, unsigned value, unsigned bits)
{
    while (bits--) {
        words[*at / 8] |= (uint8_t)((value >> bits & 1) << (7 - *at % 8));
        ++*at;
    }
}

/* "Data encodation", "Byte mode"; four zeros end the text, and two values fill the rest. */
static void put_text(uint8_t words[WORDS], const char *text, size_t length)
{
    size_t at = 0;
    put_bits(words, &at, BYTES, 4);
    put_bits(words, &at, (unsigned)length, 8);
    for (size_t i = 0; i < length; i++)
        put_bits(words, &at, (uint8_t)text[i], 8);
    put_bits(words, &at, 0, 4);
    for (unsigned pad = 0xec; at < 8 * DATA; pad ^= 0xec ^ 0x11)
        put_bits(words, &at, pad, 8);
}

/* Multiplies in GF(256), whose polynomial is x^8 + x^4 + x^3 + x^2 + 1. */
static uint8_t multiplied(uint8_t a, uint8_t b)
{
    unsigned product = 0;
    for (int bit = 7; bit >= 0; bit--) {
        product = product << 1 ^ (product >> 7) * 0x11d;
        product ^= (b >> bit & 1) * a;
    }
    return (uint8_t)product;
}

/* The generator polynomial, (x - 1)(x - 2)(x - 4)..., without its leading 1. */
static void make_generator(uint8_t generator[CHECKS])
{
    uint8_t root = 1;
    for (size_t i = 0; i < CHECKS; i++)
        generator[i] = i + 1 == CHECKS;
    for (size_t i = 0; i < CHECKS; i++, root = multiplied(root, 2))
        for (size_t j = 0; j < CHECKS; j++)
            generator[j] =
                multiplied(generator[j], root) ^ (j + 1 < CHECKS ? generator[j + 1] : 0);
}

/* "Generating the error correction codewords": the remainder of a division. */
static void put_error_correction(uint8_t words[WORDS])
{
    uint8_t generator[CHECKS], *checks = words + DATA;
    make_generator(generator);
    for (size_t i = 0; i < DATA; i++) {
        uint8_t factor = words[i] ^ checks[0];
        for (size_t j = 0; j < CHECKS; j++)
            checks[j] =
                (j + 1 < CHECKS ? checks[j + 1] : 0) ^ multiplied(generator[j], factor);
    }
}

static size_t farther(size_t a, size_t b, size_t from)
{
    a = a < from ? from - a : a - from;
    b = b < from ? from - b : b - from;
    return a > b ? a : b;
}

/* Squares around a centre: a finder pattern has its last ring at 3, light ones at 2 and 4.
 */
static void put_finder(struct qr *qr, size_t row, size_t column)
{
    for (size_t i = 0; i < QR_SIZE; i++)
        for (size_t j = 0; j < QR_SIZE; j++) {
            size_t down = i < row ? row - i : i - row;
            size_t ring = farther(j, j, column) > down ? farther(j, j, column) : down;
            if (ring <= 4)
                qr->dark[i][j] = ring != 2 && ring != 4;
        }
}

/* Is this module part of a fixed pattern or of the format information? */
static bool is_fixed(size_t row, size_t column)
{
    const size_t far = QR_SIZE - FINDER;
    if (row == TIMING || column == TIMING)
        return true;
    if (farther(row, column, ALIGNED) <= 2)
        return true;
    return (row <= FINDER && (column <= FINDER || column >= far)) ||
           (row >= far && column <= FINDER);
}

static void put_fixed(struct qr *qr)
{
    for (size_t i = 0; i < QR_SIZE; i++)
        qr->dark[TIMING][i] = qr->dark[i][TIMING] = i % 2 == 0;
    for (size_t i = ALIGNED - 2; i <= ALIGNED + 2; i++)
        for (size_t j = ALIGNED - 2; j <= ALIGNED + 2; j++)
            qr->dark[i][j] = farther(i, j, ALIGNED) != 1;
    put_finder(qr, 3, 3);
    put_finder(qr, 3, QR_SIZE - 4);
    put_finder(qr, QR_SIZE - 4, 3);
    qr->dark[QR_SIZE - FINDER][FINDER] = true;
}

/*
 * "Symbol character placement": upwards and downwards in turn, two columns wide, from the
 * lower right corner; the column of the timing pattern is left out.
 */
static void put_words(struct qr *qr, const uint8_t words[WORDS])
{
    size_t at = 0;
    bool upwards = true;
    for (size_t right = QR_SIZE - 1; right >= 1; right -= 2, upwards = !upwards) {
        right -= right == TIMING;
        for (size_t i = 0; i < 2 * QR_SIZE; i++) {
            size_t row = upwards ? QR_SIZE - 1 - i / 2 : i / 2, column = right - i % 2;
            if (is_fixed(row, column))
                continue;
            qr->dark[row][column] = at < 8 * WORDS && words[at / 8] >> (7 - at % 8) & 1;
            at++;
        }
        if (right == 1)
            break;
    }
}

/* "Data mask patterns". */
static bool is_masked(unsigned mask, size_t i, size_t j)
{
    switch (mask) {
    case 0:
        return (i + j) % 2 == 0;
    case 1:
        return i % 2 == 0;
    case 2:
        return j % 3 == 0;
    case 3:
        return (i + j) % 3 == 0;
    case 4:
        return (i / 2 + j / 3) % 2 == 0;
    case 5:
        return i * j % 2 + i * j % 3 == 0;
    case 6:
        return (i * j % 2 + i * j % 3) % 2 == 0;
    default:
        return ((i + j) % 2 + i * j % 3) % 2 == 0;
    }
}

/* Inverts the modules that the mask names; a second call undoes it. */
static void apply_mask(struct qr *qr, unsigned mask)
{
    for (size_t i = 0; i < QR_SIZE; i++)
        for (size_t j = 0; j < QR_SIZE; j++)
            qr->dark[i][j] ^= !is_fixed(i, j) && is_masked(mask, i, j);
}

/* "Format information", twice: level and mask, with 10 bits of a BCH code. */
static void put_format(struct qr *qr, unsigned mask)
{
    unsigned data = LEVEL_L << 3 | mask, rest = data;
    for (int i = 0; i < 10; i++)
        rest = rest << 1 ^ (rest >> 9) * 0x537;
    unsigned format = (data << 10 | rest) ^ 0x5412;
    for (size_t i = 0; i < FORMATS; i++) {
        bool dark = format >> i & 1;
        size_t near = i < 6 ? i : i < 8 ? i + 1 : 14 - i + (i == 8);
        if (i < 8) {
            qr->dark[near][FINDER] = dark;
            qr->dark[FINDER][QR_SIZE - 1 - i] = dark;
        } else {
            qr->dark[FINDER][near] = dark;
            qr->dark[QR_SIZE - FORMATS + i][FINDER] = dark;
        }
    }
}

/* Module `i` of a row, or of a column if `down`. */
static bool in_line(const struct qr *qr, bool down, size_t line, size_t i)
{
    return down ? qr->dark[i][line] : qr->dark[line][i];
}

/* "Data masking", the penalty of a line: long runs, and shapes like a finder pattern. */
static unsigned penalty_of_line(const struct qr *qr, bool down, size_t line)
{
    unsigned penalty = 0, run = 0, last = 0;
    for (size_t i = 0; i < QR_SIZE; i++) {
        bool dark = in_line(qr, down, line, i);
        run = i && dark == (last & 1) ? run + 1 : 1;
        penalty += run == 5 ? 3 : run > 5;
        last = (last << 1 | dark) & 0x7ff;
        if (i >= 10 && (last == 0x5d || last == 0x5d0)) /* 1011101 beside four light ones */
            penalty += 40;
    }
    return penalty;
}

/* The penalty of the whole symbol: its lines, blocks of one colour, and too much of one. */
static unsigned penalty_of(const struct qr *qr)
{
    unsigned penalty = 0, dark = 0;
    for (size_t i = 0; i < QR_SIZE; i++) {
        penalty += penalty_of_line(qr, false, i) + penalty_of_line(qr, true, i);
        for (size_t j = 0; j < QR_SIZE; j++) {
            dark += qr->dark[i][j];
            if (i && j && qr->dark[i][j] == qr->dark[i - 1][j] &&
                qr->dark[i][j] == qr->dark[i][j - 1] &&
                qr->dark[i][j] == qr->dark[i - 1][j - 1])
                penalty += 3;
        }
    }
    const unsigned all = QR_SIZE * QR_SIZE;
    unsigned off = 2 * dark > all ? 2 * dark - all : all - 2 * dark;
    return penalty + 10 * (off * 10 / all); /* 10 for each 5 % away from the half */
}

bool qr_make(struct qr *qr, const char *text)
{
    uint8_t words[WORDS] = { 0 };
    unsigned best = 0, lowest = ~0u;
    size_t length = text_length(text);
    if (length > QR_TEXT_MAX)
        return false;
    put_text(words, text, length);
    put_error_correction(words);
    put_fixed(qr);
    put_words(qr, words);
    for (unsigned mask = 0; mask < MASKS; mask++) {
        apply_mask(qr, mask);
        put_format(qr, mask);
        unsigned penalty = penalty_of(qr);
        best = penalty < lowest ? mask : best;
        lowest = penalty < lowest ? penalty : lowest;
        apply_mask(qr, mask);
    }
    apply_mask(qr, best);
    put_format(qr, best);
    return true;
}
