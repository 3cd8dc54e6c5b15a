/*
 * The known word that a mistyped one is nearest to, for "did you mean".  Names are tried
 * one after the other, so they may come from anywhere.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

struct nearest {
    const char *word; /* as typed; it need not end with a NUL */
    size_t length;
    const char *name; /* the best name so far, or NULL: none is near */
    size_t edits;     /* from the word to it                         */
};

struct nearest nearest_to(const char *word, size_t length);

/*
 * Takes the name if it is nearer than those before.  A name is near if at most a third of
 * the word's letters, and at least one, are to be inserted, removed, replaced or swapped
 * with the next; upper case counts as lower case.
 */
void nearest_try(struct nearest *, const char *name);

/* Puts "; did you mean loop?" and returns true, or puts nothing, since no name is near. */
bool nearest_put(struct text *, const struct nearest *);
