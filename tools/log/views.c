/*
 * Views.  Each hands the finder what a file's format means: the contents of strings with
 * escapes (JSON and YAML, of docker, LAVA, asciinema and others), the text of a page, mail.
 */
#include "views.h"

#include <stdint.h>
#include <string.h>

#include "count_of.h"
#include "progress.h"
#include "span.h"

#define KEY_MAX 64

/* Text on its way to the finder. */
struct pen {
    struct finder *finder; /* NULL: it is only looked for the opening */
    char text[4096];
    size_t length, line;
};

static void flush(struct pen *pen)
{
    if (pen->finder)
        finder_take(pen->finder, pen->text, pen->length, pen->line);
    pen->length = 0;
}

static void put(struct pen *pen, unsigned c)
{
    if (pen->length == sizeof(pen->text))
        flush(pen);
    pen->text[pen->length++] = c < 0x80 ? (char)c : (char)0xff;
    if (c == '\n')
        flush(pen);
}

/* As it is. */

static void take_text(struct finder *finder, const char *bytes, size_t length,
                      struct progress *progress)
{
    size_t line = 1;

    for (size_t at = 0; at < length;) {
        const char *end = memchr(bytes + at, '\n', length - at);
        const size_t count = end ? (size_t)(end - bytes) + 1 - at : length - at;

        finder_take(finder, bytes + at, count, line++);
        at += count;
        progress_at(progress, at);
    }
    finder_end_piece(finder, line);
}

/* Strings. */

/* Which string of an object or an array it is: the one after this key, or this number. */
struct string_slot {
    char key[KEY_MAX]; /* or the string before it in an array */
    size_t key_length, number;
    bool is_value;  /* after key: */
    bool any;       /* all strings that are no values */
    bool is_second; /* the second one, after whatever    */
};

struct strings {
    struct pen pen;
    const char *bytes;
    size_t length, at, line;
    struct string_slot slot; /* of the string that comes */
    bool twice;              /* quotes in it have a backslash of their own */
};

static unsigned hex_digits(const struct strings *s, size_t at, size_t count)
{
    unsigned value = 0;

    for (size_t i = at; i < at + count; i++) {
        const char c = i < s->length ? s->bytes[i] : 'x';
        const unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                               : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                               : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
                                                      : 16;
        if (digit == 16)
            return 0xff;
        value = value * 16 + digit;
    }
    return value;
}

/* What follows a backslash. */
static void take_escape(struct strings *s)
{
    static const char letters[] = "nrtbfave0", meant[] = "\n\r\t\b\f\a\v\033";
    const char c = s->at < s->length ? s->bytes[s->at] : '\0';
    const char *letter = c ? strchr(letters, c) : NULL;

    s->at++;
    if (c == 'u') {
        put(&s->pen, hex_digits(s, s->at, 4));
        s->at += 4;
    } else if (c == 'x') {
        put(&s->pen, hex_digits(s, s->at, 2));
        s->at += 2;
    } else if (c ==
               '\n') { /* of YAML: the string goes on after the blanks of the next line */
        s->line++;
        while (s->at < s->length && (s->bytes[s->at] == ' ' || s->bytes[s->at] == '\t'))
            s->at++;
    } else if (c == '0' && s->at + 1 < s->length && s->bytes[s->at] >= '0' &&
               s->bytes[s->at] <= '7') {
        put(&s->pen, (unsigned)((s->bytes[s->at] - '0') * 8 + (s->bytes[s->at + 1] - '0')));
        s->at += 2;
    } else {
        put(&s->pen, letter ? (unsigned char)meant[letter - letters] : (unsigned char)c);
    }
    if (s->at > s->length) /* the file ends in the escape */
        s->at = s->length;
}

