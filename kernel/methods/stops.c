/* stops.h */
#include "stops.h"

#include "machine.h"
#include "registers.h"
#include "window.h"
#include "x86.h"

static struct branch *first, *next, *end;
static uint64_t events;
static struct debug_status status;

void stops_begin(const struct buffers *buffers, handler *handle)
{
    first = next = buffers->records;
    end = first + buffers->record_capacity;
    events = 0;
    status = (struct debug_status){ .count = 0 };
    idt_hook(VECTOR_DB, handle);
}

void stops_end(void)
{
    idt_hook(VECTOR_DB, NULL);
    write_dr6(DR6_CLEAR);
}

void stops_add(struct frame *frame, struct branch stop)
{
    if (next < end)
        *next++ = stop;
    else
        window_abort(frame, BUDGET);
}

static void note(uint64_t dr6)
{
    size_t i = 0;
    while (i < status.count && status.at[i].dr6 != dr6)
        i++;
    if (i == DR6_VALUES) {
        status.others++;
        return;
    }
    status.at[i].dr6 = dr6;
    status.at[i].times++;
    if (i == status.count)
        status.count++;
}

/*
 * Each #DB writes B0 to B3 anew, but never clears another bit.  Unless DR6 is reset here,
 * what the next #DB sets cannot be seen (SDM vol. 3B, "Debug Status Register (DR6)").
 */
static uint64_t take_dr6(void)
{
    uint64_t dr6 = read_dr6();
    write_dr6(DR6_CLEAR);
    note(dr6);
    return dr6;
}

bool stops_event(struct frame *frame)
{
    uint64_t at = machine_address(frame);
    uint64_t dr6 = take_dr6();
    if (!(dr6 & DR6_BLD) && !(dr6 & DR6_BS))
        return false; /* a bus lock alone (SDM vol. 3B, "OS Bus-Lock Detection") */
    events++;
    if (window_is_over(at))
        frame->rflags &= ~RFLAGS_TF;
    return true;
}

struct trace stops_trace(void)
{
    return (struct trace){ .count = (size_t)(next - first),
                           .events = events,
                           .debug_status = status };
}
