/*
 * Words that depend on a number, lists of words, and the word that was meant.
 */
#pragma once

#include <stdbool.h>
#include <string.h>

#include "nearest.h"

/* The ending of a noun: "0 runs", "1 run", "2 runs". */
static inline const char *plural(unsigned long long count)
{
    return count == 1 ? "" : "s";
}

/* True if the name is in a list separated by commas. */
static inline bool listed(const char *list, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || !at[length]))
            return true;
    return false;
}

/* "; did you mean --junit?", where `before` is "--"; "" if none is near.  To be freed. */
char *did_you_mean(const struct nearest *, const char *before);
