/*
 * options.h.  A person reads what is wrong on the screen of a machine that cannot show the
 * file: so it says which line.
 */
#include "options.h"

#include "number.h"

#define DEFAULT_TIMEOUT 60 /* seconds a run */

#define BAUD_LEAST  300u
#define BAUD_MOST   4000000u
#define COST_MOST   1000000 /* runs of one method with one workload */
#define CLOCK_LEAST 100000u /* Hz; no UART is that slow, or that fast */
#define CLOCK_MOST  1000000000u

#define WORD_SHOWN 60 /* letters of one that is wrong */

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
    if ((value = value_of(word, "filter")))
        return copy_list(options->filters, value) && kernel_knows_filters(value);
    if ((value = value_of(word, "serial")))
        return read_serial(options, value);
    if ((value = value_of(word, "baud")))
        return read_between(value, BAUD_LEAST, BAUD_MOST, &options->baud);
    if ((value = value_of(word, "clock")))
        return read_between(value, CLOCK_LEAST, CLOCK_MOST, &options->clock);
    if ((value = value_of(word, "timeout")))
        return read_between(value, 0, UINT32_MAX, &options->timeout);
    if ((value = value_of(word, "cost")))
        return read_between(value, 1, COST_MOST, &options->cost);
    if ((value = value_of(word, "cycles")))
        return read_between(value, 0, UINT32_MAX, &options->cycles);
    if ((value = value_of(word, "buffer")))
        return read_between(value, 1, UINT32_MAX, &options->buffer);
    if ((value = value_of(word, "threshold")))
        return read_between(value, 1, UINT32_MAX, &options->threshold);
    if ((value = value_of(word, "processors"))) {
        options->processors = PROCESSORS_ALL;
        return is_word(value, "all") ||
               read_between(value, 1, PROCESSORS_MAX, &options->processors);
    }
    if ((value = value_of(word, "together"))) {
        options->different = is_word(value, "different");
        return options->different || is_word(value, "same");
    }
    if ((value = value_of(word, "delivery"))) {
        options->delivery = is_word(value, "nmi") ? DELIVERY_NMI : DELIVERY_FIXED;
        return is_word(value, "nmi") || is_word(value, "fixed");
    }
    if ((value = value_of(word, "event")))
        return event_read(value, &options->event);
    if ((value = value_of(word, "period")))
        return read_between(value, 1, EVENT_PERIOD_MAX, &options->period);
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
    if (is_word(word, "info")) {
        options->info = true;
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
    char separator = *end;
    *end = 0;
    if (!apply(options, text))
        return NULL;
    *end = separator;
    return end;
}

static char *past_comment(char *text)
{
    while (*text && *text != '\n')
        text++;
    return text;
}

/* Returns the first word that is none, NUL-terminated in place, or NULL; *line is its. */
static const char *parse_all(struct options *options, char *text, unsigned *line)
{
    *line = 1;
    while (*text) {
        char *begin = text;
        *line += *text == '\n';
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

static struct {
    char text[160];
    size_t length;
} sentence;

/* Nothing that a console takes for more than a letter. */
static void put(const char *text)
{
    for (; *text && sentence.length + 1 < sizeof sentence.text; text++)
        sentence.text[sentence.length++] = *text < ' ' || *text > '~' ? '?' : *text;
    sentence.text[sentence.length] = 0;
}

static void put_cut(const char *word)
{
    char cut[WORD_SHOWN + 1];
    size_t length = 0;
    for (; length < WORD_SHOWN && word[length]; length++)
        cut[length] = word[length];
    cut[length] = 0;
    put(cut);
    put(word[length] ? "..." : "");
}

static void put_number(unsigned number)
{
    char digits[12];
    size_t at = sizeof digits - 1;
    digits[at] = 0;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    put(&digits[at]);
}

static void begin_with_line(unsigned line)
{
    sentence.length = 0;
    put("everybranch.cfg:");
    put_number(line);
    put(": ");
}

#define NO_SUCH "no such option, or no such value: "

const char *options_of_file(struct options *options, char *text, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf"; /* Windows' editors begin UTF-8 with it */
    unsigned line = 1;
    for (size_t i = 0; i < size; i++) {
        line += text[i] == '\n';
        if (text[i])
            continue;
        begin_with_line(line);
        put("a NUL byte: want plain text in ASCII or UTF-8");
        return sentence.text;
    }
    size_t begin = 0;
    while (mark[begin] && text[begin] == mark[begin])
        begin++;
    const char *bad = parse_all(options, mark[begin] ? text : text + begin, &line);
    if (!bad)
        return NULL;
    begin_with_line(line);
    put(NO_SUCH);
    put_cut(bad);
    return sentence.text;
}

const char *options_of_words(struct options *options, char *text)
{
    unsigned line;
    const char *bad = parse_all(options, text, &line);
    if (!bad)
        return NULL;
    sentence.length = 0;
    put("in the load options: " NO_SUCH);
    put_cut(bad);
    return sentence.text;
}
