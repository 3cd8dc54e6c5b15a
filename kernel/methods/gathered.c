/* gathered.h */
#include "gathered.h"

#include "pmi.h"
#include "window.h"
#include "x86.h"

#define LATEST 2000 /* how often to look for a late interrupt: for some 100 us */

struct gathered gathered_none(const struct buffers *buffers)
{
    return (struct gathered){ .first = buffers->records,
                              .next = buffers->records,
                              .end = buffers->records + buffers->record_room };
}

void gathered_add(struct gathered *all, struct branch record)
{
    if (all->next < all->end)
        *all->next++ = record;
}

void gathered_gap(struct gathered *all)
{
    if (all->next == all->first || all->next[-1].to != BRANCH_UNKNOWN)
        gathered_add(all, (struct branch){ BRANCH_UNKNOWN, BRANCH_UNKNOWN, 0 });
}

void gathered_late(struct gathered *all, uint64_t late)
{
    all->interrupts.skid += late;
    if (late > all->interrupts.most)
        all->interrupts.most = late;
}

struct counted gathered_count(struct gathered *all, bool was_on)
{
    struct counted counted = counter_again(was_on);
    all->events++;
    all->interrupts.counted += counted.events;
    return counted;
}

bool gathered_goes_on(struct gathered *all, struct frame *frame, bool moved,
                      unsigned idle_max)
{
    all->idle = moved ? 0 : all->idle + 1;
    if (all->next < all->end && all->idle < idle_max)
        return true;
    pmi_stay_off();
    if (window_is_open() && !all->left) {
        all->left = true; /* the next interrupt may be on its way already */
        window_abort(frame, all->next == all->end ? BUDGET : LIVELOCK);
    }
    return false;
}

void gathered_wait(bool (*due)(void))
{
    pmi_settle();
    for (unsigned i = 0; i < LATEST && due(); i++) {
        pause();
        pmi_settle();
    }
    pmi_forget();
}

void gathered_rest(struct gathered *all)
{
    gathered_wait(counter_unheard);
    all->lost += counter_unheard();
    all->interrupts.counted += counter_rest();
    all->interrupts.late_unknown = !counter_tells_late();
}

struct trace gathered_trace(const struct gathered *all)
{
    struct interrupts interrupts = all->interrupts;
    interrupts.unmasked = pmi_unmasked();
    return (struct trace){ .count = (size_t)(all->next - all->first),
                           .events = all->events,
                           .lost = all->lost,
                           .interrupts = interrupts };
}
