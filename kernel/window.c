/* Opening the window, and leaving it from a handler.  window.asm is the window itself. */
#include "window.h"

#include "registers.h"

void window_enter(const struct enable *, const uint8_t *code);
extern uint64_t window_stack __attribute__((visibility("hidden")));
extern uint64_t window_result __attribute__((visibility("hidden")));
extern const uint8_t window_end[] __attribute__((visibility("hidden")));

static struct ending ending;

struct ending window_run(const struct enable *enable, const uint8_t *code)
{
    struct enable inside = *enable;
    inside.rflags |= RFLAGS_ONE | RFLAGS_IF; /* the watchdog must get through */
    ending = (struct ending){ .outcome = ENDED };
    window_enter(&inside, code);
    ending.result = window_result;
    return ending;
}

bool window_is_open(void)
{
    return window_stack != 0;
}

void window_abort(struct frame *frame, enum outcome outcome)
{
    ending =
        (struct ending){ .outcome = outcome, .vector = frame->vector, .at = frame->rip };
    frame->rip = (uint64_t)window_back;
    frame->rsp = window_stack;
    frame->rflags &= ~RFLAGS_TF;
}

bool window_is_over(uint64_t rip)
{
    return rip >= (uint64_t)window_back && rip <= (uint64_t)window_end;
}
