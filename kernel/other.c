/*
 * other.h.  Nothing static may be written before machine_take_other(), nor read behind
 * machine_give_back(): the firmware's tables show the first processor's data there.
 */
#include "other.h"

#include "cpu.h"
#include "idt.h"
#include "panic.h"
#include "pmi_gate.h"
#include "probe.h"
#include "text.h"
#include "x86.h"

static struct other *own;
static uint64_t nmis_before; /* of the BSP, whose data this processor got a copy of */

/* The kernel broke here: the first processor says so. */
static void give_up(const char *why, const struct frame *frame)
{
    struct text out = text_into(own->why, sizeof own->why);
    text_string(&out, why);
    if (frame) {
        text_string(&out, ", vector ");
        text_decimal(&out, frame->vector);
        text_string(&out, " at 0x");
        text_hex(&out, frame->rip);
    }
    __atomic_store_n(&own->participant.gone, 1, __ATOMIC_SEQ_CST);
    barrier_reach(STAGE_DONE);
}

static void answer(uint32_t asked)
{
    own->nmis = idt_stray_nmis() - nmis_before;
    __atomic_store_n(&own->answered, asked, __ATOMIC_SEQ_CST);
    barrier_wake(own->barrier->at[0]);
}

static void obey(void)
{
    struct session *s = &own->session;
    switch (own->order) {
    case ORDER_PROBE:
        probe_one(&s->found, own->facility, &s->cpu, &s->buffers);
        break;
    case ORDER_RUN:
        own->run_result = run_make(s, own->method, own->workload);
        barrier_reach(STAGE_DONE);
        break;
    default:
        break;
    }
}

static bool is_last(enum order order)
{
    return order == ORDER_GIVE_BACK || order == ORDER_PARK;
}

static void leave(struct other *other)
{
    const enum order order = other->order;
    if (order == ORDER_GIVE_BACK) {
        pmi_gate_outlast_nmis(other->session.handoff->tsc_hz);
        session_loud(&other->session);
        machine_give_back();
    }
    __atomic_store_n(&other->left, 1, __ATOMIC_SEQ_CST);
    barrier_wake(other->barrier->at[0]);
    while (order == ORDER_PARK)
        halt_forever();
}

void other_main(void *argument)
{
    struct other *other = argument;
    machine_take_other(&other->machine);
    own = other;
    nmis_before = idt_stray_nmis();
    panic_says(give_up);
    barrier_join(other->barrier, &other->participant);
    other->session.cpu = cpu_identify();
    session_quiet(&other->session);
    uint32_t asked = 1;
    answer(asked);
    do {
        barrier_sleep(&other->asked, asked);
        asked++; /* the next order may be there before this one is answered */
        obey();
        answer(asked);
    } while (!is_last(other->order));
    leave(other);
}

void __attribute__((ms_abi)) other_enter(void *argument)
{
    const struct entrance *entrance = argument;
    struct barrier *barrier = entrance->barrier;
    uint32_t ticket = __atomic_fetch_add(&barrier->tickets, 1, __ATOMIC_SEQ_CST);
    if (ticket >= barrier->wanted)
        return;
    struct other *other = entrance->others[ticket];
    machine_on_stack(other->stack, other_main, other);
}
