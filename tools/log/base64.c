/* Bytes on a line in base64: RFC 4648, where the last four characters may end in "=". */
#include "line.h"

#include "parsed.h"

static int digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Four characters to at most three bytes; how many, or -1. */
static int decode_four(const char *four, uint8_t out[3])
{
    int a = digit(four[0]), b = digit(four[1]), c = digit(four[2]), d = digit(four[3]);

    if (a < 0 || b < 0)
        return -1;
    out[0] = (uint8_t)(a << 2 | b >> 4);
    if (four[2] == '=' && four[3] == '=')
        return b & 15 ? -1 : 1;
    if (c < 0)
        return -1;
    out[1] = (uint8_t)(b << 4 | c >> 2);
    if (four[3] == '=')
        return c & 3 ? -1 : 2;
    out[2] = (uint8_t)(c << 6 | d);
    return d < 0 ? -1 : 3;
}

bool line_base64(struct line *line, size_t first, uint8_t *at, uint64_t *size,
                 uint64_t capacity)
{
    struct log *log = line->log;
    struct span text;
    uint8_t three[3];

    if (!line_word(line, "base64", &text))
        return false;
    for (size_t i = 0; i < text.length; i += 4) {
        int count = text.length - i < 4 ? -1 : decode_four(text.at + i, three);

        if (count < 0 || (count < 3 && i + 4 < text.length))
            return log_error(log, log->line, "%.*s: character %zu is not base64",
                             SPAN(line->word), i + 1);
        for (int n = 0; n < count; n++, (*size)++) {
            if (*size == capacity)
                return log_error(log, log->line,
                                 "%.*s: more than the bytes=%llu of line %zu",
                                 SPAN(line->word), (unsigned long long)capacity, first);
            if (at)
                at[*size] = three[n];
        }
    }
    return true;
}
