#include "tools/base/escape.c"

#include <stdlib.h>

#include "test.h"

/* What becomes of a text; good until the next one. */
static const char *escaped(void (*how)(FILE *, const char *, size_t), const char *text,
                           size_t size)
{
    static char *written;
    size_t length;
    FILE *file;

    free(written);
    file = open_memstream(&written, &length);
    how(file, text, size);
    fclose(file);
    return written;
}

static const char *html(const char *text)
{
    return escaped(escape_html, text, strlen(text));
}

static const char *json(const char *text)
{
    return escaped(escape_json, text, strlen(text));
}

TEST(no_text_becomes_an_element_or_leaves_its_attribute)
{
    CHECK_TEXT(html("<script>alert(1)</script>"), "&lt;script&gt;alert(1)&lt;/script&gt;");
    CHECK_TEXT(html("\" onload='x' &amp;"), "&quot; onload=&#39;x&#39; &amp;amp;");
}

TEST(letters_of_all_lengths_stay_as_they_are)
{
    CHECK_TEXT(html("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
               "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    CHECK_TEXT(json("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
               "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

/* A quote after a byte that seems to begin a character is still a quote. */
TEST(what_is_no_utf_8_hides_nothing)
{
    CHECK_TEXT(html("\xc3<"), REPLACEMENT "&lt;");
    CHECK_TEXT(html("\xf0\x9f\"<"), REPLACEMENT REPLACEMENT "&quot;&lt;");
    CHECK_TEXT(json("\xe2\""), "\\ufffd\\\"");
    CHECK_TEXT(json("\x80\xbf"), "\\ufffd\\ufffd");
    CHECK_TEXT(escaped(escape_json, "\xe2\x82\xac", 2), "\\ufffd\\ufffd");
}

/* RFC 3629: "/" in two bytes, U+D800, beyond U+10FFFF, and a byte that is never one. */
TEST(forms_that_utf_8_forbids_are_replaced)
{
    CHECK_TEXT(json("\xc0\xaf"), "\\ufffd\\ufffd");
    CHECK_TEXT(json("\xe0\x80\xaf"), "\\ufffd\\ufffd\\ufffd");
    CHECK_TEXT(json("\xf0\x80\x80\xaf"), "\\ufffd\\ufffd\\ufffd\\ufffd");
    CHECK_TEXT(json("\xed\xa0\x80"), "\\ufffd\\ufffd\\ufffd");
    CHECK_TEXT(json("\xf4\x90\x80\x80"), "\\ufffd\\ufffd\\ufffd\\ufffd");
    CHECK_TEXT(json("\xff"), "\\ufffd");
}

TEST(control_characters_go_but_for_lines_and_tabs)
{
    CHECK_TEXT(html("a\n\tb\x1b[2J\x7f"), "a\n\tb" REPLACEMENT "[2J" REPLACEMENT);
    CHECK_TEXT(escaped(escape_html, "a\0b", 3), "a" REPLACEMENT "b");
    CHECK_TEXT(escaped(escape_json, "a\0b", 3), "a\\u0000b");
}
