/*
 * The ends of branches in rows: FROM-TO in hex, as offsets in code that lies at CODE.  C is
 * the caller (FROM its CALL, TO the instruction after it), F is all ones and ? is unknown.
 */
#pragma once

#include <stdlib.h>

#include "expected.h"
#include "rows.h"

#define CODE 0x1000
#define CALL 0x9000
#define BACK 0x9002

static const char *const kind_names[KIND_COUNT] = {
    "none",       "jcc",    "jmp",     "ijmp",      "call",      "icall",
    "ret",        "int",    "exc",     "iret",      "far",       "db",
    "tf-cleared", "tf-set", "tf-held", "tf-masked", "tf-loaded",
};

static inline bool kind_read(const char *name, enum kind *kind)
{
    for (int i = 0; i < KIND_COUNT; i++)
        if (strcmp(kind_names[i], name) == 0) {
            *kind = (enum kind)i;
            return true;
        }
    return false;
}

/* The address that an end means; `caller` is CALL or BACK.  Moves *text past it. */
static inline uint64_t end_read(const char **text, uint64_t caller)
{
    char *end;
    uint64_t offset = strtoull(*text, &end, 16);

    if (end == *text || strchr("CF", **text))
        end = (char *)*text + (**text != 0);
    switch (**text) {
    case 'C':
        offset = caller - CODE;
        break;
    case 'F':
        offset = BRANCH_FILTERED - CODE;
        break;
    case '?':
        offset = BRANCH_UNKNOWN - CODE;
        break;
    }
    *text = end;
    return CODE + offset;
}

/* Reads a word such as "C-10". */
static inline struct transfer ends_read(const char *word)
{
    const char *at = word;
    struct transfer t = { .from = end_read(&at, CALL) };
    bool dash = *at == '-';

    at += dash;
    t.to = end_read(&at, BACK);
    if (!dash || *at)
        row_fails("\"%s\" is no FROM-TO", word);
    return t;
}

static inline void end_text(uint64_t address, uint64_t caller, char *text, size_t size)
{
    if (address == caller)
        snprintf(text, size, "C");
    else if (address == BRANCH_FILTERED)
        snprintf(text, size, "F");
    else if (address == BRANCH_UNKNOWN)
        snprintf(text, size, "?");
    else
        snprintf(text, size, "%llx", (unsigned long long)(address - CODE));
}

/* Writes "FROM-TO " of a transfer. */
static inline void ends_text(const struct transfer *t, char *text, size_t size)
{
    char from[20], to[20];

    end_text(t->from, CALL, from, sizeof(from));
    end_text(t->to, BACK, to, sizeof(to));
    snprintf(text, size, "%s-%s ", from, to);
}
