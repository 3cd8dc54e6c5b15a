/* doubled.h.  A stack is short, so both sides are simply copied. */
#include "doubled.h"

#include "visible.h"

struct copied {
    struct transfer at[CALL_STACK_MAX];
    size_t count;
};

/* False if there are more than any stack has. */
static bool copy(struct copied *copied, struct source *source)
{
    struct transfer more;

    source->rewind(source);
    copied->count = 0;
    while (copied->count < CALL_STACK_MAX &&
           source->next(source, &copied->at[copied->count]))
        copied->count++;
    return copied->count < CALL_STACK_MAX || !source->next(source, &more);
}

static bool same_ends(const struct transfer *a, const struct transfer *b)
{
    return a->from == b->from && a->to == b->to;
}

/* True if all records except the newest are the first ones of `want`. */
static bool rest_is(const struct copied *got, const struct transfer *want)
{
    for (size_t i = 0; i + 1 < got->count; i++)
        if (!same_ends(&got->at[i], &want[i]))
            return false;
    return true;
}

enum doubled doubled_newest(struct source *got, struct source *want, uint64_t depth)
{
    static struct copied a, b;
    bool full;

    if (!copy(&a, got) || !copy(&b, want) || a.count < 2 ||
        !same_ends(&a.at[a.count - 1], &a.at[a.count - 2]))
        return NOT_DOUBLED;
    full = a.count == depth && b.count == depth; /* the copy pushed out the oldest */
    if (a.count == b.count + 1 && rest_is(&a, b.at))
        return DOUBLED_ADDED;
    if (full && rest_is(&a, b.at + 1))
        return DOUBLED_ADDED;
    return a.count == b.count && rest_is(&a, b.at) ? DOUBLED_INSTEAD : NOT_DOUBLED;
}

bool doubled_concerns(const struct method_facts *method)
{
    return method->ring_lbr ||
           (method->counter_driven && !method->sampled && !method->sampled_windows);
}

enum doubled doubled_of(const struct method_facts *method, const struct difference *d,
                        struct source *got, struct source *want, uint64_t depth,
                        uint64_t records)
{
    if (method->ring_lbr)
        return doubled_newest(got, want, depth);
    return d->class == DOUBLED && d->want_ended && d->index + 1 == records ? DOUBLED_ADDED
                                                                           : NOT_DOUBLED;
}
