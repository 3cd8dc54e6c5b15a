/*
 * nearest.h.  The optimal string alignment distance (Damerau and Levenshtein, no part
 * edited twice), row by row: each row needs the two before it.
 */
#include "nearest.h"

#define LETTERS_MAX 32 /* longer words and names are never near */

struct nearest nearest_to(const char *word, size_t length)
{
    return (struct nearest){ .word = word, .length = length };
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool same(char a, char b)
{
    return lower(a) == lower(b);
}

/* Edits from the first `length` letters of a word to a name; neither is over LETTERS_MAX.
 */
static size_t distance(const char *word, size_t length, const char *name,
                       size_t name_length)
{
    size_t rows[3][LETTERS_MAX + 1];
    for (size_t j = 0; j <= name_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= name_length; j++) {
            row[j] = least(least(above[j], row[j - 1]) + 1,
                           above[j - 1] + !same(word[i - 1], name[j - 1]));
            if (i > 1 && j > 1 && same(word[i - 1], name[j - 2]) &&
                same(word[i - 2], name[j - 1]))
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[length % 3][name_length];
}

void nearest_try(struct nearest *nearest, const char *name)
{
    size_t name_length = text_length(name);
    size_t most = nearest->length < 6 ? 1 : nearest->length / 3;
    if (!nearest->length || nearest->length > LETTERS_MAX || name_length > LETTERS_MAX)
        return;
    size_t edits = distance(nearest->word, nearest->length, name, name_length);
    if (edits > most || (nearest->name && edits >= nearest->edits))
        return;
    nearest->name = name;
    nearest->edits = edits;
}

bool nearest_put(struct text *out, const struct nearest *nearest)
{
    if (!nearest->name)
        return false;
    text_string(out, "; did you mean ");
    text_string(out, nearest->name);
    text_string(out, "?");
    return true;
}
