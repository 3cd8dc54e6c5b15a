/* Opening the window, and leaving it from a handler.  window.asm is the window itself. */
#include "window.h"

#include "apic.h"
#include "machine.h"
#include "panic.h"
#include "registers.h"
#include "x86.h"

void window_enter(const struct enable *, const uint8_t *code, const struct workload_env *);
extern uint64_t window_stack __attribute__((visibility("hidden")));
extern uint64_t window_result __attribute__((visibility("hidden")));
extern const uint8_t window_open[] __attribute__((visibility("hidden")));
extern const uint8_t window_uncounted[] __attribute__((visibility("hidden")));

static struct window_exit window_exit;
static uint32_t patience; /* seconds */
static uint32_t alone;
static uint32_t *windows = &alone;
static uint64_t in_debugctl; /* what each window sets in DEBUGCTL beside a method's bits */

static void on_watchdog(struct frame *frame)
{
    apic_end_of_interrupt();
    if (window_is_open() && window_exit.outcome == ENDED)
        window_abort(frame, TIMEOUT);
}

/* The workload crashed, even by #DF: none of it is resumed. */
static void on_exception(struct frame *frame)
{
    if (window_is_open() && frame->vector != VECTOR_MC)
        window_abort(frame, CRASHED);
    else
        panic_frame("exception", frame);
}

/* The APIC sets no in-service bit for a spurious interrupt, so it gets no EOI. */
static void on_spurious(struct frame *frame)
{
    (void)frame;
}

void window_init(uint32_t seconds)
{
    patience = seconds;
    idt_hook_rest(on_exception);
    idt_hook(VECTOR_WATCHDOG, on_watchdog);
    idt_hook(VECTOR_SPURIOUS, on_spurious);
}

void window_freezes_in_smm(bool freezes)
{
    in_debugctl = freezes ? DEBUGCTL_FREEZE_WHILE_SMM : 0;
}

uint64_t window_debugctl(uint64_t on)
{
    return on | in_debugctl;
}

struct enable window_both(const struct enable *enable)
{
    struct enable both = *enable;
    if (both.msr == MSR_DEBUGCTL)
        both.on = window_debugctl(both.on);
    if (both.counter == MSR_DEBUGCTL)
        both.counter_on = window_debugctl(both.counter_on);
    if (!both.counter) {
        both.counter = both.msr;
        both.counter_on = both.on;
        both.counter_off = both.off;
    }
    return both;
}

void window_count(uint32_t *open)
{
    windows = open;
}

struct window_exit window_run(const struct enable *enable, const uint8_t *code)
{
    struct enable inside = window_both(enable);
    inside.rflags |= RFLAGS_ONE | RFLAGS_IF; /* the watchdog must get through */
    window_exit = (struct window_exit){ .outcome = ENDED };
    apic_watchdog_start(patience);
    uint32_t with_us = __atomic_add_fetch(windows, 1, __ATOMIC_SEQ_CST);
    uint64_t start = rdtsc();
    window_enter(&inside, code, machine_workload_env());
    window_exit.ticks = rdtsc() - start;
    uint32_t still = __atomic_fetch_sub(windows, 1, __ATOMIC_SEQ_CST);
    window_exit.open = still > with_us ? still : with_us;
    apic_watchdog_stop();
    window_exit.result = window_result;
    return window_exit;
}

bool window_is_open(void)
{
    return window_stack != 0;
}

void window_abort(struct frame *frame, enum outcome outcome)
{
    if (window_exit.outcome != ENDED)
        panic_frame("the window cannot be left", frame); /* its own WRMSR faults */
    window_exit = (struct window_exit){ .outcome = outcome,
                                        .vector = frame->vector,
                                        .at = machine_address(frame) };
    frame->rip = (uint64_t)window_back;
    frame->rsp = window_stack;
    frame->cs = SELECTOR_CODE; /* it may have been in ring 3 */
    frame->ss = SELECTOR_DATA;
    frame->rflags &= ~RFLAGS_TF;
}

bool window_is_before(uint64_t rip)
{
    return rip >= (uint64_t)window_open && rip <= (uint64_t)window_call;
}

bool window_is_over(uint64_t rip)
{
    return rip >= (uint64_t)window_back && rip <= (uint64_t)window_end;
}

/* Where the stack is still kept, the counter may not be on yet, or be off again. */
bool window_counts(uint64_t rip)
{
    bool opens = rip >= (uint64_t)window_enter && rip < (uint64_t)window_open;
    bool closes = rip >= (uint64_t)window_uncounted && rip <= (uint64_t)window_end;
    return window_is_open() && !opens && !closes;
}
