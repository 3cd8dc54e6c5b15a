/*
 * Reads the rows of a unit test and runs them.
 */
#include "rows.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>

#define ROW_MAX   16000
#define CONTINUES 8 /* spaces before a line that belongs to the row above it */
#define SPACE     " \t\n"

static struct row_verb *verbs;
static char path[200]; /* of the rows */
static int at_line;    /* of the row's first line, as compilers count */

static char row[ROW_MAX], *rest; /* rest: what no verb has read yet; NULL: nothing */
static char said[ROW_MAX];
static size_t said_length;
static bool bad, in_claim, compared; /* compared: the claim has a row with a " = " */

void rows_add_verb(struct row_verb *verb)
{
    verb->next = verbs;
    verbs = verb;
}

/* --- for verbs ------------------------------------------------------------------------ */

static void say(const char *format, va_list list)
{
    size_t room = sizeof(said) - said_length;
    int length = vsnprintf(said + said_length, room, format, list);

    if (length < 0 || (size_t)length >= room)
        abort();
    said_length += (size_t)length;
}

void row_say(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    say(format, list);
    va_end(list);
}

void row_fails(const char *format, ...)
{
    va_list list;

    bad = true;
    row_say(" [");
    va_start(list, format);
    say(format, list);
    va_end(list);
    row_say("] ");
}

bool row_is_read(void)
{
    return !rest || !rest[strspn(rest, SPACE)];
}

const char *row_word(void)
{
    return row_is_read() ? "" : strtok_r(NULL, SPACE, &rest);
}

char *row_line(void)
{
    return row_is_read() ? NULL : strtok_r(NULL, "\n", &rest);
}

bool row_has(const char *word)
{
    size_t length = strlen(word);
    const char *next;

    if (row_is_read())
        return false;
    next = rest + strspn(rest, SPACE);
    if (strncmp(next, word, length) != 0 || (next[length] && !strchr(SPACE, next[length])))
        return false;
    row_word();
    return true;
}

/* The byte after a backslash; `at` moves to the last of its letters. */
static char escaped(const char **at)
{
    static const char letters[] = "nrt0", bytes[] = "\n\r\t";
    const char *found = strchr(letters, *++*at);
    const char digits[] = { (*at)[0] ? (*at)[1] : 0, (*at)[0] && (*at)[1] ? (*at)[2] : 0,
                            0 };

    if (**at && found)
        return bytes[found - letters];
    if (**at != 'x' || !digits[0] || !digits[1])
        abort();
    *at += 2;
    return (char)strtoul(digits, NULL, 16);
}

size_t row_text(char *out, size_t capacity)
{
    const char *line = row_line();
    size_t count = 0;

    if (line)
        line += strspn(line, " ");
    for (; line && line[strspn(line, " ")]; line++) {
        if (count + 1 >= capacity)
            abort();
        out[count++] = *line == '\\' ? escaped(&line) : *line;
    }
    out[count] = 0;
    return count;
}

static uint64_t number(int base)
{
    const char *word = row_word();
    char *end;
    uint64_t value = strtoull(word, &end, base);

    if (!*word || *end)
        row_fails("\"%s\" is no number", word);
    return value;
}

uint64_t row_number(void)
{
    return number(0);
}

uint64_t row_hex(void)
{
    return number(16);
}

/* --- the file ------------------------------------------------------------------------- */

/* Single spaces between words and none around them. */
static const char *trimmed(char *text)
{
    char *out = text;

    for (char *in = text; *in; in++)
        if (!isspace((unsigned char)*in))
            *out++ = *in;
        else if (out > text && out[-1] != ' ')
            *out++ = ' ';
    if (out > text && out[-1] == ' ')
        out--;
    *out = 0;
    return *text ? text : "nothing";
}

/* Cuts the row before its "=", and returns what follows it, or NULL. */
static char *cut_wanted(void)
{
    for (char *at = row + 1; *at; at++)
        if (*at == '=' && isspace((unsigned char)at[-1]) &&
            (!at[1] || isspace((unsigned char)at[1]))) {
            *at = 0;
            return at + 1;
        }
    return NULL;
}

static void run_verb(const char *name)
{
    const struct row_verb *verb = verbs;

    while (verb && strcmp(verb->name, name) != 0)
        verb = verb->next;
    if (verb)
        verb->run();
    else
        row_fails("%s: no such verb", name);
    if (!row_is_read())
        row_fails("\"%s\" was not read", row_word());
}

static void run_row(void)
{
    static char shown[80], nothing[] = "";
    char *wanted = cut_wanted();
    const char *text, *got, *want;

    text = row + strspn(row, " ");
    snprintf(shown, sizeof(shown), "%.*s", (int)strcspn(text, "\n"), text);
    said_length = 0;
    said[0] = 0;
    bad = false;
    compared |= wanted != NULL;
    run_verb(strtok_r(row, SPACE, &rest));
    got = trimmed(said);
    want = trimmed(wanted ? wanted : nothing);
    if (!bad && strcmp(got, want) == 0)
        return;
    test_fails(path, at_line, shown);
    printf("    got  %s\n    want %s\n", got, want);
}

static void end_claim(void)
{
    if (in_claim && !compared)
        test_fails(path, at_line, "a claim without a row that has an =");
    if (in_claim)
        test_ends();
    in_claim = false;
}

static void begin_claim(const char *name)
{
    static char kept[200];

    snprintf(kept, sizeof(kept), "%.199s", name);
    test_begins(kept);
    in_claim = true;
    compared = false;
}

/* A row outside a claim is a claim only where it fails. */
static void run_definition(void)
{
    test_begins("rows_outside_claims");
    run_row();
    if (test_failed)
        test_ends();
}

/* Runs the row or begins the claim that has been collected, if there is one. */
static void run_collected(void)
{
    if (!row[0])
        return;
    if (row[0] == ' ') {
        if (!in_claim)
            begin_claim("rows_outside_claims");
        run_row();
    } else {
        end_claim();
        if (strpbrk(row, SPACE))
            run_definition();
        else
            begin_claim(row);
    }
    row[0] = 0;
}

static void take_line(char *line, int number_of_line)
{
    size_t indent = strspn(line, " "), length = strlen(row);
    char *comment = line;

    while ((comment = strchr(comment, '#')) && comment > line && comment[-1] != ' ')
        comment++;
    if (comment)
        *comment = 0;
    line[strcspn(line, "\n")] = 0;
    if (!line[indent])
        return;
    if (indent < CONTINUES) {
        run_collected();
        at_line = number_of_line;
        length = 0;
    }
    if (length + strlen(line) + 2 > sizeof(row))
        abort();
    snprintf(row + length, sizeof(row) - length, "%s%s", length ? "\n" : "", line);
}

void rows_run(void)
{
    static char line[ROW_MAX];
    int number_of_line = 0;
    FILE *file;

    if (!verbs)
        return;
    snprintf(path, sizeof(path), "%.*s.rows", (int)strlen(verbs->program) - 2,
             verbs->program);
    file = fopen(path, "r");
    if (!file) {
        test_begins("the_rows_are_there");
        test_fails(path, 0, "cannot be read; the tests run in the top folder");
        test_ends();
        return;
    }
    while (fgets(line, sizeof(line), file))
        take_line(line, ++number_of_line);
    run_collected();
    end_claim();
    fclose(file);
}
