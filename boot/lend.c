/* UEFI Specification, "Event, Timer, and Task Priority Services". */
#include "lend.h"

#include "firmware.h"

#define PATIENCE_MS 1000 /* the clock ticks every 10 ms or so */

static EFI_TPL tpl;

void lend_machine(void)
{
    tpl = BS->RaiseTPL(TPL_HIGH_LEVEL);
    __asm__ volatile("cli"); /* EDK2 does it in RaiseTPL; others need not */
}

void lend_over(void)
{
    BS->RestoreTPL(tpl);
    __asm__ volatile("sti"); /* the same */
}

BOOLEAN lend_ticks(void)
{
    EFI_EVENT timer;
    BOOLEAN ticked = FALSE;
    if (EFI_ERROR(BS->CreateEvent(EVT_TIMER, TPL_APPLICATION, NULL, NULL, &timer)))
        return FALSE;
    BS->SetTimer(timer, TimerRelative, 1);
    for (int ms = 0; ms < PATIENCE_MS && !ticked; ms++) {
        ticked = !EFI_ERROR(BS->CheckEvent(timer));
        BS->Stall(1000);
    }
    BS->CloseEvent(timer);
    return ticked;
}
