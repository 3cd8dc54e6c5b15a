/*
 * barrier.h.  Who waits for long halts the processor, and an interrupt ends that.  It must
 * come to nobody else: in a window it would be a branch of the trace.  So one is sent only
 * to who said that it sleeps, by whoever takes that word back, and the sleeper stays until
 * it has come.
 */
#include "barrier.h"

#include "apic.h"
#include "idt.h"
#include "registers.h"
#include "window.h"
#include "x86.h"

#define SPINS   1000 /* before it halts: others come at once, as a rule */
#define GRACE_S 10   /* beyond the patience of a run */

static struct barrier *barrier;
static struct participant *self;
static volatile bool woken;

static void on_wake(struct frame *frame)
{
    (void)frame;
    woken = true;
    apic_end_of_interrupt();
}

void barrier_join(struct barrier *joined, struct participant *own)
{
    barrier = joined;
    self = own;
    self->apic = apic_id();
    idt_hook(VECTOR_WAKE, on_wake);
    window_count(&barrier->open);
}

static bool is_first(void)
{
    return self == barrier->at[0];
}

static uint32_t read(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static bool all_at(enum stage stage)
{
    for (size_t i = 0; i < barrier->count; i++) {
        const struct participant *a = barrier->at[i];
        if (a->takes_part && read(&a->stage) < stage && !read(&a->gone))
            return false;
    }
    return true;
}

void barrier_wake(struct participant *a)
{
    if (__atomic_exchange_n(&a->asleep, 0, __ATOMIC_SEQ_CST))
        apic_send(a->apic, VECTOR_WAKE);
}

static void wake_all(void)
{
    for (size_t i = 0; i < barrier->count; i++)
        if (barrier->at[i] != self)
            barrier_wake(barrier->at[i]);
}

/* The condition that a processor waits for: a stage of all, or a word that changes. */
struct wait_condition {
    enum stage stage;
    const uint32_t *word;
    uint32_t was;
};

static bool is_met(const struct wait_condition *condition)
{
    return condition->word ? read(condition->word) != condition->was
                           : all_at(condition->stage);
}

static void halt(void)
{
    __asm__ volatile("sti; hlt; cli" : : : "memory");
}

/* One sleep.  False: a second passed; only the first processor looks at the time. */
static bool sleep_once(const struct wait_condition *condition)
{
    bool in_time = true;
    woken = false;
    __atomic_store_n(&self->asleep, 1, __ATOMIC_SEQ_CST);
    if (is_first())
        apic_watchdog_start(1);
    while (!woken && in_time && !is_met(condition)) {
        halt();
        in_time = woken || !is_first();
    }
    if (!woken && !__atomic_exchange_n(&self->asleep, 0, __ATOMIC_SEQ_CST))
        while (!woken)
            halt();
    if (is_first())
        apic_watchdog_stop();
    return in_time || woken;
}

/* False: it took longer than `limit` seconds; 0: there is no limit. */
static bool wait(const struct wait_condition *condition, uint32_t limit)
{
    for (uint32_t seconds = 0; !limit || seconds < limit;) {
        for (unsigned i = 0; i < SPINS; i++) {
            if (is_met(condition))
                return true;
            pause();
        }
        seconds += !sleep_once(condition);
    }
    return is_met(condition);
}

void barrier_sleep(const uint32_t *word, uint32_t was)
{
    const struct wait_condition condition = { .word = word, .was = was };
    wait(&condition, 0);
}

static uint32_t limit(void)
{
    return is_first() && barrier->patience ? barrier->patience + GRACE_S : 0;
}

void barrier_wait(enum stage stage)
{
    const struct wait_condition condition = { .stage = stage };
    if (wait(&condition, limit()))
        return;
    for (size_t i = 0; i < barrier->count; i++) {
        struct participant *a = barrier->at[i];
        if (a->takes_part && read(&a->stage) < stage)
            __atomic_store_n(&a->gone, 1, __ATOMIC_SEQ_CST);
    }
    wake_all();
}

void barrier_reach(enum stage stage)
{
    __atomic_store_n(&self->stage, stage, __ATOMIC_SEQ_CST);
    if (all_at(stage))
        wake_all();
}

void barrier_begin(void)
{
    barrier->armed = barrier->open = 0;
    for (size_t i = 0; i < barrier->count; i++)
        barrier->at[i]->stage = STAGE_NONE;
}

void barrier_armed(void)
{
    if (!barrier)
        return;
    __atomic_add_fetch(&barrier->armed, 1, __ATOMIC_SEQ_CST);
    barrier_reach(STAGE_ARMED);
    barrier_wait(STAGE_ARMED);
}

uint32_t barrier_back(void)
{
    if (!barrier)
        return 0;
    uint32_t armed = read(&barrier->armed);
    barrier_reach(STAGE_BACK);
    barrier_wait(STAGE_BACK);
    __atomic_sub_fetch(&barrier->armed, 1, __ATOMIC_SEQ_CST);
    return armed;
}
