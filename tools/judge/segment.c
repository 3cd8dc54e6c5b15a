/* segment.h */
#include "segment.h"

#include <stdlib.h>

#include "heap.h"

bool segment_same(const struct transfer *a, const struct transfer *b, bool by_to)
{
    return a->to == b->to && (by_to || a->from == b->from);
}

/*
 * The failure function of Knuth, Morris and Pratt: how many records of the segment still
 * fit when the next one does not.  Loops fit nearly, and nearly everywhere.
 */
static uint64_t *failures_of(const struct transfer_list *segment, bool by_to)
{
    const struct transfer *p = &segment->of[segment->at];
    uint64_t count = segment->end - segment->at, fitting = 0;
    uint64_t *failures = zeroed(count + 1, sizeof(*failures));

    for (uint64_t i = 1; i < count; i++) {
        while (fitting && !segment_same(&p[i], &p[fitting], by_to))
            fitting = failures[fitting];
        fitting += segment_same(&p[i], &p[fitting], by_to);
        failures[i + 1] = fitting;
    }
    return failures;
}

bool segment_find(const struct transfer_list *segment, const struct transfer_list *want,
                  bool by_to, uint64_t *place)
{
    const struct transfer *p = &segment->of[segment->at];
    uint64_t count = segment->end - segment->at, fitting = 0, most = 0;
    uint64_t *failures = failures_of(segment, by_to);

    *place = want->at;
    for (uint64_t i = want->at; i < want->end && most < count; i++) {
        while (fitting && !segment_same(&want->of[i], &p[fitting], by_to))
            fitting = failures[fitting];
        fitting += segment_same(&want->of[i], &p[fitting], by_to);
        if (fitting > most) {
            most = fitting;
            *place = i + 1 - fitting;
        }
    }
    free(failures);
    return most == count;
}

/* Record `i` of the segment and of `want` after it, or of both backwards. */
static const struct transfer *nth_of(const struct transfer_list *segment,
                                     const struct transfer_list *want, bool backwards,
                                     uint64_t i)
{
    const uint64_t count = segment->end - segment->at;
    const struct transfer_list *list = i < count ? segment : want;

    i -= i < count ? 0 : count;
    return &list->of[backwards ? list->end - 1 - i : list->at + i];
}

/* The Z function of both: how many records of the segment fit from each record on. */
static uint64_t *fitting_of(const struct transfer_list *segment,
                            const struct transfer_list *want, bool backwards)
{
    const uint64_t all = segment->end - segment->at + want->end - want->at;
    uint64_t *z = zeroed(all + 1, sizeof(*z)), from = 0, end = 0;

    for (uint64_t i = 1; i < all; i++) {
        if (i < end)
            z[i] = z[i - from] < end - i ? z[i - from] : end - i;
        while (i + z[i] < all &&
               segment_same(nth_of(segment, want, backwards, z[i]),
                            nth_of(segment, want, backwards, i + z[i]), false))
            z[i]++;
        if (i + z[i] > end)
            from = i, end = i + z[i];
    }
    return z;
}

bool segment_find_but_one(const struct transfer_list *segment,
                          const struct transfer_list *want, uint64_t length,
                          uint64_t *place)
{
    const uint64_t count = segment->end - segment->at, wrong = length >= count;
    uint64_t *before = fitting_of(segment, want, false);
    uint64_t *after = fitting_of(segment, want, true);
    bool found = false;

    for (uint64_t i = want->at; !found && i + length <= want->end; i++) {
        found =
            before[count + i - want->at] + after[count + want->end - i - length] + wrong >=
            length;
        *place = i;
    }
    free(before);
    free(after);
    return found;
}
