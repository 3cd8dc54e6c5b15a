/*
 * What a shell offers when a command line is being typed: `everybranch complete WORD...`
 * prints it, and those of tools/shell/ only ask.  So the shells need not be told of a new
 * verb, option, model, method or workload.
 */
#include "verbs.h"

#include <stdio.h>
#include <string.h>

#include "count_of.h"
#include "method_facts.h"
#include "model.h"
#include "loaded.h"
#include "span.h"

static void offer(const char *before, const char *word, const char *typed)
{
    if (strncmp(word, typed, strlen(typed)) == 0)
        printf("%s%s\n", before, word);
}

static void offer_models(const char *before, const char *typed)
{
    for (size_t i = 0; i < model_count; i++)
        offer(before, models[i].name, typed);
}

static void offer_methods(const char *before, const char *typed)
{
    for (size_t i = 0; i < methods_known_count(); i++)
        offer(before, methods_known[i].name, typed);
}

static void offer_workloads(const char *before, const char *typed)
{
    for (size_t i = 0; i < own_workload_count(); i++)
        offer(before, __start_workloads[i].name, typed);
}

static void offer_verbs(const char *before, const char *typed)
{
    for (size_t i = 0; i < verb_count; i++)
        offer(before, verbs[i].name, typed);
}

static const struct {
    const char *word; /* in the usage */
    void (*offer)(const char *before, const char *typed);
} kinds[] = {
    { "MODEL", offer_models },
    { "METHOD", offer_methods },
    { "WORKLOAD", offer_workloads },
    { "VERB", offer_verbs },
};

/*
 * For what stands so in the usage.  Of a list, METHODS, the last name is completed, and
 * the others are kept in front of it, as an option is with its equals sign.
 */
static void offer_kind(struct span kind, const char *option, const char *typed)
{
    const char *comma = strrchr(typed, ',');
    char before[256];

    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        const size_t length = strlen(kinds[i].word);
        const bool list = kind.length == length + 1 && kind.at[length] == 'S';

        if ((kind.length != length && !list) || memcmp(kind.at, kinds[i].word, length) != 0)
            continue;
        snprintf(before, sizeof(before), "%s%.*s", option,
                 list && comma ? (int)(comma + 1 - typed) : 0, typed);
        kinds[i].offer(before, list && comma ? comma + 1 : typed);
        return;
    }
    for (size_t i = 0; i < kind.length; i++)
        if (kind.at[i] < 'A' || kind.at[i] > 'Z') { /* FILE.asm, LOG... */
            kind.length = i;
            break;
        }
    if (span_is(kind, "LOG") || span_is(kind, "FILE") || span_is(kind, "A") ||
        span_is(kind, "B") || span_is(kind, "ELF"))
        puts("FILES");
}

/* Each of a list with spaces between. */
static void offer_choices(const char *choices, const char *option, const char *typed)
{
    char word[64];

    for (size_t length; *choices; choices += length + (choices[length] == ' ')) {
        length = strcspn(choices, " ");
        snprintf(word, sizeof(word), "%.*s", (int)length, choices);
        offer(option, word, typed);
    }
}

/* option: "--format=" where it is the same word. */
static void offer_value(const struct option_row *row, const char *option, const char *typed)
{
    if (row->choices)
        offer_choices(row->choices, option, typed);
    else
        offer_kind((struct span){ row->value, strlen(row->value) }, option, typed);
}

/* The n-th word of the usage, the last one again if it says "...". */
static struct span operand_kind(const char *usage, size_t n)
{
    struct span kind = { usage, strcspn(usage, " ") };

    while (n-- > 0 && kind.at[kind.length]) {
        kind.at += kind.length + 1;
        kind.length = strcspn(kind.at, " ");
    }
    return kind;
}

static const struct option_row *option_typed(const struct verb *verb, const char *word)
{
    for (const struct option_row *row = verb->options; row->name; row++)
        if ((word[0] == '-' && word[1] && word[1] == row->letter && !word[2]) ||
            (strncmp(word, "--", 2) == 0 && strcmp(word + 2, row->name) == 0))
            return row;
    return NULL;
}

static void offer_options(const struct verb *verb, const char *typed)
{
    char word[64];

    for (const struct option_row *row = verb->options; row->name; row++) {
        snprintf(word, sizeof(word), "--%s", row->name);
        offer("", word, typed);
    }
    if (verb->json)
        offer("", "--json", typed);
    offer("", "--help", typed);
}

/* "--format=do", where the shell does not take the word apart. */
static void offer_behind(const struct verb *verb, const char *typed)
{
    size_t length = strcspn(typed, "=");
    char option[64], name[64];
    const struct option_row *row;

    snprintf(option, sizeof(option), "%.*s", (int)length + 1, typed);
    snprintf(name, sizeof(name), "%.*s", (int)length, typed);
    row = option_typed(verb, name);
    if (row && row->value)
        offer_value(row, option, typed + length + 1);
}

static void complete_verb(const struct verb *verb, size_t count, char **words)
{
    const char *typed = words[count - 1];
    const struct option_row *before = NULL;
    size_t operands = 0;

    for (size_t i = 0; i + 1 < count; i++) {
        const struct option_row *row = before ? NULL : option_typed(verb, words[i]);

        operands += !before && (words[i][0] != '-' || !words[i][1]);
        before = row && row->value ? row : NULL;
    }
    if (before)
        offer_value(before, "", typed);
    else if (strncmp(typed, "--", 2) == 0 && strchr(typed, '='))
        offer_behind(verb, typed);
    else if (typed[0] == '-')
        offer_options(verb, typed);
    else if (*verb->operands && (operands < verb->most || !verb->most))
        offer_kind(operand_kind(verb->operands, operands), "", typed);
}

void help_complete(size_t count, char **words)
{
    const struct verb *verb = count > 1 ? verb_named(words[0]) : NULL;

    if (verb)
        complete_verb(verb, count - 1, words + 1);
    else if (count == 2 && strcmp(words[0], "help") == 0)
        offer_verbs("", words[1]);
    else if (count == 1) {
        offer_verbs("", words[0]);
        offer("", "help", words[0]);
        offer("", "--version", words[0]);
    }
}
