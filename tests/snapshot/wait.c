/*
 * The program that a machine runs when its snapshot is taken (tests/scripts/snapshot.py):
 * it waits until its port reads 1, which QEMU's command line decides, and returns.  The
 * firmware then goes on to boot from the stick.
 */
#include <efi.h>

#define PORT 0x4e9
#define GO   1
#define MS   1000 /* microseconds */

static UINT8 inb(UINT16 port)
{
    UINT8 value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table); /* called by crt0 */

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
    (void)image;
    table->ConOut->OutputString(table->ConOut, L"snapshot: ready\r\n");
    while (inb(PORT) != GO)
        table->BootServices->Stall(MS);
    return EFI_SUCCESS;
}
