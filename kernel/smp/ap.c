/*
 * ap.h.  Nothing static may be written before machine_take_ap(), nor read after
 * machine_give_back(): the firmware's tables show the BSP's data there.
 */
#include "ap.h"

#include "idt.h"
#include "panic.h"
#include "pmi_gate.h"
#include "text.h"
#include "x86.h"

static struct ap *own;
static uint64_t nmis_before; /* of the BSP, whose data this processor got a copy of */

/* The kernel broke here: the BSP says so. */
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

static void leave(struct ap *ap)
{
    const enum order order = ap->order;
    if (order == ORDER_GIVE_BACK) {
        pmi_gate_outlast_nmis(ap->tsc_hz);
        worker_restore_recorders(&ap->worker);
        machine_give_back();
    }
    __atomic_store_n(&ap->left, 1, __ATOMIC_SEQ_CST);
    barrier_wake(ap->barrier->at[0]);
    while (order == ORDER_PARK)
        halt_forever();
}

void ap_main(void *argument)
{
    struct ap *ap = argument;
    machine_take_ap(&ap->machine);
    own = ap;
    nmis_before = idt_stray_nmis();
    panic_says(give_up);
    barrier_join(ap->barrier, &ap->participant);
    worker_identify(&ap->worker);
    uint32_t asked = 1;
    answer(asked);
    do {
        barrier_sleep(&ap->asked, asked);
        asked++; /* the next order may be there before this one is answered */
        if (ap->order == ORDER_WORK)
            ap->work(ap);
        answer(asked);
    } while (ap->order == ORDER_WORK);
    leave(ap);
}

void __attribute__((ms_abi)) ap_enter(void *argument)
{
    const struct entrance *entrance = argument;
    struct barrier *barrier = entrance->barrier;
    uint32_t ticket = __atomic_fetch_add(&barrier->tickets, 1, __ATOMIC_SEQ_CST);
    if (ticket >= barrier->wanted)
        return;
    struct ap *ap = entrance->aps[ticket];
    machine_on_stack(ap->stack, ap_main, ap);
}
