/* firmware.h.  UEFI Specification, "Event, Timer, and Task Priority Services". */
#include "firmware.h"

EFI_SYSTEM_TABLE *ST;
EFI_BOOT_SERVICES *BS;
EFI_RUNTIME_SERVICES *RT;

#define PATIENCE_MS 1000 /* the clock ticks every 10 ms or so */

static EFI_TPL tpl;
static UINT64 rflags;

const void *firmware_table(const EFI_GUID *guid)
{
    const UINT64 *wanted = (const UINT64 *)guid;
    for (UINTN i = 0; i < ST->NumberOfTableEntries; i++) {
        const UINT64 *given = (const UINT64 *)&ST->ConfigurationTable[i].VendorGuid;
        if (given[0] == wanted[0] && given[1] == wanted[1])
            return ST->ConfigurationTable[i].VendorTable;
    }
    return NULL;
}

void firmware_pause(void)
{
    __asm__ volatile("pushfq; popq %[rflags]" : [rflags] "=r"(rflags) : : "memory");
    tpl = BS->RaiseTPL(TPL_HIGH_LEVEL);
    __asm__ volatile("cli" : : : "memory"); /* EDK2 does it in RaiseTPL; others need not */
}

/*
 * EDK2 turns interrupts on in RestoreTPL.  U-Boot runs with interrupts off, and with an IDT
 * that no interrupt survives.
 */
void firmware_resume(void)
{
    BS->RestoreTPL(tpl);
    __asm__ volatile("pushq %[rflags]; popfq" : : [rflags] "r"(rflags) : "cc", "memory");
}

BOOLEAN firmware_ticks(void)
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

UINTN firmware_ascii(char *out, UINTN size, const CHAR16 *text)
{
    UINTN length = 0;
    for (; text[length]; length++)
        if (length + 1 < size)
            out[length] = text[length] < 128 ? (char)text[length] : '?';
    out[length < size ? length : size - 1] = 0;
    return length;
}
