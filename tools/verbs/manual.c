/*
 * The manual page, everybranch.1 in mdoc(7), made from the rows of the verbs.
 */
#include "verbs.h"

#include <stdio.h>
#include <string.h>

#include "heap.h"

#define LINE_MAX_ROFF 78 /* mandoc's limit for a line of source */

/* Prints one character, so that it is never taken for markup. */
static size_t roff_character(char c)
{
    switch (c) {
    case '\\':
        return (size_t)printf("\\e");
    case '-':
        return (size_t)printf("\\-");
    case '`':
        return (size_t)printf("\\(ga");
    case '~':
        return (size_t)printf("\\(ti");
    default:
        putchar(c);
        return 1;
    }
}

static void roff(const char *text, int length)
{
    for (int i = 0; i < length; i++)
        roff_character(text[i]);
}

/*
 * Folds text into lines and begins each sentence on a new one.  A leading dot or apostrophe
 * is escaped: at the beginning of a line it would be markup.
 */
static void roff_text(const char *text)
{
    size_t column = 0;

    while (*text) {
        size_t length = strcspn(text, " ");

        if (column && column + 1 + length > LINE_MAX_ROFF) {
            putchar('\n');
            column = 0;
        }
        if (column)
            putchar(' ');
        column += column > 0;
        if (*text == '.' || *text == '\'')
            fputs("\\&", stdout);
        for (size_t i = 0; i < length; i++)
            column += roff_character(text[i]);
        if (length && text[length] && strchr(".?!", text[length - 1])) {
            putchar('\n');
            column = 0;
        }
        text += length;
        text += strspn(text, " ");
    }
    if (column)
        putchar('\n');
}

static void manual_option(const struct option_row *row)
{
    printf(".It %s%c%sFl \\-%s", row->letter ? "Fl " : "", row->letter ? row->letter : ' ',
           row->letter ? " , " : "", row->name);
    if (row->value)
        printf(" Ar %s", row->value);
    putchar('\n');
    roff_text(row->about);
}

static void manual_example(const char *line, int length)
{
    fputs(".Dl everybranch ", stdout);
    roff(line, length);
    putchar('\n');
}

static void manual_verb(const struct verb *verb)
{
    printf(".Ss %s\n.Nm\n.Cm %s\n", verb->name, verb->name);
    if (verb->options[0].name || verb->json)
        puts(".Op Ar OPTION ...");
    if (*verb->operands)
        printf(".Ar %s\n", verb->operands);
    puts(".Pp");
    roff_text(scratch_text("%s.", verb->about));
    if (verb->more)
        roff_text(verb->more);
    if (verb->options[0].name)
        puts(".Bl -tag -width Ds");
    for (const struct option_row *row = verb->options; row->name; row++)
        manual_option(row);
    if (verb->options[0].name)
        puts(".El");
    if (verb->examples)
        puts(".Pp");
    help_lines(verb->examples, manual_example);
}

static const char before_verbs[] =
    ".Dd November 21, 2026\n"
    ".Dt EVERYBRANCH 1\n"
    ".Os\n"
    ".Sh NAME\n"
    ".Nm everybranch\n"
    ".Nd judge a log of every branch that a processor recorded\n"
    ".Sh SYNOPSIS\n"
    ".Nm\n"
    ".Ar VERB\n"
    ".Op Ar OPTION ...\n"
    ".Op Ar OPERAND ...\n"
    ".Nm\n"
    ".Cm help\n"
    ".Op Ar VERB\n"
    ".Nm\n"
    ".Fl \\-version\n"
    ".Sh DESCRIPTION\n"
    "The kernel of everybranch boots from UEFI, traces small workloads with the\n"
    "branch-trace hardware of the processor, by every method that it has, and\n"
    "writes each branch into a log.\n"
    ".Nm\n"
    "reads such a log, compares every record with the trace that is expected of the\n"
    "workload on that processor, and reports the first difference.\n"
    "It trusts no verdict in the log; a log that is damaged, repeated or cut short\n"
    "is reported as such.\n"
    ".Pp\n"
    "A\n"
    ".Ar LOG\n"
    "of \\- is standard input.\n"
    "Options may come before, between and after the operands; every word after\n"
    "\\-\\- is an operand.\n"
    ".Pp\n"
    ".Fl \\-help\n"
    "after a verb prints its part of this page.\n"
    "With\n"
    ".Fl \\-json ,\n"
    "which most verbs take, the result is one JSON document;\n"
    "docs/json.schema.json describes its fields, whose names do not change.\n"
    ".Sh VERBS\n";

static const char after_verbs[] =
    ".Sh ENVIRONMENT\n"
    ".Bl -tag -width NO_COLOR\n"
    ".It Ev NO_COLOR\n"
    "If it is set and not empty, no colours are used.\n"
    "Output that is not a terminal has no colours either.\n"
    ".It Ev COLUMNS\n"
    "The width of tables, where the output is not a terminal.\n"
    ".El\n"
    ".Sh EXIT STATUS\n"
    ".Bl -tag -width Ds\n"
    ".It 0\n"
    "All is as expected, or differs only where no manual says what is right.\n"
    ".It 1\n"
    "There is a difference.\n"
    ".It 2\n"
    "The input or the command line is not usable; standard error says why.\n"
    ".El\n"
    ".Sh SEE ALSO\n"
    "README.md and the folder docs of its source.\n";

void help_manual(void)
{
    fputs(before_verbs, stdout);
    for (const struct verb *verb = verbs; verb < verbs_end; verb++)
        manual_verb(verb);
    fputs(after_verbs, stdout);
}