/* The rest of a string after its first quote. */
static void take_string(struct strings *s, char quote)
{
    s->pen.line = s->line;
    while (s->at < s->length) {
        const char c = s->bytes[s->at++];

        if (c == quote && quote == '\'' && s->at < s->length && s->bytes[s->at] == quote) {
            put(&s->pen, (unsigned char)s->bytes[s->at++]);
        } else if (c == quote) {
            break;
        } else if (c == '\\' && s->twice && s->at + 2 < s->length &&
                   memcmp(s->bytes + s->at, "\\\\\"", 3) == 0) {
            put(&s->pen, '"');
            s->at += 3;
        } else if (c == '\\') {
            take_escape(s);
        } else {
            put(&s->pen, (unsigned char)c);
        }
        if (c == '\n') {
            flush(&s->pen);
            s->pen.line = ++s->line;
            if (quote == '\'')
                break;
        }
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* True if the quote that was just passed begins a string. */
static bool begins_string(const struct strings *s, char quote)
{
    const char before = s->at > 1 ? s->bytes[s->at - 2] : '\n';

    return quote == '"' || is_blank(before) || strchr(",:[{(b=-", before);
}

static void keep_key(struct string_slot *slot, const char *at, size_t length)
{
    slot->key_length = length < KEY_MAX ? length : KEY_MAX;
    memcpy(slot->key, at, slot->key_length);
}

/* Passes to the next string, and works out its slot.  False: there is none. */
static bool next_string(struct strings *s, char *quote)
{
    size_t word = s->at, word_length = 0;

    while (s->at < s->length) {
        const char c = s->bytes[s->at++];

        if ((c == '"' || c == '\'') && begins_string(s, c)) {
            *quote = c;
            return true;
        }
        if (c == '\n')
            s->line++;
        if (c == '\n' || c == '[' || c == '{')
            s->slot = (struct string_slot){ .number = 0 };
        if (c == ':') {
            if (word_length) /* of YAML */
                keep_key(&s->slot, s->bytes + word, word_length);
            s->slot.is_value = true;
        } else if (c == ',') {
            s->slot.is_value = false;
        }
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') {
            if (s->at - 1 != word + word_length)
                word = s->at - 1, word_length = 0;
            word_length++;
        } else {
            word_length = 0;
        }
    }
    return false;
}

static bool same_slot(const struct string_slot *a, const struct string_slot *b)
{
    if (a->any || b->any)
        return !a->is_value && !b->is_value;
    if (!a->is_value && (a->is_second || b->is_second))
        return !b->is_value && a->number == b->number;
    return a->is_value == b->is_value && a->key_length == b->key_length &&
           memcmp(a->key, b->key, a->key_length) == 0 &&
           (a->is_value || a->number == b->number);
}

static void after_string(struct strings *s, size_t from)
{
    const size_t end = s->at > from ? s->at - 1 : from;

    keep_key(&s->slot, s->bytes + from, end - from < KEY_MAX ? end - from : 0);
    s->slot.is_value = false;
    s->slot.number++;
}

/* The slot of the string that has the first line of a log. */
static bool find_slot(const char *bytes, size_t length, struct string_slot *out)
{
    struct strings s = { .bytes = bytes, .length = length, .line = 1 };
    char quote;

    while (next_string(&s, &quote)) {
        const struct string_slot slot = s.slot;
        const size_t from = s.at;

        take_string(&s, quote);
        if (memmem(bytes + from, s.at - from, LOG_OPENING, strlen(LOG_OPENING))) {
            *out = slot;
            out->any = !slot.is_value && slot.number != 1;
            out->is_second = slot.number == 1 && slot.key_length > 1; /* as after a time */
            return true;
        }
        after_string(&s, from);
    }
    *out =
        (struct string_slot){ .key = "o", .key_length = 1, .number = 1 }; /* of asciinema */
    return memmem(bytes, length, "\"o\"", 3);
}

static void take_strings(struct finder *finder, const char *bytes, size_t length,
                         struct progress *progress, bool joined, bool twice)
{
    static struct strings s;
    struct string_slot wanted;
    char quote;

    if (!find_slot(bytes, length, &wanted))
        return;
    s = (struct strings){ .bytes = bytes, .length = length, .line = 1, .twice = twice };
    while (next_string(&s, &quote)) {
        const size_t from = s.at;

        s.pen.finder = same_slot(&s.slot, &wanted) ? finder : NULL;
        take_string(&s, quote);
        flush(&s.pen);
        if (s.pen.finder && !joined)
            finder_end_piece(finder, s.line);
        after_string(&s, from);
        progress_at(progress, s.at);
    }
    finder_end_piece(finder, s.line);
}

static void take_string_lines(struct finder *finder, const char *bytes, size_t length,
                              struct progress *progress)
{
    take_strings(finder, bytes, length, progress, false, false);
}

static void take_strings_twice(struct finder *finder, const char *bytes, size_t length,
                               struct progress *progress)
{
    take_strings(finder, bytes, length, progress, false, true);
}

static void take_string_stream(struct finder *finder, const char *bytes, size_t length,
                               struct progress *progress)
{
    take_strings(finder, bytes, length, progress, true, false);
}

/*
 * Text with the escapes of strings, once or several times: however many backslashes are
 * before a quote, the quote is meant.
 */
static void take_unescaped(struct finder *finder, const char *bytes, size_t length,
                           struct progress *progress)
{
    static struct strings s;

    s = (struct strings){ .bytes = bytes, .length = length, .pen = { .finder = finder } };
    s.pen.line = s.line = 1;
    while (s.at < length) {
        const char c = bytes[s.at++];

        if (c == '\\') {
            while (s.at < length && bytes[s.at] == '\\')
                s.at++;
            take_escape(&s);
        } else {
            put(&s.pen, (unsigned char)c);
        }
        s.line += c == '\n';
        if (s.pen.length == 0)
            s.pen.line = s.line;
        progress_at(progress, s.at);
    }
    flush(&s.pen);
    finder_end_piece(finder, s.line);
}

/* A byte that begins an escape sequence may be a length, or noise, and begin none. */
static void take_bytes(struct finder *finder, const char *bytes, size_t length,
                       struct progress *progress)
{
    static struct pen pen;

    pen.finder = finder;
    pen.length = 0;
    pen.line = 1;
    for (size_t at = 0, line = 1; at < length; at++) {
        const unsigned char c = (unsigned char)bytes[at];

        put(&pen, c >= ' ' || c == '\n' || c == '\r' ? c : 0xff);
        line += c == '\n';
        if (pen.length == 0)
            pen.line = line;
        progress_at(progress, at);
    }
    flush(&pen);
    finder_end_piece(finder, pen.line);
}

/* No-break spaces of UTF-8, as of a page or a chat that text was copied from. */
static void take_spaces(struct finder *finder, const char *bytes, size_t length,
                        struct progress *progress)
{
    static struct pen pen;

    pen.finder = finder;
    pen.length = 0;
    pen.line = 1;
    for (size_t at = 0, line = 1; at < length; at++) {
        const bool space =
            bytes[at] == '\xc2' && at + 1 < length && bytes[at + 1] == '\xa0';

        put(&pen, space ? ' ' : (unsigned char)bytes[at]);
        line += bytes[at] == '\n';
        if (pen.length == 0)
            pen.line = line;
        at += space;
        progress_at(progress, at);
    }
    flush(&pen);
    finder_end_piece(finder, pen.line);
}

/* A page. */

static bool span_among(struct span word, const char *list)
{
    for (const char *at = list; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == word.length && memcmp(at, word.at, word.length) == 0)
            return true;
    return false;
}

/* The length of a tag that begins here, or 0.  *breaks: it ends a line. */
static size_t tag_length(const char *at, size_t length, bool *breaks)
{
    size_t name = 1, end = 1;
    const char *close;

    if (length < 3 || !(at[1] == '/' || at[1] == '!' || (at[1] >= 'a' && at[1] <= 'z') ||
                        (at[1] >= 'A' && at[1] <= 'Z')))
        return 0;
    close = memchr(at, '>', length < 4096 ? length : 4096);
    if (!close)
        return 0;
    name += at[1] == '/';
    for (end = name; at + end < close && at[end] >= 'a' && at[end] <= 'z'; end++)
        ;
    *breaks = span_among((struct span){ at + name, end - name },
                         "br p div tr li td pre table ol ul section");
    return (size_t)(close - at) + 1;
}

/* The length of an entity that begins here, or 0. */
static size_t entity_length(const char *at, size_t length, unsigned *out)
{
    static const struct {
        const char *name;
        unsigned c;
    } entities[] = { { "&lt;", '<' },   { "&gt;", '>' },    { "&amp;", '&' },
                     { "&quot;", '"' }, { "&apos;", '\'' }, { "&nbsp;", ' ' },
                     { "&tilde;", '~' } };
    unsigned value = 0, base = 10;
    size_t i = 2;

    for (size_t k = 0; k < COUNT_OF(entities); k++)
        if (length >= strlen(entities[k].name) &&
            memcmp(at, entities[k].name, strlen(entities[k].name)) == 0) {
            *out = entities[k].c;
            return strlen(entities[k].name);
        }
    if (length < 4 || at[1] != '#')
        return 0;
    if (at[2] == 'x' || at[2] == 'X')
        base = 16, i = 3;
    for (; i < length && i < 10 && at[i] != ';'; i++) {
        const char c = at[i];
        const unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                               : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                               : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
                                                      : 99;
        if (digit >= base)
            return 0;
        value = value * base + digit;
    }
    *out = value < 0x80 ? value : 0xff;
    return i < length && at[i] == ';' ? i + 1 : 0;
}

static void take_page(struct finder *finder, const char *bytes, size_t length,
                      struct progress *progress)
{
    static struct pen pen;

    pen.finder = finder;
    pen.length = 0;
    pen.line = 1;
    for (size_t at = 0, line = 1; at < length;) {
        bool breaks = false;
        unsigned c = 0;
        const size_t tag = bytes[at] == '<' ? tag_length(bytes + at, length - at, &breaks)
                                            : 0,
                     entity =
                         bytes[at] == '&' ? entity_length(bytes + at, length - at, &c) : 0;

        if (tag && breaks)
            put(&pen, '\n');
        else if (entity)
            put(&pen, c);
        else if (!tag)
            put(&pen, (unsigned char)bytes[at]);
        for (size_t i = at; i < at + (tag ? tag : 1); i++)
            line += bytes[i] == '\n';
        if (pen.length == 0)
            pen.line = line;
        at += tag ? tag : entity ? entity : 1;
        progress_at(progress, at);
    }
    flush(&pen);
    finder_end_piece(finder, pen.line);
}

/* A table of comma-separated values, in which a quote is written twice. */

static void take_table(struct finder *finder, const char *bytes, size_t length,
                       struct progress *progress)
{
    static struct pen pen;

    pen.finder = finder;
    pen.length = 0;
    pen.line = 1;
    for (size_t at = 0, line = 1; at < length; at++) {
        put(&pen, (unsigned char)bytes[at]);
        line += bytes[at] == '\n';
        if (pen.length == 0)
            pen.line = line;
        at += bytes[at] == '"' && at + 1 < length && bytes[at + 1] == '"';
        progress_at(progress, at);
    }
    flush(&pen);
    finder_end_piece(finder, pen.line);
}

/* Mail: quoted-printable. */

static void take_mail(struct finder *finder, const char *bytes, size_t length,
                      struct progress *progress)
{
    static struct strings s; /* for its digits */

    s = (struct strings){ .bytes = bytes, .length = length, .pen = { .finder = finder } };
    s.pen.line = s.line = 1;
    while (s.at < length) {
        const char c = bytes[s.at++];
        size_t end = s.at;

        while (end < length && bytes[end] == '\r' && end < s.at + 2)
            end++;
        if (c == '=' && end < length && bytes[end] == '\n') {
            s.at = end + 1;
            s.line++;
        } else if (c == '=' && s.at + 1 < length && hex_digits(&s, s.at, 2) < 0x80) {
            put(&s.pen, hex_digits(&s, s.at, 2));
            s.at += 2;
        } else {
            put(&s.pen, (unsigned char)c);
            s.line += c == '\n';
        }
        if (s.pen.length == 0)
            s.pen.line = s.line;
        progress_at(progress, s.at);
    }
    flush(&s.pen);
    finder_end_piece(finder, s.line);
}

const struct view views[] = {
    { NULL, "", take_text },
    { "escapes of strings were taken back", "\\\" \\u00 \\n \\015 \\042 \\x22 \\~",
      take_unescaped },
    { "no escape sequence was taken for one", "\033 \b", take_bytes },
    { "the lines were in strings", "\" '", take_string_lines },
    { "the lines were in pieces of strings", "\" '", take_string_stream },
    { "the lines were in strings, escaped twice", "\\\\\\\"", take_strings_twice },
    { "the lines were in a table", "\"\"", take_table },
    { "the lines were in a page", "&lt; &gt; &quot; &amp; </ &# &tilde;", take_page },
    { "no-break spaces are blanks", "\xc2\xa0", take_spaces },
    { "the lines were quoted-printable", "=3D =\r =\n", take_mail },
};
const size_t view_count = COUNT_OF(views);

bool view_fits(const struct view *view, const char *bytes, size_t length)
{
    for (const char *at = view->marks; *at; at += strcspn(at, " "), at += *at == ' ')
        if (memmem(bytes, length, at, strcspn(at, " ")))
            return true;
    return false;
}

void view_take(const struct view *view, struct finder *finder, const char *bytes,
               size_t length, struct progress *progress)
{
    view->take(finder, bytes, length, progress);
}
