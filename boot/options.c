/* options.h */
#include "options.h"

#include "number.h"

#define DEFAULT_TIMEOUT 60 /* seconds a run */

#define BAUD_LEAST  300u
#define BAUD_MOST   4000000u
#define CLOCK_LEAST 100000u /* Hz; no UART is that slow, or that fast */
#define CLOCK_MOST  1000000000u

struct options options_default(void)
{
    return (struct options){ .timeout = DEFAULT_TIMEOUT };
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

static bool read_between(const char *text, uint32_t least, uint32_t most, uint32_t *out)
{
    uint64_t value;
    if (!number_read(text, most, &value) || value < least)
        return false;
    *out = (uint32_t)value;
    return true;
}

/* What follows a prefix and its colon, or NULL. */
static const char *behind(const char *text, const char *prefix)
{
    while (*prefix && *text == *prefix)
        text++, prefix++;
    return *prefix || *text != ':' ? NULL : text + 1;
}

/*
 * A port number, or the way to it as Linux's earlycon= names it.  Nobody can tell by
 * looking how fast a UART in memory is clocked, so its speed is left as it is.
 */
static bool read_serial(struct options *options, const char *value)
{
    static const struct {
        const char *prefix;
        bool mmio;
        uint8_t bytes;
    } ways[] = { { "io", false, 1 },
                 { "mmio", true, 1 },
                 { "mmio16", true, 2 },
                 { "mmio32", true, 4 } };
    struct serial_port port = { .from = "option", .stride = 1, .width = 1 };
    const char *number = value;
    if (is_word(value, "none") || is_word(value, "0")) {
        options->serial = SERIAL_NONE;
        return true;
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const char *rest = behind(value, ways[i].prefix);
        if (!rest)
            continue;
        number = rest;
        port.mmio = ways[i].mmio;
        port.stride = port.width = ways[i].bytes;
    }
    if (!number_read(number, port.mmio ? SERIAL_MMIO_LAST : SERIAL_IO_LAST,
                     &port.address) ||
        !port.address || port.address % port.stride)
        return false;
    port.clock = port.mmio ? 0 : SERIAL_CLOCK;
    port.baud = port.mmio ? 0 : SERIAL_BAUD;
    options->serial = SERIAL_GIVEN;
    options->serial_port = port;
    return true;
}

static bool apply(struct options *options, const char *word)
{
    const char *value;
    if ((value = value_of(word, "workload")))
        return copy_list(options->workloads, value);
    if ((value = value_of(word, "method")))
        return copy_list(options->methods, value);
    if ((value = value_of(word, "serial")))
        return read_serial(options, value);
    if ((value = value_of(word, "baud")))
        return read_between(value, BAUD_LEAST, BAUD_MOST, &options->baud);
    if ((value = value_of(word, "clock")))
        return read_between(value, CLOCK_LEAST, CLOCK_MOST, &options->clock);
    if ((value = value_of(word, "timeout")))
        return read_between(value, 0, UINT32_MAX, &options->timeout);
    if ((value = value_of(word, "cycles")))
        return read_between(value, 0, UINT32_MAX, &options->cycles);
    if (is_word(word, "monitor")) {
        options->monitor = true;
        return true;
    }
    if (is_word(word, "exit-boot-services")) {
        options->exit_boot_services = true;
        return true;
    }
    if ((value = value_of(word, "exit"))) {
        options->returns = is_word(value, "return");
        return options->returns;
    }
    if (is_word(word, "retry")) {
        options->retry = true;
        return true;
    }
    if (is_word(word, "bench")) {
        options->bench = true;
        return true;
    }
    return false;
}

/* Appends a command, without the space behind it. */
static bool add_command(struct options *options, const char *text, size_t length)
{
    size_t at = 0;
    while (options->commands[at])
        at++;
    while (length && is_space(text[length - 1]))
        length--;
    if (!length || at + length + 2 > COMMANDS_SIZE)
        return false;
    for (size_t i = 0; i < length; i++)
        options->commands[at++] = text[i];
    options->commands[at++] = '\n';
    options->commands[at] = 0;
    return true;
}

static bool is_do(const char *text)
{
    return text[0] == 'd' && text[1] == 'o' && (text[2] == ' ' || text[2] == '\t');
}

/* A command goes as far as ; or # or the end of the line.  Returns what follows, or NULL.
 */
static char *take_command(struct options *options, char *text)
{
    char *end = text + 2;
    while (*end == ' ' || *end == '\t')
        end++;
    char *begin = end;
    while (*end && *end != '\n' && *end != ';' && *end != '#')
        end++;
    if (add_command(options, begin, (size_t)(end - begin)))
        return *end == ';' ? end + 1 : end;
    *end = 0;
    return NULL;
}

static char *take_word(struct options *options, char *text)
{
    char *end = text;
    while (*end && !is_space(*end))
        end++;
    bool more = *end;
    *end = 0;
    return !apply(options, text) ? NULL : more ? end + 1 : end;
}

static char *past_comment(char *text)
{
    while (*text && *text != '\n')
        text++;
    return text;
}

const char *options_parse(struct options *options, char *text)
{
    while (*text) {
        char *begin = text;
        if (is_space(*text))
            text++;
        else if (*text == '#')
            text = past_comment(text);
        else if (is_do(text))
            text = take_command(options, text);
        else
            text = take_word(options, text);
        if (!text)
            return begin;
    }
    return NULL;
}
