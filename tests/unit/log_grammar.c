// LINK: common/base/text.c
/*
 * docs/log.md is compared with the table by which logs are read.  From the checkout's root.
 */
#include "common/log/log_grammar.c"

#include "test.h"

#include "text.h"

static char document[1 << 16]; /* its white space is single spaces */

void test_setup(void)
{
    FILE *file = fopen("docs/log.md", "r");
    size_t length = 0;
    int c, before = ' ';

    while (file && (c = fgetc(file)) != EOF && length + 1 < sizeof(document)) {
        c = c == '\n' ? ' ' : c;
        if (c != ' ' || before != ' ')
            document[length++] = (char)c;
        before = c;
    }
    if (file)
        fclose(file);
}

static void check_says(const char *text)
{
    CHECK(strstr(document, text));
    if (!strstr(document, text))
        printf("    want in docs/log.md: %s\n", text);
}

/* "vendor=q! revision=x [nmis=d-]" as "vendor="TEXT" revision=0xN [nmis=N]". */
static void put_form(struct text *out, const char *at)
{
    static const char *const forms[128] = {
        ['w'] = "TEXT", ['q'] = "\"TEXT\"", ['d'] = "N",
        ['x'] = "0xN",  ['a'] = "0xN",      ['f'] = "FACILITY"
    };

    while (*at) {
        const char *end = log_field_end(at), *equals = memchr(at, '=', (size_t)(end - at));
        size_t length = (size_t)(end - at) - (end > at && strchr("-!", end[-1]) != NULL);
        size_t type = equals ? length - (size_t)(equals + 1 - at) : 0;

        if (type == 1 && equals[1] >= 'a')
            text_bytes(out, at, length - 1), text_string(out, forms[(int)equals[1]]);
        else if (type == strlen("facility") && memcmp(equals + 1, "facility", type) == 0)
            text_bytes(out, at, length - type), text_string(out, "FACILITY");
        else
            text_bytes(out, at, length);
        for (at = end; *at == ' ' || *at == ']' || *at == '['; at++)
            text_bytes(out, at, 1);
    }
}

TEST(each_line_of_the_table_is_in_the_document)
{
    for (enum log_line i = 0; i < LOG_WORDS; i++) {
        char buffer[1000];
        struct text text = text_into(buffer, sizeof(buffer));
        const char *fields = log_fields(i);

        text_string(&text, " ");
        text_bytes(&text, log_words[i].line, (size_t)(fields - log_words[i].line));
        if (*fields == '[') {
            text_string(&text, "[");
            fields++;
        }
        put_form(&text, fields);
        text_string(&text, " ");
        check_says(buffer);
    }
}

/* A line that continues the one before begins with a space. */
TEST(each_line_of_the_document_is_in_the_table)
{
    FILE *file = fopen("docs/log.md", "r");
    char line[4096];
    bool inside = false;
    size_t lines = 0;

    while (file && fgets(line, sizeof(line), file)) {
        size_t length = strcspn(line, " \n");

        inside = strncmp(line, "everybranch log=", 16) == 0 || (inside && line[0] != '`');
        if (!inside || length == 0)
            continue;
        lines++;
        CHECK(log_word(line, length) < LOG_WORDS);
    }
    if (file)
        fclose(file);
    CHECK(lines == LOG_WORDS);
}

static void put_word(struct text *out, enum log_line i)
{
    text_string(out, out->length && out->at[out->length - 1] != ' ' ? ", `" : "`");
    text_bytes(out, log_words[i].line, strcspn(log_words[i].line, " "));
}

TEST(what_cat_leaves_out_is_in_the_document)
{
    char buffer[1000];
    struct text text = text_into(buffer, sizeof(buffer));

    text_string(&text, "It leaves out the lines ");
    for (enum log_line i = 0; i < LOG_WORDS; i++)
        if (!(log_words[i].shown & LOG_IN_CAT)) {
            put_word(&text, i);
            text_string(&text, "`");
        }
    text_string(&text, ".");
    check_says(buffer);
}

TEST(what_submit_takes_out_is_in_the_document)
{
    char buffer[1000];
    struct text text = text_into(buffer, sizeof(buffer));

    text_string(&text, "It takes out the lines ");
    for (enum log_line i = 0; i < LOG_WORDS; i++)
        if (!log_words[i].published) {
            put_word(&text, i);
            text_string(&text, "`");
        }
    text_string(&text, ".");
    check_says(buffer);
}

/* The fields with this mark, by their lines. */
static void check_marked(const char *begin, char mark, bool in_cat)
{
    char buffer[1000];
    struct text text = text_into(buffer, sizeof(buffer));

    text_string(&text, begin);
    for (enum log_line i = 0; i < LOG_WORDS; i++) {
        bool any = false;

        if (in_cat && !(log_words[i].shown & LOG_IN_CAT))
            continue;
        for (const char *at = log_fields(i), *end; *at; at = end + (*end != 0)) {
            end = log_field_end(at);
            if (end == at || end[-1] != mark)
                continue;
            at += *at == '[';
            if (!any)
                put_word(&text, i);
            any = true;
            text_string(&text, " ");
            text_bytes(&text, at, strcspn(at, "="));
        }
        text_string(&text, any ? "`" : "");
    }
    text_string(&text, ".");
    check_says(buffer);
}

TEST(fields_that_cat_and_submit_leave_out_are_in_the_document)
{
    check_marked("Of other lines it leaves out the fields ", '-', true);
    check_marked("It empties the texts ", '!', false);
}

TEST(a_word_is_found_whole)
{
    CHECK(log_word("cpu", 3) == WORD_CPU && log_word("cpuid", 5) == WORD_CPUID);
    CHECK(log_word("cp", 2) == LOG_WORDS && log_word("cpus", 4) == LOG_WORDS);
    CHECK(log_word("verdict", 7) == LOG_WORDS && log_word("", 0) == LOG_WORDS);
}
