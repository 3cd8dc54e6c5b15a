/*
 * The tree of search.h keeps pointers, here to the addresses themselves.
 */
#include "addresses.h"

#include <search.h>
#include <stdlib.h>

#include "heap.h"

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

void addresses_add(struct addresses *set, uint64_t address)
{
    uint64_t *key;

    if (addresses_have(set, address))
        return;
    key = zeroed(1, sizeof(*key));
    *key = address;
    tsearch(key, &set->tree, compare);
}

bool addresses_have(const struct addresses *set, uint64_t address)
{
    return tfind(&address, &set->tree, compare);
}

void addresses_free(struct addresses *set)
{
    tdestroy(set->tree, free);
    set->tree = NULL;
}
