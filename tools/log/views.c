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
#define NO_TEXT 0xff /* a byte that is no part of a line */

/* Which string of an object or an array it is: the one after this key, or this number. */
struct string_slot {
    char key[KEY_MAX]; /* or the string before it in an array */
    size_t key_length, number;
    bool is_value;  /* after key: */
    bool any;       /* all strings that are no values */
    bool is_second; /* the second one, after whatever    */
};

/* The bytes of a file, and the text that is made of them on its way to the finder. */
struct scan {
    struct finder *finder; /* NULL: the text is not wanted */
    struct progress *progress;
    const char *bytes;
    size_t length, at;    /* at: the next byte */
    size_t line, counted; /* of the bytes before `counted` */
    char text[4096];
    size_t text_length, text_line;
    struct string_slot slot; /* of the string that comes */
    bool twice;              /* quotes in it have a backslash of their own */
};

/* True if there are more bytes.  Each round of a view begins with it. */
static bool more(struct scan *s)
{
    if (s->at > s->length) /* the file ends in an escape */
        s->at = s->length;
    for (; s->counted < s->at; s->counted++)
        s->line += s->bytes[s->counted] == '\n';
    if (s->finder)
        progress_at(s->progress, s->at);
    return s->at < s->length;
}

static bool begins(const struct scan *s, const char *text)
{
    const size_t length = strlen(text);

    return s->length - s->at >= length && memcmp(s->bytes + s->at, text, length) == 0;
}

/* Passes these bytes, if they come next. */
static bool passes(struct scan *s, const char *text)
{
    const bool comes = begins(s, text);

    s->at += comes ? strlen(text) : 0;
    return comes;
}

static void pass_blanks(struct scan *s)
{
    while (s->at < s->length && (s->bytes[s->at] == ' ' || s->bytes[s->at] == '\t'))
        s->at++;
}

static void flush(struct scan *s)
{
    if (s->finder)
        finder_take(s->finder, s->text, s->text_length, s->text_line);
    s->text_length = 0;
}

static void put_seen(struct scan *s, unsigned c)
{
    if (s->text_length == sizeof(s->text))
        flush(s);
    if (s->text_length == 0)
        s->text_line = s->line;
    s->text[s->text_length++] = (char)(c < 0x80 ? c : NO_TEXT);
    if (c == '\n')
        flush(s);
}

static void put_next(struct scan *s)
{
    put_seen(s, (unsigned char)s->bytes[s->at++]);
}

/* The next word of a list that is separated by spaces; empty: there are no more. */
static struct span next_word(const char **list)
{
    const struct span word = { *list, strcspn(*list, " ") };

    *list += word.length + (word.at[word.length] == ' ');
    return word;
}

/* As it is. */

static void take_text(struct scan *s)
{
    while (s->at < s->length) {
        const char *at = s->bytes + s->at, *end = memchr(at, '\n', s->length - s->at);
        const size_t count = end ? (size_t)(end - at) + 1 : s->length - s->at;

        finder_take(s->finder, at, count, s->line++);
        s->at += count;
        progress_at(s->progress, s->at);
    }
}

/* A byte that begins an escape sequence may be a length, or noise, and begin none. */
static void take_bytes(struct scan *s)
{
    while (more(s)) {
        const unsigned char c = (unsigned char)s->bytes[s->at++];

        put_seen(s, c >= ' ' || c == '\n' || c == '\r' ? c : NO_TEXT);
    }
}

/* No-break spaces of UTF-8, as of a page or a chat that text was copied from. */
static void take_spaces(struct scan *s)
{
    while (more(s))
        if (passes(s, "\xc2\xa0"))
            put_seen(s, ' ');
        else
            put_next(s);
}

/* A table of comma-separated values, in which a quote is written twice. */
static void take_table(struct scan *s)
{
    while (more(s))
        if (passes(s, "\"\""))
            put_seen(s, '"');
        else
            put_next(s);
}

/* The value of a digit in this base, or the base. */
static unsigned digit(char c, unsigned base)
{
    const unsigned value = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
                                                  : base;

    return value < base ? value : base;
}

