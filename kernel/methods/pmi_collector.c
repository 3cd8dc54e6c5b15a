/* pmi_collector.h */
#include "pmi_collector.h"

#include "apic.h"
#include "pmi_gate.h"
#include "window.h"
#include "x86.h"

#define LATEST 2000 /* how often to look for a late interrupt: for some 100 us */

struct pmi_collector pmi_collector_none(const struct buffers *buffers)
{
    return (struct pmi_collector){ .first = buffers->records,
                                   .next = buffers->records,
                                   .end = buffers->records + buffers->record_capacity };
}

void pmi_collector_add(struct pmi_collector *all, struct branch record)
{
    if (all->next < all->end)
        *all->next++ = record;
}

void pmi_collector_gap(struct pmi_collector *all)
{
    if (all->next == all->first || all->next[-1].to != BRANCH_UNKNOWN)
        pmi_collector_add(all, (struct branch){ BRANCH_UNKNOWN, BRANCH_UNKNOWN, 0 });
}

void pmi_collector_late(struct pmi_collector *all, uint64_t late)
{
    all->ran.skid.value += late;
    if (late > all->ran.most)
        all->ran.most = late;
}

struct counted pmi_collector_count(struct pmi_collector *all, bool was_on)
{
    struct counted counted = counter_again(was_on);
    all->ran.events++;
    all->ran.counted.value += counted.events;
    return counted;
}

bool pmi_collector_goes_on(struct pmi_collector *all, struct frame *frame, bool moved,
                           unsigned idle_max)
{
    all->idle = moved ? 0 : all->idle + 1;
    if (all->next < all->end && all->idle < idle_max)
        return true;
    pmi_gate_stay_off();
    if (window_is_open() && !all->left) {
        all->left = true; /* the next interrupt may be on its way already */
        window_abort(frame, all->next == all->end ? BUDGET : LIVELOCK);
    }
    return false;
}

void pmi_collector_wait(bool (*due)(void))
{
    apic_take_pending();
    for (unsigned i = 0; i < LATEST && due(); i++) {
        pause();
        apic_take_pending();
    }
    pmi_gate_forget();
}

void pmi_collector_rest(struct pmi_collector *all)
{
    pmi_collector_wait(counter_unheard);
    all->ran.lost += counter_unheard();
    all->ran.counted.value += counter_rest();
    if (!counter_tells_late())
        all->ran.skid.is = LOG_ABSENT;
}

void pmi_collector_say(const struct ran_line *ran, struct facility_line *said)
{
    const bool tells = ran->events && ran->skid.is != LOG_ABSENT;
    said->interrupts.is = tells ? LOG_THERE : LOG_NOT_THERE;
    said->interrupts.value = tells ? ran->events : 0;
    said->typical = tells ? (ran->skid.value + ran->events - 1) / ran->events : 0;
    said->most = tells ? ran->most : 0;
}

void pmi_collector_fields(struct ran_line *line, const struct interrupt_config *how,
                          const struct pmu *pmu)
{
    const bool tells =
        !how->period || pmu_tells_late(pmu_event_of(pmu, how->event, how->umask));
    line->entries.is = LOG_THERE;
    line->counted.is = how->period ? LOG_THERE : LOG_NOT_THERE;
    line->skid.is = tells ? LOG_THERE : LOG_NOT_THERE;
}

struct trace pmi_collector_trace(const struct pmi_collector *all)
{
    struct trace trace = { .count = (size_t)(all->next - all->first), .ran = all->ran };
    trace.ran.unmasked = pmi_gate_unmasked();
    return trace;
}
