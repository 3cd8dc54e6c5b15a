#include "addresses.h"

#include <stdlib.h>

#include "heap.h"

/* Where the address is, or where it would be. */
static uint64_t *slot_of(const struct addresses *set, uint64_t address)
{
    size_t place = address * UINT64_C(0x9e3779b97f4a7c15) >> 32;

    for (;; place++) {
        uint64_t *slot = &set->at[place & (set->capacity - 1)];

        if (!*slot || *slot == ~address)
            return slot;
    }
}

static void enlarge(struct addresses *set)
{
    struct addresses larger = { .count = set->count,
                                .capacity = set->capacity ? 2 * set->capacity : 64 };

    larger.at = zeroed(larger.capacity, sizeof(*larger.at));
    for (size_t i = 0; i < set->capacity; i++)
        if (set->at[i])
            *slot_of(&larger, ~set->at[i]) = set->at[i];
    free(set->at);
    *set = larger;
}

void addresses_add(struct addresses *set, uint64_t address)
{
    if (addresses_have(set, address))
        return;
    if (2 * ++set->count > set->capacity)
        enlarge(set);
    *slot_of(set, address) = ~address;
}

bool addresses_have(const struct addresses *set, uint64_t address)
{
    return set->count && *slot_of(set, address);
}

void addresses_free(struct addresses *set)
{
    free(set->at);
    *set = (struct addresses){ .count = 0 };
}
