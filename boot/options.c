/* options.h */
#include "options.h"

#define COM1            0x3f8
#define DEFAULT_TIMEOUT 60 /* seconds a run */

struct options options_default(void)
{
    return (struct options){ .serial_port = COM1, .timeout = DEFAULT_TIMEOUT };
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* What follows the key and its equals sign, or NULL. */
static const char *value_of(const char *word, const char *key)
{
    while (*key && *word == *key)
        word++, key++;
    return *key || *word != '=' ? NULL : word + 1;
}

static bool is_word(const char *word, const char *other)
{
    while (*word && *word == *other)
        word++, other++;
    return *word == *other;
}

static bool copy_list(char *list, const char *value)
{
    size_t i = 0;
    while (value[i] && i + 1 < LIST_SIZE) {
        list[i] = value[i];
        i++;
    }
    list[i] = 0;
    return !value[i];
}

/* Decimal, or hexadecimal after 0x. */
static bool read_number(const char *text, uint32_t highest, uint32_t *out)
{
    uint32_t base = text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10;
    uint64_t value = 0;
    if (base == 16)
        text += 2;
    if (!*text)
        return false;
    for (; *text; text++) {
        char c = (char)(*text | 0x20);
        uint32_t digit = c >= 'a' ? (uint32_t)(c - 'a' + 10) : (uint32_t)(*text - '0');
        if (digit >= base)
            return false;
        value = value * base + digit;
        if (value > highest)
            return false;
    }
    *out = (uint32_t)value;
    return true;
}

static bool apply(struct options *options, const char *word)
{
    const char *value;
    uint32_t number;
    if ((value = value_of(word, "workload")))
        return copy_list(options->workloads, value);
    if ((value = value_of(word, "method")))
        return copy_list(options->methods, value);
    if ((value = value_of(word, "serial"))) {
        if (!read_number(value, UINT16_MAX, &number))
            return false;
        options->serial_port = (uint16_t)number;
        return true;
    }
    if ((value = value_of(word, "timeout")))
        return read_number(value, UINT32_MAX, &options->timeout);
    if ((value = value_of(word, "cycles")))
        return read_number(value, UINT32_MAX, &options->cycles);
    if (is_word(word, "exit-boot-services")) {
        options->exit_boot_services = true;
        return true;
    }
    if (is_word(word, "bench")) {
        options->bench = true;
        return true;
    }
    return false;
}

const char *options_parse(struct options *options, char *text)
{
    for (;;) {
        while (is_space(*text))
            text++;
        if (*text == '#') {
            while (*text && *text != '\n')
                text++;
            continue;
        }
        if (!*text)
            return NULL;
        char *word = text;
        while (*text && !is_space(*text))
            text++;
        bool more = *text;
        *text = 0;
        if (!apply(options, word))
            return word;
        if (!more)
            return NULL;
        text++;
    }
}
