/*
 * The fields of a line.  Every value has one form only: a log that says the same in other
 * words was not written by the kernel.
 */
#include "line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facility.h"
#include "parsed.h"

/* Up to the next space, which is taken too; a space must have something after it. */
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
    line->log = log;
    line->rest = body;
    return take_word(line, &line->word) ||
           log_error(log, log->line,
                     "\"%.*s\": want a word and its arguments, separated by a space",
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

/* The parts of a field, as "secure_boot=on|off|unknown" or "about=q-". */
struct field {
    const char *key, *type;
    size_t key_length, type_length;
    char mark; /* - or !, or 0 */
};

static struct field field_at(const char *at)
{
    const char *end = log_field_end(at), *equals = memchr(at, '=', (size_t)(end - at));
    struct field field = { .key = at, .type = equals ? equals + 1 : end };

    field.mark = end[-1] == '-' || end[-1] == '!' ? end[-1] : 0;
    field.key_length = (size_t)((equals ? equals : end) - at);
    field.type_length = (size_t)(end - field.type) - (field.mark && equals ? 1 : 0);
    return field;
}

static bool is_type(const struct field *field, const char *type)
{
    return strncmp(field->type, type, field->type_length) == 0 &&
           type[field->type_length] == 0;
}

/* True of a field whose words the grammar lists, as on|off or 1. */
static bool is_choice(const struct field *field)
{
    return field->type_length > 1 || *field->type < 'a';
}

/* The n-th word that the field can be, without an end; 0: there are no more. */
static size_t choice(const struct field *field, size_t n, const char **at)
{
    const char *end = field->type + field->type_length, *bar = NULL;

    if (is_type(field, "facility")) {
        *at = n < FACILITY_COUNT ? facility_names[n] : "";
        return strlen(*at);
    }
    for (*at = field->type; *at < end; *at = bar + 1) {
        bar = memchr(*at, '|', (size_t)(end - *at));
        bar = bar ? bar : end;
        if (n-- == 0)
            return (size_t)(bar - *at);
    }
    return 0;
}

static bool take_choice(const struct field *field, struct value *out)
{
    const char *at;
    size_t length;

    for (; (length = choice(field, out->number, &at)); out->number++)
        if (length == out->text.length && memcmp(at, out->text.at, length) == 0)
            return true;
    return false;
}

static bool take_value(struct line *line, const struct field *field, struct value *out)
{
    if (is_type(field, "q"))
        return take_quoted(line, &out->text);
    if (!take_word(line, &out->text))
        return false;
    if (is_choice(field))
        return take_choice(field, out);
    switch (*field->type) {
    case 'w':
        return !memchr(out->text.at, '"', out->text.length);
    case 'd':
        return read_decimal(out->text, &out->number);
    case 'a':
        out->absent = span_is(out->text, "absent");
        return out->absent || read_hex(out->text, &out->number);
    default:
        return read_hex(out->text, &out->number);
    }
}

/* "mp-services, init-sipi or none", or a form as "0xN". */
static void put_wish(const struct field *field, struct text *out)
{
    static const char *const forms[] = { ['w'] = "TEXT",
                                         ['q'] = "\"TEXT\"",
                                         ['d'] = "N",
                                         ['x'] = "0xN",
                                         ['a'] = "0xN or absent" };
    const char *at, *next;

    if (!is_choice(field)) {
        text_string(out, forms[(int)*field->type]);
        return;
    }
    for (size_t n = 0, length; (length = choice(field, n, &at)); n++) {
        if (n)
            text_string(out, choice(field, n + 1, &next) ? ", " : " or ");
        text_bytes(out, at, length);
    }
}

static bool wrong_field(struct line *line, const struct field *field, struct span rest)
{
    char wish[LOG_LINE_MAX];
    struct text text = text_into(wish, sizeof(wish));

    put_wish(field, &text);
    return log_error(line->log, line->log->line, "%.*s: got \"%.*s\", want %.*s=%s",
                     SPAN(line->word), SPAN(rest), (int)field->key_length, field->key,
                     wish);
}

static bool wrong_choice(struct line *line, const struct field *field, struct span got)
{
    char wish[LOG_LINE_MAX];
    struct text text = text_into(wish, sizeof(wish));

    put_wish(field, &text);
    return log_error(line->log, line->log->line, "%.*s: got %.*s=%.*s, want %s",
                     SPAN(line->word), (int)field->key_length, field->key, SPAN(got), wish);
}

/* The field, which must be next.  One without a value is a word. */
bool line_field(struct line *line, const char *at, struct value *out)
{
    const struct field field = field_at(at);
    const struct span before = line->rest;
    const bool has_value = at[field.key_length] == '=';

    *out = (struct value){ .number = 0 };
    if (!has_value)
        return take_word(line, &out->text);
    if (before.length <= field.key_length ||
        memcmp(before.at, at, field.key_length + 1) != 0)
        return wrong_field(line, &field, before);
    line->rest.at += field.key_length + 1;
    line->rest.length -= field.key_length + 1;
    if (take_value(line, &field, out))
        return true;
    return is_choice(&field) && out->text.length ? wrong_choice(line, &field, out->text)
                                                 : wrong_field(line, &field, before);
}

/* Is the first field of an optional group next? */
static bool group_is_next(const struct line *line, const char *at)
{
    size_t length = field_at(at).key_length;
    char after = line->rest.length > length ? line->rest.at[length] : ' ';

    return line->rest.length >= length && memcmp(line->rest.at, at, length) == 0 &&
           after == (at[length] == '=' ? '=' : ' ');
}

/* True at a part of the line that has a parser of its own, as FROM: no field follows it. */
static bool has_own_parser(const char *at)
{
    return *at >= 'A' && *at <= 'Z';
}

/* The field at the beginning of `at`, after spaces and brackets, or NULL. */
static const char *field_from(const char *at)
{
    at += strspn(at, " []");
    return *at && !has_own_parser(at) ? at : NULL;
}

bool line_parse(struct line *line, const char *fields, struct value values[LINE_FIELDS_MAX])
{
    const char *at = fields, *skipped_to = fields;

    line->fields = fields;
    line->values = values;
    while (*at) {
        if (*at == '[' && at >= skipped_to && !group_is_next(line, at + 1))
            skipped_to = log_group_end(at + 1);
        if (*at == ' ' || *at == '[' || *at == ']') {
            at++;
            continue;
        }
        if (has_own_parser(at))
            return true;
        if (at < skipped_to)
            *values = (struct value){ .number = 0 };
        else if (!line_field(line, at, values))
            return false;
        values++;
        at = log_field_end(at);
    }
    return true;
}

struct value *line_value(const struct line *line, const char *key)
{
    struct value *value = line->values, *found = NULL;
    const size_t length = strlen(key);

    for (const char *at = field_from(line->fields); at;
         at = field_from(log_field_end(at)), value++)
        if (strncmp(at, key, length) == 0 && strchr("= ]", at[length]) &&
            (!found || value->text.at))
            found = value;
    if (!found)
        abort(); /* the grammar has no such field */
    return found;
}

bool line_has(const struct line *line, const char *key)
{
    return line_value(line, key)->text.at;
}

uint64_t line_number(const struct line *line, const char *key)
{
    return line_value(line, key)->number;
}

struct span line_text(const struct line *line, const char *key)
{
    struct span text = line_value(line, key)->text;

    return text.at ? text : (struct span){ "", 0 };
}

bool line_has_if(const struct line *line, const char *key, bool wanted)
{
    return line_has(line, key) == wanted ||
           log_error(line->log, line->log->line,
                     wanted ? "%.*s: no %s=, which this line must have"
                            : "%.*s: %s=, which this line cannot have",
                     SPAN(line->word), key);
}

bool line_end(struct line *line)
{
    return line->rest.length == 0 ||
           log_error(line->log, line->log->line, "%.*s: \"%.*s\" is too much",
                     SPAN(line->word), SPAN(line->rest));
}

static void put_field(const char *at, const struct value *value, char mark,
                      struct text *out)
{
    const struct field field = field_at(at);
    const bool is_marked = field.mark && field.mark == mark,
               is_quoted = is_type(&field, "q");

    if (!value->text.at || (is_marked && mark == '-'))
        return;
    text_string(out, " ");
    if (at[field.key_length] == '=')
        text_bytes(out, at, field.key_length + 1);
    text_string(out, is_quoted ? "\"" : "");
    text_bytes(out, value->text.at, is_marked ? 0 : value->text.length);
    text_string(out, is_quoted ? "\"" : "");
}

void line_put(const struct line *line, char mark, struct text *out)
{
    const struct value *value = line->values;

    text_bytes(out, line->word.at, line->word.length);
    for (const char *at = field_from(line->fields); at;
         at = field_from(log_field_end(at)), value++)
        put_field(at, value, mark, out);
    if (line->rest.length) {
        text_string(out, " ");
        text_bytes(out, line->rest.at, line->rest.length);
    }
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

bool hex_byte(const char *digits, uint8_t *out)
{
    char text[] = { '0', 'x', '1', digits[0], digits[1] };
    uint64_t number;

    if (!read_hex((struct span){ text, sizeof(text) }, &number))
        return false;
    *out = (uint8_t)number;
    return true;
}
