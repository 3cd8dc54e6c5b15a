/* names.h */
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"

void names_add(struct names *names, struct name name)
{
    names->at = grow(names->at, &names->capacity, names->count, sizeof(name));
    names->at[names->count++] = name;
}

/* By address; of several at one place the function, then by name, whatever came first. */
static int by_begin(const void *a, const void *b)
{
    const struct name *x = a, *y = b;

    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (x->is_function != y->is_function)
        return x->is_function ? 1 : -1; /* the last one is found */
    return strcmp(y->text, x->text);
}

void names_sort(struct names *names)
{
    if (names->count)
        qsort(names->at, names->count, sizeof(*names->at), by_begin);
}

/* Counts the names that begin at this address or below. */
static size_t count_up_to(const struct names *names, uint64_t address)
{
    size_t low = 0, high = names->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (names->at[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The nearest one below that reaches so far. */
const struct name *names_find(const struct names *names, uint64_t address)
{
    for (size_t i = count_up_to(names, address); i > 0; i--)
        if (address < names->at[i - 1].end)
            return &names->at[i - 1];
    return NULL;
}

void names_free(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->at[i].text);
    free(names->at);
}
