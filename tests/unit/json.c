// LINK: tools/base/escape.c common/base/text.c
#include "tools/base/json.c"

#include <stdlib.h>

#include "test.h"

static char *written;
static size_t length;

static struct json begun(void)
{
    struct json json;

    free(written);
    json_begin(&json, open_memstream(&written, &length), "verb");
    return json;
}

/* The document without its first and last fields, which are the same in all. */
static const char *between(struct json *json)
{
    static const char last[] = ", \"exit\": 1}\n";
    const char *first;

    json_end(json, 1);
    fclose(json->file);
    first = strstr(written, "\"verb\": \"verb\"");
    CHECK(strncmp(written, "{\"json\": 2, \"build\": \"", 22) == 0 && first != NULL);
    CHECK(length > sizeof(last) && strcmp(written + length - strlen(last), last) == 0);
    written[length - strlen(last)] = '\0';
    return first + strlen("\"verb\": \"verb\"");
}

TEST(members_follow_each_other_and_elements_begin_lines)
{
    struct json json = begun();

    json_array(&json, "a");
    json_count(&json, NULL, 1);
    json_object(&json, NULL);
    json_count(&json, "x", 2);
    json_count(&json, "y", 3);
    json_close(&json);
    json_close(&json);
    json_count(&json, "b", 4);
    CHECK_TEXT(between(&json), ", \"a\": [\n1,\n{\"x\": 2, \"y\": 3}], \"b\": 4");
}

TEST(what_is_empty_is_closed)
{
    struct json json = begun();

    json_array(&json, "a");
    json_close(&json);
    json_object(&json, "o");
    json_close(&json);
    CHECK_TEXT(between(&json), ", \"a\": [], \"o\": {}");
}

TEST(every_kind_of_value_has_its_form)
{
    struct json json = begun();

    json_count(&json, "count", UINT64_MAX);
    json_hex(&json, "hex", UINT64_MAX);
    json_hex(&json, "zero", 0);
    json_real(&json, "real", 0.125);
    json_real(&json, "none", 0.0 / 0.0);
    json_bool(&json, "yes", true);
    json_bool(&json, "no", false);
    json_text(&json, "text", "a");
    json_text(&json, "null", NULL);
    json_span(&json, "span", (struct span){ "abc", 2 });
    CHECK_TEXT(between(&json),
               ", \"count\": 18446744073709551615, \"hex\": \"0xffffffffffffffff\", "
               "\"zero\": \"0x0\", \"real\": 0.125, \"none\": null, \"yes\": true, "
               "\"no\": false, \"text\": \"a\", \"null\": null, \"span\": \"ab\"");
}

TEST(text_cannot_end_its_quotes)
{
    struct json json = begun();

    json_text(&json, "a\"b", "c\\\"d\n\x01\x7f");
    CHECK_TEXT(between(&json), ", \"a\\\"b\": \"c\\\\\\\"d\\u000a\\u0001\\u007f\"");
}
