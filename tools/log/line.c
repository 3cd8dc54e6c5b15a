/*
 * The fields of a line.  Every value has one form only: a log that says the same in other
 * words was not written by the kernel.
 */
#include "line.h"

#include <stdlib.h>
#include <string.h>

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

bool line_word(struct line *line, const char *wanted, struct span *out)
{
    if (line->rest.length == 0)
        return log_error(line->log, line->log->line, "%.*s: the line ends, want %s",
                         SPAN(line->word), wanted);
    return take_word(line, out) ||
           log_error(line->log, line->log->line, "%.*s: a space too many, want %s",
                     SPAN(line->word), wanted);
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

static bool take_value(struct line *line, const struct log_field *field, struct span *out)
{
    return field->type == LOG_QUOTED ? take_quoted(line, out) : take_word(line, out);
}

static bool wrong_field(struct line *line, const struct log_field *field, struct span got)
{
    char wanted[LOG_LINE_MAX];
    struct text text = text_into(wanted, sizeof(wanted));

    field_wanted(field, &text);
    return log_error(line->log, line->log->line, "%.*s: got \"%.*s\", want %.*s=%s",
                     SPAN(line->word), SPAN(got), SPAN(log_key(field)), wanted);
}

static bool wrong_value(struct line *line, const struct log_field *field, struct span got)
{
    char wanted[LOG_LINE_MAX];
    struct text text = text_into(wanted, sizeof(wanted));

    field_wanted(field, &text);
    text_string(&text, field->type == LOG_COUNT ? " from 1" : "");
    text_string(&text, field->type == LOG_HEX ? " of 32 bits" : "");
    return log_error(line->log, line->log->line, "%.*s: got %.*s=%.*s, want %s",
                     SPAN(line->word), SPAN(log_key(field)), SPAN(got), wanted);
}

/* True if the value has the form of the field, and is wrong all the same. */
static bool has_form(const struct log_field *field, struct span value)
{
    uint64_t number;

    return field->words || field->type >= LOG_EVENT ||
           (field->type == LOG_COUNT && read_decimal(value, &number)) ||
           (field->type == LOG_HEX && read_hex(value, &number));
}

/* True of a flag that is a word, without a value. */
static bool is_bare(const struct log_field *field)
{
    return field->type == LOG_FLAG && !field->words;
}

bool line_field(struct line *line, const struct log_field *field, void *says,
                struct span *value)
{
    const struct span before = line->rest, key = log_key(field);

    *value = (struct span){ NULL, 0 };
    if (is_bare(field))
        return take_word(line, value) && field_value(field, *value, says);
    if (before.length <= key.length || memcmp(before.at, key.at, key.length) != 0 ||
        before.at[key.length] != '=')
        return wrong_field(line, field, before);
    line->rest.at += key.length + 1;
    line->rest.length -= key.length + 1;
    if (!take_value(line, field, value))
        return wrong_field(line, field, before);
    return field_value(field, *value, says) ||
           (has_form(field, *value) ? wrong_value(line, field, *value)
                                    : wrong_field(line, field, before));
}

/* Is this field next, with which an optional group begins? */
static bool group_is_next(const struct line *line, const struct log_field *field)
{
    const struct span key = log_key(field);
    char after = line->rest.length > key.length ? line->rest.at[key.length] : ' ';

    return line->rest.length >= key.length &&
           memcmp(line->rest.at, key.at, key.length) == 0 &&
           after == (is_bare(field) ? ' ' : '=');
}

bool line_parse(struct line *line, enum log_line word)
{
    const struct log_field *field = log_words[word].fields, *skipped_to = field;
    struct span *value = line->values;

    line->fields = field;
    if (field->type == LOG_OWN)
        return true;
    memset(&line->says, 0, sizeof(line->says));
    for (; field->key && field->type != LOG_OWN; field++, value++) {
        if (log_opens_group(field) && field >= skipped_to && !group_is_next(line, field))
            skipped_to = log_group_end(field);
        if (field < skipped_to)
            *value = (struct span){ NULL, 0 };
        else if (!line_field(line, field, &line->says, value))
            return false;
    }
    return true;
}

/* Of two fields of this name the one that is there; LINE_FIELDS_MAX: there is no such name.
 */
static size_t index_of(const struct line *line, const char *key)
{
    size_t found = LINE_FIELDS_MAX;

    for (size_t i = 0; line->fields[i].key && line->fields[i].type != LOG_OWN; i++)
        if (span_is(log_key(&line->fields[i]), key) &&
            (found == LINE_FIELDS_MAX || line->values[i].at))
            found = i;
    if (found == LINE_FIELDS_MAX)
        abort(); /* the row has no such field */
    return found;
}

struct span *line_value(struct line *line, const char *key)
{
    return &line->values[index_of(line, key)];
}

struct span line_text(const struct line *line, const char *key)
{
    const struct span text = line->values[index_of(line, key)];

    return text.at ? text : (struct span){ "", 0 };
}

bool line_has_if(const struct line *line, const char *key, bool wanted)
{
    const bool has = line->values[index_of(line, key)].at;

    return has == wanted || log_error(line->log, line->log->line,
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

static void put_field(const struct log_field *field, struct span value, bool is_emptied,
                      struct text *out)
{
    const bool is_quoted = field->type == LOG_QUOTED;

    text_string(out, " ");
    if (!is_bare(field)) {
        text_span(out, log_key(field));
        text_string(out, is_quoted ? "=\"" : "=");
    }
    text_bytes(out, value.at, is_emptied ? 0 : value.length);
    text_string(out, is_quoted ? "\"" : "");
}

void line_put(const struct line *line, char mark, struct text *out)
{
    text_span(out, line->word);
    for (size_t i = 0; line->fields[i].key && line->fields[i].type != LOG_OWN; i++) {
        const struct log_field *field = &line->fields[i];
        const bool is_marked = field->mark && field->mark == mark;

        if (line->values[i].at && !(is_marked && mark == '-'))
            put_field(field, line->values[i], is_marked, out);
    }
    if (line->rest.length) {
        text_string(out, " ");
        text_span(out, line->rest);
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
