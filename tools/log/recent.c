/* recent.h */
#include "recent.h"

#include <stdlib.h>

#include "heap.h"

#define FIRST_ROOM (1u << 16)

bool recent_has(const struct recent *recent, const struct run *run)
{
    return recent && recent->whole && recent->at == run->items_at &&
           recent->stops == run->method->stops && recent->sampled == run->method->sampled;
}

uint64_t recent_begin(struct recent *recent, const struct run *run)
{
    if (!recent)
        return 0;
    if (!recent->by_number)
        recent->by_number = zeroed(PACK_KNOWN_MAX, sizeof(*recent->by_number));
    recent->at = run->items_at;
    recent->stops = run->method->stops;
    recent->sampled = run->method->sampled;
    recent->whole = false;
    recent->count = recent->known = 0;
    return ++recent->turn;
}

/* Twice as many, or nothing of this run. */
static bool more_numbers(struct recent *recent)
{
    uint64_t capacity = recent->capacity ? 2 * recent->capacity : FIRST_ROOM;
    uint16_t *numbers = capacity > RECENT_MAX
                            ? NULL
                            : realloc(recent->numbers, capacity * sizeof(*numbers));

    if (!numbers) {
        recent->turn++;
        return false;
    }
    recent->numbers = numbers;
    recent->capacity = capacity;
    return true;
}

void recent_add(struct recent *recent, uint64_t turn, uint32_t number,
                const struct branch *record)
{
    if (!recent || recent->turn != turn)
        return;
    if (number >= PACK_KNOWN_MAX) { /* the unpacker does not remember it */
        recent->turn++;
        return;
    }
    if (recent->count == recent->capacity && !more_numbers(recent))
        return;
    if (number == recent->known)
        recent->by_number[recent->known++] = *record;
    recent->numbers[recent->count++] = (uint16_t)number;
}

void recent_end(struct recent *recent, uint64_t turn)
{
    if (recent && recent->turn == turn)
        recent->whole = true;
}

void recent_free(struct recent *recent)
{
    if (!recent)
        return;
    free(recent->numbers);
    free(recent->by_number);
    free(recent);
}
