/*
 * A table by hash, which grows before it is half full.
 */
#include "tally.h"

#include <stdlib.h>

#include "heap.h"

static bool same(const struct tally_entry *a, const struct tally_entry *b)
{
    return a->at == b->at && a->insns == b->insns && a->function == b->function &&
           a->by.from == b->by.from && a->by.to == b->by.to && a->by.kind == b->by.kind &&
           a->is_call == b->is_call;
}

static struct tally_entry *slot_of(const struct tally *tally,
                                   const struct tally_entry *like)
{
    uint64_t mixed = (like->at * 31 + like->by.to) * 0x9e3779b97f4a7c15ull;
    size_t at;

    mixed = (mixed ^ mixed >> 29 ^ like->function) * 0xbf58476d1ce4e5b9ull + like->insns +
            like->by.from;
    for (at = mixed ^ mixed >> 32;; at++) {
        struct tally_entry *entry = &tally->at[at & (tally->capacity - 1)];

        if (!entry->times || same(entry, like))
            return entry;
    }
}

static void enlarge(struct tally *tally)
{
    struct tally larger = { .capacity = tally->capacity ? 2 * tally->capacity : 256,
                            .count = tally->count };

    larger.at = zeroed(larger.capacity, sizeof(*larger.at));
    for (size_t i = 0; i < tally->capacity; i++)
        if (tally->at[i].times)
            *slot_of(&larger, &tally->at[i]) = tally->at[i];
    free(tally->at);
    *tally = larger;
}

void tally_add(struct tally *tally, const struct tally_entry *like, uint64_t cost)
{
    struct tally_entry *entry;

    if (2 * tally->count >= tally->capacity)
        enlarge(tally);
    entry = slot_of(tally, like);
    if (!entry->times) {
        *entry = *like;
        entry->times = entry->cost = 0;
        tally->count++;
    }
    entry->times++;
    entry->cost += cost;
}

void tally_free(struct tally *tally)
{
    free(tally->at);
    *tally = (struct tally){ .count = 0 };
}
