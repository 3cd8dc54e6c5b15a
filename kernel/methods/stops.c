/* stops.h */
#include "stops.h"

#include "machine.h"
#include "registers.h"
#include "window.h"
#include "x86.h"

static struct branch *first, *next, *end;
static uint64_t events;

void stops_begin(const struct buffers *buffers, handler *handle)
{
    first = next = buffers->records;
    end = first + buffers->record_room;
    events = 0;
    idt_hook(VECTOR_DB, handle);
}

void stops_end(void)
{
    idt_hook(VECTOR_DB, NULL);
    write_dr6(DR6_CLEAR); /* BS stays set until software clears it; nobody read it so far */
}

void stops_add(struct frame *frame, struct branch stop)
{
    if (next < end)
        *next++ = stop;
    else
        window_abort(frame, BUDGET);
}

bool stops_event(struct frame *frame)
{
    uint64_t at = machine_address(frame);
    events++;
    if (window_is_over(at))
        frame->rflags &= ~RFLAGS_TF;
    return at != (uint64_t)window_call;
}

size_t stops_count(void)
{
    return (size_t)(next - first);
}

uint64_t stops_events(void)
{
    return events;
}
