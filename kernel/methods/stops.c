/* stops.h */
#include "stops.h"

#include "debug_registers.h"
#include "machine.h"
#include "registers.h"
#include "window.h"

static struct branch *first, *next, *end;
static uint64_t events;

void stops_begin(const struct buffers *buffers, handler *handle)
{
    first = next = buffers->records;
    end = first + buffers->record_capacity;
    events = 0;
    idt_hook(VECTOR_DB, handle);
}

void stops_end(void)
{
    idt_hook(VECTOR_DB, NULL);
    debug_registers_clear();
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
    uint64_t status = debug_registers_take();
    if (!(status & DR6_BLD) && !(status & DR6_BS))
        return false; /* a bus lock alone (SDM vol. 3B, "OS Bus-Lock Detection") */
    events++;
    if (window_is_over(at))
        frame->rflags &= ~RFLAGS_TF;
    return true;
}

struct trace stops_trace(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu, (void)buffers;
    return (struct trace){ .count = (size_t)(next - first), .ran.events = events };
}
