#include "span.h"

#include <string.h>

bool span_is(struct span span, const char *text)
{
    return span.length == strlen(text) && memcmp(span.at, text, span.length) == 0;
}

bool span_same(struct span a, struct span b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

bool span_begins(struct span span, const char *with)
{
    const size_t length = strlen(with);

    return span.length >= length && memcmp(span.at, with, length) == 0;
}

/* True if all eight are from space to tilde. */
static bool eight_printable(const char *at)
{
    const uint64_t ones = 0x0101010101010101ull, tops = 0x80 * ones;
    uint64_t eight;

    memcpy(&eight, at, sizeof(eight));
    /* No byte has its top bit; none is above tilde; none is below space. */
    return !((eight | (eight + ones) | ~((eight | tops) - ' ' * ones)) & tops);
}

size_t span_printable(struct span span)
{
    size_t i = 0;

    while (span.length - i >= 8 && eight_printable(span.at + i))
        i += 8;
    while (i < span.length && span.at[i] >= ' ' && span.at[i] <= '~')
        i++;
    return i;
}

bool read_decimal(struct span text, uint64_t *out)
{
    *out = 0;
    if (text.length == 0 || (text.length > 1 && text.at[0] == '0'))
        return false;
    for (size_t i = 0; i < text.length; i++) {
        unsigned digit = (unsigned)(text.at[i] - '0');

        if (digit > 9 || __builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, digit, out))
            return false;
    }
    return true;
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;

    return at ? (int)(at - digits) : -1;
}

bool read_hex(struct span text, uint64_t *out)
{
    *out = 0;
    if (text.length < 3 || text.length > 18 || memcmp(text.at, "0x", 2) != 0 ||
        (text.length > 3 && text.at[2] == '0'))
        return false;
    for (size_t i = 2; i < text.length; i++) {
        int digit = hex_digit(text.at[i]);

        if (digit < 0)
            return false;
        *out = *out << 4 | (unsigned)digit;
    }
    return true;
}
