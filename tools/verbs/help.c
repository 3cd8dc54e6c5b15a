/*
 * The help, made from the rows of the verbs.
 */
#include "verbs.h"

#include <stdio.h>
#include <string.h>

#include "count_of.h"

#define NAME_COLUMN   12 /* of a verb     */
#define OPTION_COLUMN 22
#define WIDTH         80

static const char exit_codes[] =
    "exit code: 0 all as expected, or different only by a rule that no manual "
    "states\n(measured); 1 a difference; 2 unusable input or command line\n";

const struct verb *verb_named(const char *name)
{
    for (const struct verb *verb = verbs; verb < verbs_end; verb++)
        if (strcmp(verb->name, name) == 0)
            return verb;
    return NULL;
}

/* Prints text folded into lines, each indented. */
static void print_folded(const char *text)
{
    size_t column = 0;

    while (*text) {
        size_t length = strcspn(text, " ");

        if (column && column + 1 + length > WIDTH) {
            putchar('\n');
            column = 0;
        }
        if (length)
            column += (size_t)printf("%*s%.*s", column ? 1 : 2, "", (int)length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

void help_lines(const char *text, void (*print)(const char *line, int length))
{
    while (text && *text) {
        size_t length = strcspn(text, "\n");

        print(text, (int)length);
        text += length + (text[length] == '\n');
    }
}

void help_all(void)
{
    puts("usage: everybranch VERB ...\n");
    for (const struct verb *verb = verbs; verb < verbs_end; verb++)
        printf("  %-*s  %s\n", NAME_COLUMN, verb->name, verb->about);
    printf("  %-*s  %s\n", NAME_COLUMN, "help [VERB]",
           "this list, or the help of one verb");
    printf("  %-*s  %s\n\n", NAME_COLUMN, "--version", "which build this is");
    fputs(exit_codes, stdout);
}

static void print_option(const struct option_row *row)
{
    char names[64];
    int length = snprintf(names, sizeof(names), "%s%c%s--%s%s%s", row->letter ? "-" : "",
                          row->letter ? row->letter : ' ', row->letter ? ", " : "   ",
                          row->name, row->value ? " " : "", row->value ? row->value : "");

    if (length > OPTION_COLUMN)
        printf("  %s\n  %-*s  %s\n", names, OPTION_COLUMN, "", row->about);
    else
        printf("  %-*s  %s\n", OPTION_COLUMN, names, row->about);
}

static const struct option_row of_all[] = {
    { .name = "json", .about = "print JSON: docs/json.schema.json" },
    { .name = "help", .about = "print this text", .letter = 'h' },
};

static void print_example(const char *line, int length)
{
    printf("  everybranch %.*s\n", length, line);
}

void help_verb(const struct verb *verb)
{
    printf("usage: everybranch %s%s%s%s\n\n", verb->name,
           verb->options[0].name || verb->json ? " [OPTION...]" : "",
           *verb->operands ? " " : "", verb->operands);
    print_folded(verb->about);
    if (verb->more)
        print_folded(verb->more);
    putchar('\n');
    for (const struct option_row *row = verb->options; row->name; row++)
        print_option(row);
    for (size_t i = 0; i < COUNT_OF(of_all); i++)
        if (i > 0 || verb->json)
            print_option(&of_all[i]);
    if (verb->examples)
        puts("\nexamples:");
    help_lines(verb->examples, print_example);
}
