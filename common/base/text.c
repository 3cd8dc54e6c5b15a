#include "text.h"

static void put_char(struct text *text, char c)
{
    if (text->capacity == 0 ||
        text->length >= text->capacity - 1) { /* one is for the NUL */
        text->overflow = true;
        return;
    }
    text->at[text->length++] = c;
    text->at[text->length] = '\0';
}

struct text text_into(char *buffer, size_t capacity)
{
    if (capacity > 0)
        buffer[0] = '\0';
    return (struct text){ .at = buffer, .capacity = capacity };
}

void text_string(struct text *text, const char *string)
{
    while (*string)
        put_char(text, *string++);
}

void text_strings(struct text *text, const char *const *strings)
{
    while (*strings)
        text_string(text, *strings++);
}

void text_decimal(struct text *text, uint64_t value)
{
    char digits[20]; /* of 2^64 - 1, last digit first */
    size_t count = 0;

    do
        digits[count++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    while (count > 0)
        put_char(text, digits[--count]);
}

void text_hex(struct text *text, uint64_t value)
{
    int digits = 1;

    while (digits < 16 && value >> (4 * digits))
        digits++;
    text_hex_padded(text, value, digits);
}

void text_hex_padded(struct text *text, uint64_t value, int digits)
{
    for (int i = digits - 1; i >= 0; i--)
        put_char(text, "0123456789abcdef"[i < 16 ? value >> (4 * i) & 15 : 0]);
}

void text_base64(struct text *text, const uint8_t *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                 "0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        uint32_t three = (uint32_t)bytes[i] << 16;
        if (i + 1 < count)
            three |= (uint32_t)bytes[i + 1] << 8;
        if (i + 2 < count)
            three |= bytes[i + 2];
        char four[5] = { digits[three >> 18], digits[three >> 12 & 63],
                         i + 1 < count ? digits[three >> 6 & 63] : '=',
                         i + 2 < count ? digits[three & 63] : '=', 0 };
        text_string(text, four);
    }
}
