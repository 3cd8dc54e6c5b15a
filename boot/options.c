/*
 * options.h.  A person reads what is wrong on the screen of a machine that cannot show the
 * file: so it says which line.
 */
#include "options.h"

#define DEFAULT_TIMEOUT 60 /* seconds a run */

#define NAME_SHOWN   20  /* characters                                */
#define IGNORED_SIZE 100 /* of all words that are not ours            */

#define NUL_BYTE "a NUL byte: want plain text in ASCII or UTF-8"

_Static_assert(COMMANDS_SIZE - 2 == 2046, "what take_command says of too many");

struct options options_default(void)
{
    return (struct options){ .timeout = DEFAULT_TIMEOUT };
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Appends a command, without the space after it. */
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

/* The position of the parser, and what is wrong with the word there. */
struct option_parser {
    struct options *options;
    char *at;
    unsigned line;       /* of everybranch.cfg; 0: load options     */
    const char *wrong;   /* a sentence without its place, or NULL   */
    struct text ignored; /* words of the load options, each after a space */
};

static bool is_of_name(char c)
{
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || c == '-' || c == '_' || c == '.';
}

/*
 * Logs are published, and a word of another system may hold the number of a disk or a
 * password: only its name is shown, if it looks like one.
 */
static void ignore(struct option_parser *reading)
{
    size_t length = 0;
    while (length < NAME_SHOWN && is_of_name(reading->at[length]))
        length++;
    char next = reading->at[length];
    bool is_name = length && (!next || next == '=');
    text_string(&reading->ignored, " ");
    text_bytes(&reading->ignored, is_name ? reading->at : "?",
               is_name ? length + (next == '=') : 1);
}

/* A command goes as far as ; or # or the end of the line. */
static void take_command(struct option_parser *reading)
{
    char *begin = reading->at + 2;
    while (*begin == ' ' || *begin == '\t')
        begin++;
    char *end = begin;
    while (*end && *end != '\n' && *end != ';' && *end != '#')
        end++;
    reading->at = *end == ';' ? end + 1 : end;
    if (!add_command(reading->options, begin, (size_t)(end - begin)))
        reading->wrong = begin == end || is_space(*begin)
                             ? "do: want a command of the monitor after it"
                             : "do: want at most 2046 characters of commands in all";
}

static void take_word(struct option_parser *reading)
{
    char *end = reading->at;
    while (*end && !is_space(*end))
        end++;
    char separator = *end;
    *end = 0;
    if (!reading->line && !setting_is_meant(reading->at))
        ignore(reading);
    else
        reading->wrong = setting_read(reading->at, reading->options);
    if (setting_named(reading->at) == &settings[SETTING_WORKLOAD])
        reading->options->workloads_line = reading->line;
    *end = separator;
    reading->at = end;
}

static void past_comment(struct option_parser *reading)
{
    while (*reading->at && *reading->at != '\n')
        reading->at++;
}

/* As far as the first word that is wrong. */
static void read_all(struct option_parser *reading)
{
    while (*reading->at && !reading->wrong) {
        reading->line += reading->line && *reading->at == '\n';
        if (is_space(*reading->at))
            reading->at++;
        else if (*reading->at == '#')
            past_comment(reading);
        else if (is_do(reading->at))
            take_command(reading);
        else
            take_word(reading);
    }
}

static char said[SETTING_SENTENCE + 64];

/* Says what is wrong, after its place. */
static const char *say(unsigned line, const char *wrong)
{
    struct text out = text_into(said, sizeof said);
    text_string(&out, line ? "everybranch.cfg:" : "in the load options");
    if (line)
        text_decimal(&out, line);
    text_string(&out, ": ");
    text_string(&out, wrong);
    return said;
}

/* The line of the first NUL before the end, or 0. */
static unsigned line_of_nul(const char *text, size_t size)
{
    unsigned line = 1;
    for (size_t i = 0; i < size; i++) {
        line += text[i] == '\n';
        if (!text[i])
            return line;
    }
    return 0;
}

const char *options_of_file(struct options *options, char *text, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf"; /* Windows' editors begin UTF-8 with it */
    unsigned line = line_of_nul(text, size);
    struct option_parser reading = { options, text, 1, NULL, { 0 } };
    if (line)
        return say(line, NUL_BYTE);
    if (text_begins(text, mark))
        reading.at += sizeof mark - 1;
    read_all(&reading);
    return reading.wrong ? say(reading.line, reading.wrong) : NULL;
}

/* Text goes as far as a NUL, if it has one.  False: that is no text. */
static bool read_utf16(const uint8_t *data, size_t bytes, struct text *out)
{
    bool is_text = bytes % 2 == 0;
    for (size_t i = 0; i + 1 < bytes && is_text && (data[i] || data[i + 1]); i += 2) {
        const char c = (char)data[i];
        is_text = !data[i + 1] && (is_space(c) || (c >= ' ' && c <= '~'));
        text_bytes(out, &c, 1);
    }
    return is_text && (out->length || bytes <= 2);
}

static bool are_zeros(const uint8_t *data, size_t bytes)
{
    while (bytes && !data[bytes - 1])
        bytes--;
    return !bytes;
}

static char *after_program_name(char *text)
{
    size_t end = 0;
    while (text[end] && text[end] != ' ')
        end++;
    bool program = end >= 4 && text[end - 4] == '.';
    return program ? text + end : text;
}

static const char *ignored_data(size_t bytes)
{
    static char sentence[80];
    struct text out = text_into(sentence, sizeof sentence);
    text_string(&out, "the load options are ");
    text_decimal(&out, bytes);
    text_string(&out, " bytes that are not text: they are ignored");
    return sentence;
}

static const char *ignored_words(const struct text *words)
{
    static char sentence[IGNORED_SIZE + 80];
    struct text out = text_into(sentence, sizeof sentence);
    if (!words->length)
        return NULL;
    text_string(&out, "these words of the load options are not ours, and are ignored:");
    text_string(&out, words->at);
    text_string(&out, words->overflow ? "..." : "");
    return sentence;
}

const char *options_of_load(struct options *options, const void *data, size_t bytes,
                            struct text words, const char **ignored)
{
    char names[IGNORED_SIZE];
    struct option_parser reading = { options, words.at, 0, NULL,
                                     text_into(names, sizeof names) };
    *ignored = NULL;
    if (are_zeros(data, bytes))
        return NULL;
    if (!read_utf16(data, bytes, &words)) {
        *ignored = ignored_data(bytes);
        return NULL;
    }
    if (words.overflow)
        return "the load options are longer than 8191 characters";
    reading.at = after_program_name(words.at);
    read_all(&reading);
    *ignored = ignored_words(&reading.ignored);
    return reading.wrong ? say(0, reading.wrong) : NULL;
}
