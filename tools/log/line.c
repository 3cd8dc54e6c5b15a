/*
 * The fields of a line.  One form only for everything: a log that says the same in
 * other words was not written by the kernel.
 */
#include "line.h"

#include <string.h>

#include "parsed.h"

/* Up to the next space, which is taken too; a space must have something behind it. */
static bool take_word(struct line *line, struct span *out)
{
    const char *space = memchr(line->rest.at, ' ', line->rest.length);

    out->at = line->rest.at;
    out->length = space ? (size_t)(space - line->rest.at) : line->rest.length;
    line->rest.at += out->length + (space ? 1 : 0);
    line->rest.length -= out->length + (space ? 1 : 0);
    return out->length > 0 && !(space && line->rest.length == 0);
}

bool line_begin(struct line *line, struct log *log, struct span body)
{
    *line = (struct line){ .log = log, .rest = body };
    return take_word(line, &line->word) ||
           log_error(log, log->line,
                     "\"%.*s\": want a word and its arguments, a space between",
                     SPAN(body));
}

bool line_word(struct line *line, const char *wish, struct span *out)
{
    if (line->rest.length == 0)
        return log_error(line->log, line->log->line, "%.*s: the line ends, want %s",
                         SPAN(line->word), wish);
    return take_word(line, out) ||
           log_error(line->log, line->log->line, "%.*s: a space too many, want %s",
                     SPAN(line->word), wish);
}

bool line_end(struct line *line)
{
    return line->rest.length == 0 ||
           log_error(line->log, line->log->line, "%.*s: \"%.*s\" is too much",
                     SPAN(line->word), SPAN(line->rest));
}

bool line_next_is(const struct line *line, const char *key)
{
    size_t length = strlen(key);

    return line->rest.length > length && memcmp(line->rest.at, key, length) == 0 &&
           line->rest.at[length] == '=';
}

/* key="text", the text without quotes in it */
static bool take_quoted(struct line *line, struct span *out)
{
    const char *close;

    if (line->rest.length < 2 || line->rest.at[0] != '"')
        return false;
    close = memchr(line->rest.at + 1, '"', line->rest.length - 1);
    if (!close)
        return false;
    out->at = line->rest.at + 1;
    out->length = (size_t)(close - out->at);
    line->rest.length -= out->length + 2;
    line->rest.at = close + 1;
    if (line->rest.length == 0)
        return true;
    if (line->rest.at[0] != ' ' || line->rest.length == 1)
        return false;
    line->rest.at++;
    line->rest.length--;
    return true;
}

static bool take_value(struct line *line, char type, struct value *out)
{
    if (type == 'q')
        return take_quoted(line, &out->text);
    if (!take_word(line, &out->text))
        return false;
    switch (type) {
    case 'w':
        return !memchr(out->text.at, '"', out->text.length);
    case 'd':
        return read_decimal(out->text, &out->number);
    case 'b':
        return read_decimal(out->text, &out->number) && out->number <= 1;
    case 'a':
        out->absent = span_is(out->text, "absent");
        return out->absent || read_hex(out->text, &out->number);
    default:
        return read_hex(out->text, &out->number);
    }
}

static const char *type_wish(char type)
{
    switch (type) {
    case 'w':
        return "TEXT";
    case 'q':
        return "\"TEXT\"";
    case 'd':
        return "N";
    case 'b':
        return "0 or 1";
    case 'a':
        return "0xN or absent";
    default:
        return "0xN";
    }
}

bool line_fields(struct line *line, const char *form, struct value *out)
{
    while (*form) {
        size_t key = strcspn(form, "=");
        char type = form[key + 1];
        struct span before = line->rest;
        bool right = before.length > key && memcmp(before.at, form, key + 1) == 0;

        if (right) {
            line->rest.at += key + 1;
            line->rest.length -= key + 1;
        }
        *out = (struct value){ .number = 0 };
        if (!right || !take_value(line, type, out))
            return log_error(line->log, line->log->line, "%.*s: got \"%.*s\", want %.*s=%s",
                             SPAN(line->word), SPAN(before), (int)key, form,
                             type_wish(type));
        out++;
        form += key + 2;
        form += *form == ' ';
    }
    return true;
}

bool once(struct line *line, size_t *first)
{
    if (*first)
        return log_error(line->log, line->log->line,
                         "a second \"%.*s\"; the first is in line %zu", SPAN(line->word),
                         *first);
    *first = line->log->line;
    return true;
}
