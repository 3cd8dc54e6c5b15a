/*
 * An open-addressed table, in which each place is kept once.  Half of it stays free.
 */
#include "audit.h"

#define SYSCALL_LENGTH 2 /* bytes of SYSCALL: 0F 05 */

/* The entry of a place, which may be new; NULL: the table is full. */
static struct crossing *find(struct audit *audit, uint64_t at)
{
    size_t slot = at * UINT64_C(0x9e3779b97f4a7c15) >> 51;
    struct crossing *place;

    _Static_assert(CROSSINGS_MAX == 1 << 13, "what is left of 64 bits after 51");
    while ((place = &audit->crossings[slot % CROSSINGS_MAX])->at && place->at != at)
        slot++;
    if (!place->at && audit->crossing_count >= CROSSINGS_MAX / 2)
        return NULL;
    audit->crossing_count += !place->at;
    place->at = at;
    return place;
}

void count_crossing(struct audit *audit, const struct judged *judged)
{
    const struct traced_branch *branch = judged->branch;
    bool enters = place_is_kernel(judged->to);
    struct crossing *place;

    if (enters == place_is_kernel(judged->from))
        return;
    place = find(audit, enters ? branch->from : branch->to - SYSCALL_LENGTH);
    if (place && enters)
        place->entered = true;
    else if (place)
        place->returned = true;
}

size_t crossings_paired(const struct audit *audit)
{
    size_t paired = 0;

    for (size_t i = 0; i < CROSSINGS_MAX; i++)
        paired += audit->crossings[i].entered && audit->crossings[i].returned;
    return paired;
}
