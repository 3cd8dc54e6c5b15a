/*
 * An open-addressed table.  Half of it stays free.
 */
#include "crossings.h"

#include "heap.h"

#define SYSCALL_LENGTH 2 /* bytes of SYSCALL: 0F 05 */

static struct crossing *find(struct crossings *crossings, uint64_t at)
{
    size_t slot = at * UINT64_C(0x9e3779b97f4a7c15) >> 51;
    struct crossing *place;

    _Static_assert(CROSSINGS_MAX == 1 << 13, "what is left of 64 bits after 51");
    if (!crossings->places)
        crossings->places = zeroed(CROSSINGS_MAX, sizeof(*crossings->places));
    while ((place = &crossings->places[slot % CROSSINGS_MAX])->at && place->at != at)
        slot++;
    if (place->at)
        return place;
    if (crossings->count >= CROSSINGS_MAX / 2)
        return NULL;
    crossings->count++;
    place->at = at;
    return place;
}

void crossing_enters(struct crossings *crossings, uint64_t from)
{
    struct crossing *place = find(crossings, from);

    if (place)
        place->entered = true;
}

void crossing_returns(struct crossings *crossings, uint64_t to)
{
    struct crossing *place = find(crossings, to - SYSCALL_LENGTH);

    if (place)
        place->returned = true;
}

size_t crossings_paired(const struct crossings *crossings)
{
    size_t paired = 0;

    for (size_t i = 0; crossings->places && i < CROSSINGS_MAX; i++)
        paired += crossings->places[i].entered && crossings->places[i].returned;
    return paired;
}