/* The character that has these hexadecimal digits, or NO_TEXT. */
static unsigned hex_character(const struct scan *s, size_t at, size_t count)
{
    unsigned value = 0;

    for (size_t i = at; i < at + count; i++) {
        if (i >= s->length || digit(s->bytes[i], 16) == 16)
            return NO_TEXT;
        value = value * 16 + digit(s->bytes[i], 16);
    }
    return value;
}

/* Mail: quoted-printable. */
static void take_mail(struct scan *s)
{
    while (more(s)) {
        const unsigned c = begins(s, "=") ? hex_character(s, s->at + 1, 2) : NO_TEXT;

        if (passes(s, "=\n") || passes(s, "=\r\n") || passes(s, "=\r\r\n"))
            continue; /* the line goes on */
        if (c < 0x80) {
            put_seen(s, c);
            s->at += strlen("=XX");
        } else {
            put_next(s);
        }
    }
}

/* Strings. */

/* What follows a backslash. */
static void take_escape(struct scan *s)
{
    static const char letters[] = "nrtbfave0", meant[] = "\n\r\t\b\f\a\v\033";
    const char c = s->at < s->length ? s->bytes[s->at] : '\0';
    const char *letter = c ? strchr(letters, c) : NULL;
    const size_t digits = c == 'u' ? 4 : c == 'x' ? 2 : 0;

    s->at++;
    if (digits) {
        put_seen(s, hex_character(s, s->at, digits));
        s->at += digits;
    } else if (c == '\n') { /* of YAML: the string goes on in the next line */
        pass_blanks(s);
    } else if (c == '0' && s->at + 1 < s->length && digit(s->bytes[s->at], 8) < 8) {
        put_seen(s, (unsigned)((s->bytes[s->at] - '0') * 8 + (s->bytes[s->at + 1] - '0')));
        s->at += 2;
    } else {
        put_seen(s, letter ? (unsigned char)meant[letter - letters] : (unsigned char)c);
    }
}

/*
 * Text with the escapes of strings, once or several times: however many backslashes are
 * before a quote, the quote is meant.
 */
static void take_unescaped(struct scan *s)
{
    while (more(s)) {
        if (!passes(s, "\\")) {
            put_next(s);
            continue;
        }
        while (passes(s, "\\"))
            ;
        take_escape(s);
    }
}

/* The rest of a string after its first quote. */
static void take_string(struct scan *s, char quote)
{
    while (more(s)) {
        const char c = s->bytes[s->at];

        if (quote == '\'' && passes(s, "''")) {
            put_seen(s, '\'');
        } else if (c == quote) {
            s->at++;
            break;
        } else if (s->twice && passes(s, "\\\\\\\"")) {
            put_seen(s, '"');
        } else if (passes(s, "\\")) {
            take_escape(s);
        } else {
            put_next(s);
            if (c == '\n' && quote == '\'')
                break;
        }
    }
    more(s);
    flush(s);
}

/* True if the quote that was just passed begins a string. */
static bool begins_string(const struct scan *s, char quote)
{
    const char before = s->at > 1 ? s->bytes[s->at - 2] : '\n';

    return quote == '"' || strchr(" \t\r\n,:[{(b=-", before);
}

