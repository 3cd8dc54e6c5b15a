// LINK: common/base/text.c common/facts/deviation.c common/facts/pmu.c
// LINK: common/facts/platform.c
/*
 * docs/log.md is compared with the rows by which logs are written and read.  From the
 * checkout's root.
 */
#include "common/log/lines.c"

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

static void put_words(struct text *out, const struct log_field *field)
{
    for (size_t i = 0; i < field->word_count; i++) {
        text_string(out, i ? "|" : "");
        text_string(out, field->words[i]);
    }
}

static void put_value(struct text *out, const struct log_field *field)
{
    static const char *const forms[] = {
        [LOG_QUOTED] = "\"TEXT\"",
        [LOG_DECIMAL] = "N",
        [LOG_COUNT] = "N",
        [LOG_NUMBER] = "N",
        [LOG_NUMBER_OR_ABSENT] = "N",
        [LOG_HEX] = "0xN",
        [LOG_REGISTER] = "0xN",
        [LOG_REGISTER_OR_ABSENT] = "0xN",
        [LOG_OWN] = NULL,
    };

    if (field->words == facility_names)
        text_string(out, "FACILITY");
    else if (field->type == LOG_CODES)
        text_string(out, "CODES");
    else if (field->words)
        put_words(out, field);
    else
        text_string(out, forms[field->type] ? forms[field->type] : "TEXT");
}

/* "vendor=\"TEXT\" revision=0xN [nmis=N]" */
static void put_form(struct text *out, const struct log_field *field)
{
    for (; field->key; field++) {
        const struct span key = log_key(field);
        const size_t opens = log_opens_group(field);

        text_string(out, " ");
        if (field->type == LOG_OWN) {
            text_string(out, field->key);
            continue;
        }
        text_bytes(out, field->key, opens + key.length);
        if (field->type != LOG_FLAG || field->words) {
            text_string(out, "=");
            put_value(out, field);
        }
        text_string(out, field->key + opens + key.length);
    }
}

TEST(each_line_is_in_the_document)
{
    for (enum log_line i = 0; i < LOG_WORDS; i++) {
        char buffer[1000];
        struct text text = text_into(buffer, sizeof(buffer));

        text_string(&text, " ");
        text_string(&text, log_words[i].word);
        put_form(&text, log_words[i].fields);
        text_string(&text, " ");
        check_says(buffer);
    }
}

/* A line that continues the one before begins with a space. */
TEST(each_line_of_the_document_is_one_of_these)
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

/* The first cells of the rows below a heading, as "`buffer`" or "`records`, `events`". */
static void cells_below(const char *heading, struct text *cells)
{
    FILE *file = fopen("docs/log.md", "r");
    char line[4096];
    bool below = false;

    while (file && fgets(line, sizeof(line), file)) {
        if (below && line[0] != '|')
            break;
        if (below)
            text_bytes(cells, line, 1 + strcspn(line + 1, "|"));
        below = below || strcmp(line, heading) == 0;
    }
    if (file)
        fclose(file);
}

static bool has_field(const struct log_field *field, const char *key, size_t length)
{
    while (field->key && !(log_key(field).length == length &&
                           memcmp(log_key(field).at, key, length) == 0))
        field++;
    return field->key;
}

/* The rows describe all fields of the line, and no other. */
static void check_meanings(const char *heading, enum log_line line)
{
    char buffer[4096], quoted[64];
    struct text cells = text_into(buffer, sizeof(buffer));
    const char *at = buffer;

    cells_below(heading, &cells);
    for (const struct log_field *field = log_words[line].fields; field->key; field++) {
        const struct span key = log_key(field);

        snprintf(quoted, sizeof(quoted), "`%.*s`", SPAN(key));
        CHECK(strstr(buffer, quoted));
        if (!strstr(buffer, quoted))
            printf("    want a meaning in docs/log.md: %s\n", quoted);
    }
    for (size_t length; (at = strchr(at, '`')); at += length + 1) {
        length = strcspn(++at, "`");
        CHECK(has_field(log_words[line].fields, at, length));
    }
}

TEST(each_field_of_a_run_and_of_its_end_has_a_meaning_in_the_document)
{
    check_meanings("| field of `run` | meaning |\n", WORD_RUN);
    check_meanings("| field of `ran` | meaning |\n", WORD_RAN);
}

static void put_word(struct text *out, enum log_line i)
{
    text_string(out, out->length && out->at[out->length - 1] != ' ' ? ", `" : "`");
    text_string(out, log_words[i].word);
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

TEST(texts_that_submit_empties_are_in_the_document)
{
    char buffer[1000];
    struct text text = text_into(buffer, sizeof(buffer));

    text_string(&text, "It empties the texts ");
    for (enum log_line i = 0; i < LOG_WORDS; i++) {
        bool any = false;

        for (const struct log_field *field = log_words[i].fields; field->key; field++) {
            if (field->mark != '!')
                continue;
            if (!any)
                put_word(&text, i);
            any = true;
            text_string(&text, " ");
            text_span(&text, log_key(field));
        }
        text_string(&text, any ? "`" : "");
    }
    text_string(&text, ".");
    check_says(buffer);
}

TEST(a_word_is_found_whole)
{
    CHECK(log_word("cpu", 3) == WORD_CPU && log_word("cpuid", 5) == WORD_CPUID);
    CHECK(log_word("cp", 2) == LOG_WORDS && log_word("cpus", 4) == LOG_WORDS);
    CHECK(log_word("verdict", 7) == LOG_WORDS && log_word("", 0) == LOG_WORDS);
}
