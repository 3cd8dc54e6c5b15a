/* number.h */
#include "number.h"

/* 16 and more: none. */
static uint32_t digit_of(char c)
{
    char small = (char)(c | 0x20);
    if (c >= '0' && c <= '9')
        return (uint32_t)(c - '0');
    return small >= 'a' && small <= 'f' ? (uint32_t)(small - 'a' + 10) : 16;
}

bool number_read(const char *text, uint64_t highest, uint64_t *out)
{
    uint32_t base = text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10;
    uint64_t value = 0;
    if (base == 16)
        text += 2;
    if (!*text)
        return false;
    for (; *text; text++) {
        uint32_t digit = digit_of(*text);
        if (digit >= base || digit > highest)
            return false;
        if (value > (highest - digit) / base)
            return false;
        value = value * base + digit;
    }
    *out = value;
    return true;
}