static void keep_key(struct string_slot *slot, const char *at, size_t length)
{
    slot->key_length = length < KEY_MAX ? length : KEY_MAX;
    memcpy(slot->key, at, slot->key_length);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Passes to the next string, and works out its slot.  False: there is none. */
static bool next_string(struct scan *s, char *quote)
{
    size_t word = s->at, word_length = 0; /* the letters before this byte */

    while (more(s)) {
        const char c = s->bytes[s->at++];
        const bool is_of_word = is_letter(c) || c == '_';

        if ((c == '"' || c == '\'') && begins_string(s, c)) {
            *quote = c;
            return true;
        }
        if (c == '\n' || c == '[' || c == '{')
            s->slot = (struct string_slot){ .number = 0 };
        if (c == ':') {
            if (word_length) /* of YAML */
                keep_key(&s->slot, s->bytes + word, word_length);
            s->slot.is_value = true;
        } else if (c == ',') {
            s->slot.is_value = false;
        }
        word_length = is_of_word ? word_length + 1 : 0;
        word = s->at - word_length;
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

static void after_string(struct scan *s, size_t from)
{
    const size_t end = s->at > from ? s->at - 1 : from;

    keep_key(&s->slot, s->bytes + from, end - from < KEY_MAX ? end - from : 0);
    s->slot.is_value = false;
    s->slot.number++;
}

/* The slot of the string that has the first line of a log. */
static bool find_slot(const char *bytes, size_t length, struct string_slot *out)
{
    struct scan s = { .bytes = bytes, .length = length };
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

static void take_strings(struct scan *s, bool each_ends)
{
    struct finder *finder = s->finder;
    struct string_slot wanted;
    char quote;

    if (!find_slot(s->bytes, s->length, &wanted))
        return;
    while (next_string(s, &quote)) {
        const size_t from = s->at;

        s->finder = same_slot(&s->slot, &wanted) ? finder : NULL;
        take_string(s, quote);
        if (s->finder && each_ends)
            finder_end_piece(finder);
        after_string(s, from);
    }
    s->finder = finder;
}

static void take_string_lines(struct scan *s)
{
    take_strings(s, true);
}

static void take_string_stream(struct scan *s)
{
    take_strings(s, false);
}

static void take_strings_twice(struct scan *s)
{
    s->twice = true;
    take_strings(s, true);
}

/* A page. */

/* The length of a tag that comes next, or 0.  *breaks: it ends a line. */
static size_t tag_length(const struct scan *s, bool *breaks)
{
    const char *at = s->bytes + s->at, *list = "br p div tr li td pre table ol ul section";
    const size_t left = s->length - s->at;
    const char *close = at[0] == '<' ? memchr(at, '>', left < 4096 ? left : 4096) : NULL;
    struct span name = { at + 1, 0 };

    if (!close || !(at[1] == '/' || at[1] == '!' || is_letter(at[1])))
        return 0;
    name.at += at[1] == '/';
    while (name.at + name.length < close && is_letter(name.at[name.length]))
        name.length++;
    for (struct span word; (word = next_word(&list)).length;)
        *breaks |= span_same(word, name);
    return (size_t)(close - at) + 1;
}

/* The length of an entity that comes next, or 0. */
static size_t entity_length(const struct scan *s, unsigned *out)
{
    static const struct {
        const char *name;
        unsigned c;
    } entities[] = { { "&lt;", '<' },   { "&gt;", '>' },    { "&amp;", '&' },
                     { "&quot;", '"' }, { "&apos;", '\'' }, { "&nbsp;", ' ' },
                     { "&tilde;", '~' } };
    const char *at = s->bytes + s->at;
    const size_t left = s->length - s->at;
    const bool hex = begins(s, "&#x") || begins(s, "&#X");
    const unsigned base = hex ? 16 : 10;
    unsigned value = 0;
    size_t i = hex ? 3 : 2;

    for (size_t k = 0; k < COUNT_OF(entities) && *at == '&'; k++)
        if (begins(s, entities[k].name)) {
            *out = entities[k].c;
            return strlen(entities[k].name);
        }
    if (!begins(s, "&#"))
        return 0;
    for (; i < left && i < 10 && digit(at[i], base) < base; i++)
        value = value * base + digit(at[i], base);
    *out = value < 0x80 ? value : NO_TEXT;
    return i < left && at[i] == ';' ? i + 1 : 0;
}

static void take_page(struct scan *s)
{
    while (more(s)) {
        bool breaks = false;
        unsigned c = 0;
        const size_t tag = tag_length(s, &breaks), entity = entity_length(s, &c);

        if (tag && breaks)
            put_seen(s, '\n');
        if (entity)
            put_seen(s, c);
        if (tag || entity)
            s->at += tag + entity;
        else
            put_next(s);
    }
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
    const char *list = view->marks;

    for (struct span mark; (mark = next_word(&list)).length;)
        if (memmem(bytes, length, mark.at, mark.length))
            return true;
    return false;
}

void view_take(const struct view *view, struct finder *finder, const char *bytes,
               size_t length, struct progress *progress)
{
    struct scan s = {
        .finder = finder, .progress = progress, .bytes = bytes, .length = length, .line = 1
    };

    view->take(&s);
    flush(&s);
    finder_end_piece(finder);
}
