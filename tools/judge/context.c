/*
 * The records around a difference, as they are and as they should be.  They are put into
 * words at once, since a run's records are freed once it is judged.
 */
#include "context.h"

#include <stdlib.h>

#include "heap.h"

static char *next_text(struct compared *side)
{
    const struct log_map map = map_of(side->log, side->run->workload);
    struct transfer t;

    return side->list.source.next(&side->list.source, &t) ? transfer_text(&map, &t)
                                                          : format_text("-");
}

static bool ended(const struct context *c, size_t row)
{
    return c->rows[row].got[0] == '-' && c->rows[row].want[0] == '-';
}

struct context *context_of(struct compared *got, struct compared *want,
                           const struct found_difference *f)
{
    struct context *c = zeroed(1, sizeof(*c));
    uint64_t before = f->got < f->want ? f->got : f->want;

    if (before > CONTEXT_AROUND)
        before = CONTEXT_AROUND;
    c->got = f->got;
    c->want = f->want;
    c->here = before;
    c->class = f->d.class;
    c->rule = f->rule;
    got->list.next = got->list.at + f->got - before;
    want->list.next = want->list.at + f->want - before;
    while (c->count < before + 1 + CONTEXT_AROUND) {
        c->rows[c->count].got = next_text(got);
        c->rows[c->count].want = next_text(want);
        if (ended(c, c->count)) /* a row of nothing is none */
            break;
        c->count++;
    }
    return c;
}
